// C text with a small change drawn by a seed: a neighbour of a case whose answer is known.
#pragma once

#include <cstdint>
#include <string>

namespace detent::models::tvm {

/// `text` with one change, of every third seed with two: a number, an operator, a type, a qualifier, a cast, an
/// identifier, a statement or a single token. The same on every machine; a text without tokens stays as it is.
std::string changed_text(const std::string& text, std::uint64_t seed);

}  // namespace detent::models::tvm
