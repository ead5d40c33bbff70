// DETENT_ASSERT: a fact that the caller sees to, checked in every build where something relies on it.
//
// Bad input is InputError or std::invalid_argument and ends in a message for the user; a fact that does not hold is a
// fault of Detent and ends the process, because no answer after it could be trusted.
#pragma once

namespace detent {

/// Print file, line and the fact, and abort.
[[noreturn, gnu::cold]] void assertion_failed(const char* fact, const char* file, int line);

}  // namespace detent

/// @param fact  one; write two of them as two assertions, so that the message says which
#define DETENT_ASSERT(fact) \
  (static_cast<bool>(fact) ? static_cast<void>(0) : ::detent::assertion_failed(#fact, __FILE__, __LINE__))
