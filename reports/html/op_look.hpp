// OpLook: names and colours of ops, as the data of the page has them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "reports/text/text.hpp"

namespace detent::reports {

/// Of ops in the graph or not.
class OpLook {
 public:
  /// @param ops  `ops` of page_data; outlives this
  explicit OpLook(const Json& ops) : ops_(ops) {
    constexpr std::size_t kFurtherFields = 5;
    const Json& further = ops.at("further");
    for (std::size_t i = 0; i + kFurtherFields <= further.size(); i += kFurtherFields) {
      further_[further.at(i).get<std::uint64_t>()] = i;
    }
  }
  [[nodiscard]] std::string name(std::uint64_t op) const {
    if (op < ops_.at("name").size()) return ops_.at("name").at(op).get<std::string>();
    const auto at = further_.find(op);
    if (at == further_.end()) return "op " + std::to_string(op);
    return ops_.at("further").at(at->second + 1).get<std::string>();
  }
  /// The class of the style sheet that fills in the op's colour.
  [[nodiscard]] std::string style(std::uint64_t op) const {
    std::uint64_t colour = 6;
    if (op < ops_.at("colour").size()) colour = ops_.at("colour").at(op).get<std::uint64_t>();
    const auto at = further_.find(op);
    if (at != further_.end()) colour = ops_.at("further").at(at->second + 4).get<std::uint64_t>();
    return "f" + std::to_string(colour);
  }

 private:
  const Json& ops_;
  std::map<std::uint64_t, std::size_t> further_;
};

}  // namespace detent::reports
