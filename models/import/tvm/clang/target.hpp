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

/// What types are under one target.
struct CTypes {
  std::string target;     ///< triple and flags
  std::string condition;  ///< of C, true where a compiler has the same types; uses what type_assertion declares
};
/// @throws InputError  libclang does not know the target
CTypes types_of(const CTarget& target);

/// Declarations that the conditions use, and a static assertion that one of them is true. "" for no types.
std::string type_assertion(const std::vector<CTypes>& types);

}  // namespace detent::models::tvm
