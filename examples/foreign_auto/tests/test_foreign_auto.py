# SPDX-License-Identifier: Apache-2.0
"""Asio's addresses and networks, from Python."""

import foreign_auto as ip
import pytest

import tain


def test_classes_and_functions():
    address = ip.make_address_v4("192.168.1.20")
    assert address.to_string() == "192.168.1.20" and address.to_uint() == 0xC0A80114
    assert ip.address_v4(0x7F000001).is_loopback() and ip.address_v4().is_unspecified()
    assert ip.address_v4.broadcast().to_string() == "255.255.255.255"
    assert tain.types.asio.ip.address_v4 is ip.address_v4


def test_operators_that_are_friends():
    low, high = ip.make_address_v4("10.0.0.1"), ip.make_address_v4("10.0.0.2")
    assert low < high and high >= low and low != high
    assert low == ip.make_address_v4("10.0.0.1")


def test_networks_take_and_return_addresses():
    network = ip.make_network_v4("10.1.0.0/16")
    assert network.prefix_length() == 16 and network.netmask().to_string() == "255.255.0.0"
    assert network.is_subnet_of(ip.network_v4(ip.make_address_v4("10.0.0.0"), 8))
    assert ip.make_address("::1").is_v6() and ip.make_address("::1").to_v6().is_loopback()


def test_exceptions():
    with pytest.raises(RuntimeError, match="Invalid argument"):
        ip.make_address_v4("300.1.1.1")
    with pytest.raises(ip.bad_address_cast):
        ip.make_address("10.0.0.1").to_v6()
    # It derives from std::bad_cast.
    assert ip.bad_address_cast.__mro__[1] is TypeError
    with pytest.raises(TypeError, match=r"asio\.ip\.address_v4, got str"):
        ip.network_v4("10.0.0.0", 8)


def test_what_cannot_cross_is_listed():
    skipped = dict(tain.type_info(ip.network_v4).skipped)
    assert "std::error_code& does not cross" in skipped["to_string"]
