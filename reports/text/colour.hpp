// Words that say how something ended, in colour for terminals.
#pragma once

#include <string>
#include <string_view>

namespace detent::reports {

/// `text` of a screen with verdicts green (holds, a good YES or NO), red (violated, failed, a bad one) or yellow
/// (unknown) by ANSI escapes. A verdict is a word at the end of a line, before a comma or before two blanks. The answer
/// to a question that begins with "Can" is good when it is NO, to any other when it is YES. A time ("at most 3 ms") is
/// good unless it rests on "(ASSUMED times)" or "(ASSUMED bytes)"; NOT BY A RACE leaves something open.
/// @param text  printable; nothing else in it changes
std::string coloured(std::string_view text);

}  // namespace detent::reports
