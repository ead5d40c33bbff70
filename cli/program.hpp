// The program as a whole: its commands, their pages, and what a line that cannot be read is answered.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/manual/page.hpp"
#include "cli/command.hpp"

namespace CLI {
class ParseError;
}

namespace detent::cli {

/// The parser of the command that the line begins with, or of all where it begins otherwise: the options of all
/// commands take longer than a verdict on a small graph.
std::unique_ptr<CLI::App> make_parser(Action& action, const std::string& first_word);

/// A page per command, in the order of --help; the first is the program's.
std::vector<app::ManualPage> manual_pages();

/// What --help prints for the command that these words begin with.
std::string help_for(const std::vector<std::string>& words);

/// What is wrong with a line that the parser refused: a sentence of ours, whatever the parser says.
std::string explain(const CLI::ParseError& error, const std::vector<std::string>& words);

}  // namespace detent::cli
