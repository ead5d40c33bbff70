// Command lines of `detent` drawn at random: options together that no other test puts together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detent::e2e {

/// What the lines of one command are made of.
struct LineParts {
  std::string name;                 ///< of the lines, and of their golden file
  std::string command;              ///< the words that each begins with; "{}" is a model
  std::vector<std::string> models;  ///< for "{}"; empty: there is none
  std::vector<std::vector<std::string>>
      options;          ///< the ways to give each; a line takes some of them, each at most once
  std::uint64_t lines;  ///< to draw
};

/// Those of all commands whose answers are the same on every machine. Files that lines name: line_files().
const std::vector<LineParts>& all_line_parts();

/// Two drawings, so that no test takes long.
enum class LineSet : std::uint8_t {
  kFirst,   ///< as many lines as the parts say
  kFurther  ///< 40 at most
};
/// Arguments behind the program's name. One line in four may hold values that are no good.
std::vector<std::string> random_lines(const LineParts& parts, LineSet set);

struct LineFile {
  std::string name, content;
};
/// The files that stand where lines are tried.
std::vector<LineFile> line_files();

}  // namespace detent::e2e
