// SPDX-License-Identifier: Apache-2.0
// The addresses and networks of Asio (Debian: libasio-dev), which knows nothing of tain.
#include <tain/reflection/auto.h>
#include <tain/stl.h>
#include <asio/ip/address.hpp>
#include <asio/ip/network_v4.hpp>

// Not tain::thread_safe(): some methods, such as address_v6::scope_id, change the address.
TAIN_REFLECT_FOREIGN(asio::ip)
