// Bytes of a file with a small change drawn by a seed: a neighbour of one whose answer is known.
#pragma once

#include <cstdint>
#include <string>

namespace detent::readers {

/// A text with one change, of every third seed with two: a number, a word, a mark, a line. The same on every machine.
std::string changed_words(const std::string& text, std::uint64_t seed);

/// Bytes with one change: of a number of 1, 2, 4 or 8 bytes, or of their length.
std::string changed_bytes(const std::string& bytes, std::uint64_t seed);

}  // namespace detent::readers
