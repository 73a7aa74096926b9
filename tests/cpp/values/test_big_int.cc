// SPDX-License-Identifier: Apache-2.0
// BigInt: text, words, comparison, doubles, conversion.
#include "tain/big_int.h"

#include <cmath>
#include <vector>

#include "helpers/value_helpers.h"
#include "tain/container/map.h"

using namespace tain;
using namespace tain_test;

TEST_CASE("decimal text goes in and comes out") {
  const NothingLeft check;
  for (const char* text :
       {"0", "1", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "-18446744073709551616", "340282366920938463463374607431768211456", "1000000000",
        "1000000000000000000000000000", "-999999999999999999999999999999999999999999"}) {
    CHECK(BigInt(text).ToString() == text);
  }
  CHECK(BigInt("+0012").ToString() == "12");
  CHECK(ThrownBy([] { BigInt("12a"); }) ==
        "ValueError: BigInt: expected decimal digits with an optional sign, got '12a'");
  CHECK_THROWS_AS(BigInt(""), Error);
  CHECK_THROWS_AS(BigInt("-"), Error);
}

TEST_CASE("a number that fits int64 is a plain int") {
  CHECK(BigInt("9223372036854775807").fits_int64());
  CHECK(BigInt("-9223372036854775808").int64() == INT64_MIN);
  CHECK(!BigInt("9223372036854775808").fits_int64());
  CHECK(BigInt(uint64_t{5}).fits_int64());
  CHECK(BigInt(UINT64_MAX).ToString() == "18446744073709551615");
  CHECK(ThrownBy([] { BigInt("9223372036854775808").int64(); }) ==
        "OverflowError: expected int in -9223372036854775808..9223372036854775807, got "
        "9223372036854775808");
}

TEST_CASE("numbers are compared across sizes and signs") {
  const std::vector<BigInt> ascending = {BigInt("-99999999999999999999999999999999999999999"),
                                         BigInt("-9223372036854775809"),
                                         BigInt(INT64_MIN),
                                         BigInt(-1),
                                         BigInt(0),
                                         BigInt(1),
                                         BigInt(INT64_MAX),
                                         BigInt("9223372036854775808"),
                                         BigInt("9223372036854775809"),
                                         BigInt("18446744073709551616"),
                                         BigInt("99999999999999999999999999999999999999999")};
  for (size_t i = 0; i < ascending.size(); ++i) {
    for (size_t j = 0; j < ascending.size(); ++j) {
      CHECK((ascending[i] < ascending[j]) == (i < j));
      CHECK((ascending[i] == ascending[j]) == (i == j));
    }
  }
  CHECK(ascending[0].negative());
}

TEST_CASE("bytes are two's complement, least significant first") {
  const NothingLeft check;
  struct Row {
    std::string_view bytes;
    const char* text;
  };
  const Row rows[] = {{"", "0"},
                      {{"\xff", 1}, "-1"},
                      {{"\x80", 1}, "-128"},
                      {{"\x80\x00", 2}, "128"},
                      {{"\xff\xff\xff\xff\xff\xff\xff\xff\x00", 9}, "18446744073709551615"},
                      {{"\x00\x00\x00\x00\x00\x00\x00\x00\x01", 9}, "18446744073709551616"},
                      {{"\x00\x00\x00\x00\x00\x00\x00\x00\xff", 9}, "-18446744073709551616"},
                      {{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10}, "-1"}};
  for (const Row& row : rows) {
    const TainByteArray input{row.bytes.data(), row.bytes.size()};
    TainAny out{};
    REQUIRE(TainBigIntFromByteArray(&input, &out) == 0);
    const Any owned = Any::Steal(out);
    CHECK(owned.cast<BigInt>().ToString() == row.text);
    if (owned.type_index() != kTainBigInt) continue;
    const TainByteArray words = TainBigIntGetContentByteArray(&owned.data());
    CHECK(words.size == 16);
    CHECK(std::string_view(words.data, 9) == row.bytes);
  }
  TainAny small{};
  small.type_index = kTainInt;
  small.v_int64 = -2;
  const TainByteArray words = TainBigIntGetContentByteArray(&small);
  CHECK(words.data == reinterpret_cast<const char*>(&small.v_int64));  // it lives in the value
  CHECK(words.size == 8);
}

TEST_CASE("other values have no words") {
  const Point point = MakePoint(1);
  const Any others[] = {Any(), Any(true), Any(1.5), Any("text"), Any(point)};
  for (const Any& other : others) {
    const TainByteArray words = TainBigIntGetContentByteArray(&other.data());
    CHECK((words.data == nullptr && words.size == 0));
  }
  CHECK(TainBigIntGetContentByteArray(nullptr).data == nullptr);
}

TEST_CASE("doubles are the nearest ones") {
  CHECK(BigInt("9007199254740993").ToDouble() == 9007199254740992.0);
  CHECK(BigInt("18446744073709551615").ToDouble() == std::ldexp(1, 64));
  CHECK(BigInt("18446744073709549568").ToDouble() == 18446744073709549568.0);
  // Half-way between two doubles: the even one; one more: the upper one.
  CHECK(BigInt("18446744073709553664").ToDouble() == std::ldexp(1, 64));
  CHECK(BigInt("18446744073709553665").ToDouble() == 18446744073709555712.0);
  CHECK(BigInt("-18446744073709553665").ToDouble() == -18446744073709555712.0);
  CHECK(BigInt("100000000000000000000000000000000000000000000000000").ToDouble() == 1e50);
  CHECK(BigInt("340282366920938463463374607431768211457").ToDouble() == std::ldexp(1, 128));
  const std::string huge = "1" + std::string(308, '0');
  CHECK(BigInt(huge).ToDouble() == 1e308);
  CHECK(ThrownBy([&] { BigInt(huge + "0").ToDouble(); }) ==
        "OverflowError: int too large to convert to float");
}

TEST_CASE("a number beyond every double is out of range for a double") {
  const std::string digits = "1" + std::string(400, '0');
  const std::string range = "float in -1.7976931348623157e+308..1.7976931348623157e+308, got ";
  CHECK(CastError<double>(BigInt(digits)) ==
        "OverflowError: expected " + range + digits.substr(0, 60) + "...");
  CHECK(CastError<float>(BigInt("-" + digits), "f: x") ==
        "OverflowError: f: x: expected float in -3.40282e+38..3.40282e+38, got -" +
            digits.substr(0, 59) + "...");
  CHECK(CastError<double>(BigInt(std::string(300, '9'))) == "");
}

TEST_CASE("big numbers cross") {
  const NothingLeft check;
  const Any big = BigInt("18446744073709551615");
  CHECK(big.cast<uint64_t>() == UINT64_MAX);
  CHECK(big.cast<double>() == std::ldexp(1, 64));
  CHECK(Any(UINT64_MAX).type_index() == kTainBigInt);
  CHECK(Any(UINT64_MAX).cast<uint64_t>() == UINT64_MAX);
  CHECK(CastError<uint64_t>(BigInt("18446744073709551616")) ==
        "OverflowError: expected int in 0..18446744073709551615, got 18446744073709551616");
  CHECK(CastError<int>(big, "f: n") ==
        "OverflowError: f: n: expected int in -2147483648..2147483647, got 18446744073709551615");
  CHECK(Any(true).cast<BigInt>() == BigInt(1));
  CHECK(CastError<BigInt>(1.5) == "TypeError: expected int, got float (1.5)");
  CHECK(Repr(big) == "18446744073709551615");
  Map<Any, int> m = {{big, 1}};
  CHECK(m.at(Any(BigInt("18446744073709551615"))) == 1);
}
