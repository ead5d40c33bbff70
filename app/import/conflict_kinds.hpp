// Kinds of conflicts as answers name them.
#pragma once

#include <cstdint>
#include <string>

#include "models/import/tvm/hazards/hazards.hpp"

namespace detent::app {

/// "raw", "war+waw", ...
inline std::string kinds_text(std::uint8_t kinds) {
  std::string text;
  for (const auto& [bit, name] :
       {std::pair{models::tvm::kRaw, "raw"}, {models::tvm::kWar, "war"}, {models::tvm::kWaw, "waw"}}) {
    if ((kinds & bit) != 0) text += (text.empty() ? "" : "+") + std::string(name);
  }
  return text;
}

}  // namespace detent::app
