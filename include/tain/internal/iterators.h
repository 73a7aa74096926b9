// SPDX-License-Identifier: Apache-2.0
// The parts of <iterator> that tain's headers use: concepts, tags, reverse_iterator. <span> has to
// declare them for its own iterators, and does not bring the stream buffers that <iterator>
// includes, which take longer to compile than all of <string>.
#pragma once

#include <span>
