// InputError: bad input in host code. Thrown by readers, caught only in cli/ (exit code 2).
#pragma once

#include <stdexcept>
#include <string>

namespace detent {

/// "file:place: what is wrong and what to do". `place` is a line, a byte offset or a path such as "ops[7].reads[0]".
class InputError : public std::invalid_argument {
 public:
  InputError(const std::string& file, const std::string& place, const std::string& what)
      : std::invalid_argument(file + (place.empty() ? "" : ":" + place) + ": " + what) {}
};

}  // namespace detent
