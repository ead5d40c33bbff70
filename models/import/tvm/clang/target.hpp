// The compiler for which a C text is read: what types are there.
#pragma once

#include <string>
#include <vector>

namespace detent::models::tvm {

/// A target of libclang, and flags of the compiler that change what a text means.
struct CTarget {
  std::string triple;
  std::vector<std::string> flags;
  bool operator==(const CTarget&) const = default;
  [[nodiscard]] std::string name() const;  ///< all of it
};

/// The machine that this program runs on.
CTarget host_target();

/// Those of a compiler's flags that change what a text means: sizes, alignments or signs of types ("-funsigned-char",
/// "-fshort-enums"), and macros ("-DNDEBUG").
std::vector<std::string> meaning_flags(const std::vector<std::string>& compile_flags);

}  // namespace detent::models::tvm
