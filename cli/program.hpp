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

/// A page per command that the parser has, in the order of --help; the first is the program's.
std::vector<app::ManualPage> pages_of(const CLI::App& parser);
/// The same of all commands.
std::vector<app::ManualPage> manual_pages();

/// Parse words that are arranged. @throws CLI::ParseError  as the parser says
void parse(CLI::App& parser, const std::vector<std::string>& words);

/// Parse and run a line that another command made.
/// @throws std::invalid_argument  the parser refuses it: `place`, and what is wrong
int run_line(const std::vector<std::string>& words, const std::string& place);

/// What --help prints for the command that these words begin with.
std::string help_for(const std::vector<std::string>& words);

/// What is wrong with a line that the parser refused: a sentence of ours, whatever the parser says.
std::string explain(const CLI::ParseError& error, const std::vector<std::string>& words);

}  // namespace detent::cli
