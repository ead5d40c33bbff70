// Places of a C text that the kernels' compiler may read otherwise than this one -> the names that depend on them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/import/tvm/c/scanned_text.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

/// Doubts by place.
class DoubtfulPlaces {
 public:
  explicit DoubtfulPlaces(std::vector<Doubt> doubts);
  [[nodiscard]] const std::vector<Doubt>& doubts() const { return doubts_; }
  /// One whose range overlaps; null: none.
  [[nodiscard]] const Doubt* in(const SourceRange& range) const;

 private:
  std::vector<Doubt> doubts_;          ///< by where they begin
  std::vector<std::size_t> farthest_;  ///< of the first i + 1, the one that ends last
};

/// Names declared at file scope, or by a macro, whose meaning depends on a doubtful place: they stand in it, or use
/// another such name. By name, why. What a function's body says is not followed here: it is the function's own doubt.
using DoubtfulNames = std::map<std::string, std::string, std::less<>>;
DoubtfulNames doubtful_names(const ScannedText& scanned, const DoubtfulPlaces& places, const std::string& file);

/// The first word of a piece of code that is among `names`; the end: none.
DoubtfulNames::const_iterator first_doubtful(std::string_view code, const DoubtfulNames& names,
                                             std::string_view except);

}  // namespace detent::models::tvm
