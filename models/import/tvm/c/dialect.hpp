// What stands around C's grammar: macros that compilers define, attributes, pragmas. Lists of those that change nothing
// of what the importer reads; whatever is on none of them is a doubt.
#pragma once

#include <cstdint>
#include <string_view>

namespace detent::models::tvm {

/// A macro that a compiler defines by itself (__GNUC__, __LINE__, linux), or a name that only compilers may define.
bool is_compilers_macro(std::string_view name);

/// An attribute that changes neither values nor which function is called, or one whose sizes the front end tells.
bool is_plain_attribute(std::string_view name);

enum class Pragma : std::uint8_t {
  kIgnored,      ///< about messages, or about how fast the code is
  kForCompiler,  ///< pack(...): the front end tells sizes and offsets
  kUnknown
};
/// @param line  what follows "#pragma"
Pragma pragma_of(std::string_view line);

}  // namespace detent::models::tvm
