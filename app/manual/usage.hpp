// A command line that cannot be read -> what is wrong with it and what to write instead.
#pragma once

#include <string>
#include <vector>

#include "app/manual/page.hpp"

namespace detent::app {

/// The words after "detent" up to the first that is no command: "import tvm"; "" where there is none.
std::string command_of(const std::vector<ManualPage>& pages, const std::vector<std::string>& words);

/// What is wrong, "<place>: <what>; <remedy>": no command or an unknown one, options that the command does not have
/// (the nearest that it has, or the command that has it), values that are missing or too many, options given twice or
/// against each other, arguments that are missing or too many. "" where nothing of that kind is.
/// @param pages  of all commands
/// @param models  what MODEL may be by name: `detent yolov8n` lacks a command
std::string find_mistake(const std::vector<ManualPage>& pages, const std::vector<std::string>& words,
                         const std::vector<std::string>& models);

/// "ms: is a unit on its own; ..." where the word is one, which a blank has parted from its number; else "".
std::string unit_on_its_own(const std::string& word);

/// The same of the words behind `detent help`, which name a command.
std::string find_topic_mistake(const std::vector<ManualPage>& pages, const std::vector<std::string>& words);

}  // namespace detent::app
