// Commands and their options as values: what help, man page, completion and messages about wrong words are made of.
#pragma once

#include <string>
#include <vector>

namespace detent::app {

struct ManualOption {
  std::vector<std::string> names{};  ///< "--out", "-o": the long one first; of a positional one word: "MODEL"
  std::string value{};               ///< what stands behind it: "FILE", "N", "os|ws|is"; "" of a flag
  std::string fallback{};            ///< what counts where it is not given; "" where nothing does
  std::string range{};               ///< "1 to 64"; "" where anything that fits the value may stand
  std::string text{};
  std::string group{};                  ///< heading in help; "" under Options
  std::vector<std::string> excludes{};  ///< options that it cannot stand beside
  std::vector<std::string> needs{};     ///< options without which it has no effect
  bool positional = false;
  bool required = false;
  bool repeats = false;     ///< may be given more than once
  bool takes_many = false;  ///< several values may follow one name

  [[nodiscard]] const std::string& name() const { return names.front(); }
  [[nodiscard]] bool is_flag() const { return value.empty(); }
  [[nodiscard]] bool is_named(const std::string& word) const;
};

/// One command, or the program itself (an empty name).
struct ManualPage {
  std::string name{};                   ///< "check", "import tvm"
  std::string summary{};                ///< one line
  std::string details{};                ///< paragraphs
  std::vector<ManualOption> options{};  ///< those of a group side by side
  std::vector<std::string> commands{};  ///< of a command that only has commands below it: "import tvm"
  std::vector<std::string> examples{};

  [[nodiscard]] const ManualOption* find(const std::string& word) const;
};

/// The page of "import tvm"; null where there is none.
const ManualPage* find_page(const std::vector<ManualPage>& pages, const std::string& name);

/// "detent check MODEL --out DIR [options]".
std::string usage_line(const ManualPage& page);

/// What --help prints, no line longer than `width`.
std::string help_text(const ManualPage& page, const std::vector<ManualPage>& pages, std::size_t width);

/// detent.1, for man(1).
std::string man_page(const std::vector<ManualPage>& pages);

/// Names that completion offers beside options.
struct CompletionWords {
  std::vector<std::string> models{};
  std::vector<std::string> platforms{};
};
/// A script for bash (and for zsh by its bashcompinit).
std::string bash_completion(const std::vector<ManualPage>& pages, const CompletionWords& words);
/// A script for zsh, _detent.
std::string zsh_completion(const std::vector<ManualPage>& pages, const CompletionWords& words);

}  // namespace detent::app
