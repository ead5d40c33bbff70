// Order files: op ids or names -> a permutation of the ops.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"

namespace detent::app {

/// Name of an op, or "op 7" where the tables have no names.
std::string op_name(const detent_desc& desc, OpId op);

/// Op ids from a file: numbers or op names, separated by white space or commas; '#' starts a comment.
/// @throws std::invalid_argument  unreadable, an unknown name, or not every op exactly once
std::vector<std::uint32_t> read_order(const std::string& path, const detent_desc& desc);
/// The same from text; `file` is named in errors. Memory is bounded by the ops, not by the text.
std::vector<std::uint32_t> parse_order(std::string_view text, const std::string& file, const detent_desc& desc);

}  // namespace detent::app
