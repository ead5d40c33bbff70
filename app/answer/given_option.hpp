// An option of a command as a line of words gave it.
#pragma once

#include <string>
#include <vector>

namespace detent::app {

/// Listed by the parser itself, so that an option that is added later is among them.
struct GivenOption {
  std::string name{};                ///< as --help has it: "--runs", "MODEL"
  std::vector<std::string> words{};  ///< that were typed for it; empty: it was not given
  std::string fallback{};            ///< what counts where it is not given; "" where nothing does
  bool is_folder = false;            ///< its words name folders
};

}  // namespace detent::app
