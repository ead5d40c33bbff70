// The words of a line that has a command within a command, in the order in which a parser can take them.
#pragma once

#include <string>
#include <vector>

#include "app/manual/page.hpp"

namespace detent::app {

/// The words of a command line whose command takes another command as COMMAND (campaign): its own options first, then
/// "--" and all others in their order, so that options of both may stand side by side. What stands behind a "--" that
/// was typed is of the inner command. Other command lines stay as they are.
/// @param pages  that of the line's command among them
std::vector<std::string> arrange_words(const std::vector<ManualPage>& pages, const std::vector<std::string>& words);

}  // namespace detent::app
