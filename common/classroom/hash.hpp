#pragma once
/// \file The harness's hash, under this folder's names.

#include "../harness/hash.hpp"

namespace warpwise::classroom {

using harness::hash_of;
using harness::hexadecimal;

}  // namespace warpwise::classroom
