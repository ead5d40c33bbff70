#include "app/manual/usage.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/words/file_kind.hpp"
#include "base/words/near.hpp"
#include "base/words/quote.hpp"

namespace detent::app {
namespace {

/// Options that tools of this kind have under another name.
const std::map<std::string, std::string>& usual_names() {
  static const std::map<std::string, std::string> kNames = {
      {"--threads", "--workers"}, {"-j", "--workers"},        {"--jobs", "--workers"},    {"--output-dir", "--out"},
      {"--chip", "--platform"},   {"--target", "--platform"}, {"--iterations", "--runs"}, {"-n", "--runs"},
      {"--silent", "--quiet"},    {"--outdir", "--out"},      {"--dir", "--out"},         {"-p", "--platform"}};
  return kNames;
}

/// Words that tools of this kind have for commands.
const std::map<std::string, std::string>& usual_commands() {
  static const std::map<std::string, std::string> kNames = {
      {"sim", "simulate"},  {"execute", "run"},    {"analyze", "check"}, {"analyse", "check"},
      {"test", "check"},    {"convert", "import"}, {"models", "list"},   {"prove", "verify"},
      {"export", "emit c"}, {"codegen", "emit c"}, {"wcet", "bound"},    {"schedule", "explore"},
      {"show", "report"},   {"load", "import"},    {"compile", "emit c"}};
  return kNames;
}

std::vector<std::string> option_names(const ManualPage& page) {
  std::vector<std::string> names;
  for (const ManualOption& option : page.options) {
    if (!option.positional) names.push_back(option.name());
  }
  return names;
}

bool is_negative_number(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word.find_first_not_of("0123456789.", 1) == std::string::npos;
}

bool looks_like_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word != "-" && !is_negative_number(word);
}

/// Options in front of any command that tools of this kind have.
const std::map<std::string, std::string>& usual_first_options() {
  static const std::map<std::string, std::string> kNames = {{"-v", "--version"},       {"-V", "--version"},
                                                            {"-version", "--version"}, {"version", "--version"},
                                                            {"-help", "--help"},       {"-?", "--help"}};
  return kNames;
}

bool is_unit(const std::string& word) {
  static const std::vector<std::string> kUnits = {"ps",  "ns",  "us",  "ms", "s",  "B",
                                                  "KiB", "MiB", "GiB", "kB", "MB", "GB"};
  return std::ranges::count(kUnits, word) != 0;
}

/// What was typed, without what nobody reads.
std::string shown(const std::string& word) {
  constexpr std::size_t kMost = 60;
  return word.size() <= kMost ? (word.empty() ? "''" : word) : word.substr(0, kMost) + "...";
}

std::string help_of(const ManualPage& page) { return "detent help" + (page.name.empty() ? "" : " " + page.name); }

/// One command's words against its page.
class Words {
 public:
  Words(const std::vector<ManualPage>& pages, const ManualPage& page) : pages_(pages), page_(page) {}

  std::string mistake(const std::vector<std::string>& words, std::size_t first) {
    bool only_arguments = false;
    for (std::size_t at = first; at < words.size() && wrong_.empty(); ++at) {
      if (words[at] == "--" && !only_arguments) {
        only_arguments = true;
      } else if (!only_arguments && looks_like_option(words[at])) {
        at = take_option(words, at);
      } else {
        arguments_.push_back(words[at]);
      }
    }
    if (wrong_.empty()) look_for_excess();
    if (wrong_.empty()) look_for_conflicts();
    if (wrong_.empty()) look_for_missing();
    return wrong_;
  }

 private:
  /// @return  the last word that belongs to the option
  std::size_t take_option(const std::vector<std::string>& words, std::size_t at) {
    std::string name = words[at];
    std::string value;
    const std::size_t equals = name.find('=');
    bool has_value = equals != std::string::npos;
    if (has_value) {
      value = name.substr(equals + 1);
      name.resize(equals);
    }
    const ManualOption* option = page_.find(name);
    const bool lacks_dash = name.size() > 2 && name[1] != '-' && page_.find("-" + name) != nullptr;  // -out
    if (option == nullptr && !lacks_dash && name.size() > 2 && name[1] != '-') {                     // -oFILE
      option = page_.find(name.substr(0, 2));
      if (option != nullptr) {
        if (option->is_flag()) return at;
        has_value = true;
        value = name.substr(2);
        name.resize(2);
      }
    }
    if (option == nullptr) {
      wrong_ = unknown(name);
      return at;
    }
    if (!option->repeats && ++given_[option] > 1) {
      wrong_ = name + ": is given twice; give it once";
    } else if (option->repeats) {
      ++given_[option];
    }
    if (option->is_flag()) {
      if (has_value && value != "true" && value != "false")
        wrong_ = shown(words[at]) + ": takes no value; write " + name;
      return at;
    }
    if (has_value) {
      if (value.empty()) wrong_ = value_missing(*option, name + "=");
      return at;
    }
    return take_values(words, at, *option, name);
  }

  std::size_t take_values(const std::vector<std::string>& words, std::size_t at, const ManualOption& option,
                          const std::string& name) {
    if (at + 1 >= words.size() || looks_like_option(words[at + 1])) {
      wrong_ = value_missing(option, name);
      return at;
    }
    if (words[at + 1].empty()) {
      wrong_ = value_missing(option, name + " ''");
      return at;
    }
    std::size_t last = at + 1;
    for (const std::string& missing : further_values(option)) {
      if (last + 1 >= words.size() || looks_like_option(words[last + 1])) {
        wrong_ = name + " " + shown(words[at + 1]) + ": " + missing + " is missing; write " + option.name() + " " +
                 option.value;
        return last;
      }
      ++last;
    }
    while (option.takes_many && last + 1 < words.size() && !looks_like_option(words[last + 1])) ++last;
    return last;
  }

  /// "BEFORE AFTER": what follows the first of several values.
  static std::vector<std::string> further_values(const ManualOption& option) {
    std::vector<std::string> values;
    for (std::size_t blank = option.value.find(' '); blank != std::string::npos;) {
      const std::size_t next = option.value.find(' ', blank + 1);
      values.push_back(option.value.substr(blank + 1, next == std::string::npos ? next : next - blank - 1));
      blank = next;
    }
    return values;
  }

  static std::string value_missing(const ManualOption& option, const std::string& typed) {
    return typed + ": its value is missing; write " + option.name() + " " + option.value;
  }

  [[nodiscard]] std::string unknown(const std::string& name) const {
    const std::string who = page_.name.empty() ? "detent" : "detent " + page_.name;
    const std::string what = shown(name) + ": " + who + " has no such option";
    if (const auto usual = usual_names().find(name); usual != usual_names().end() && page_.find(usual->second)) {
      return what + "; did you mean " + usual->second + "?";
    }
    std::vector<std::string> owners;
    for (const ManualPage& other : pages_) {
      if (!other.name.empty() && other.find(name) != nullptr) owners.push_back("detent " + other.name);
    }
    const std::optional<std::string> near = nearest(name, option_names(page_));
    const bool is_close = near && edit_distance(name, *near) <= 2;
    if (!owners.empty() && !is_close) return what + "; it belongs to " + choices_text(owners, 4);
    // -workers, --o: dashes that are too many or too few.
    const std::string bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
    for (const std::string& dashed : {"--" + bare, "-" + bare.substr(0, 1)}) {
      if (!bare.empty() && (dashed[1] == '-' || bare.size() == 1) && page_.find(dashed) != nullptr)
        return what + "; did you mean " + dashed + "?";
    }
    if (near) return what + "; did you mean " + *near + "?";
    return what + "; " + help_of(page_) + " lists those it has";
  }

  void look_for_excess() {
    std::vector<const ManualOption*> slots;
    for (const ManualOption& option : page_.options) {
      if (option.positional) slots.push_back(&option);
    }
    const bool takes_all = !slots.empty() && slots.back()->takes_many;
    if (takes_all || arguments_.size() <= slots.size()) return;
    const std::string& extra = arguments_[slots.size()];
    if (slots.empty()) {
      wrong_ = shown(extra) + ": detent " + page_.name + " takes options only; leave it out";
      return;
    }
    for (std::size_t i = slots.size() - 1; i < arguments_.size(); ++i) {
      wrong_ = unit_on_its_own(arguments_[i]);
      if (!wrong_.empty()) return;
    }
    // `check yolov8n platform quad_npu`
    for (std::size_t i = slots.size(); i < arguments_.size(); ++i) {
      if (page_.find("--" + arguments_[i]) != nullptr) {
        wrong_ = shown(arguments_[i]) + ": is not expected here; did you mean --" + arguments_[i] + "?";
        return;
      }
    }
    wrong_ = shown(extra) + ": is one argument too many: " + slots.back()->name() + " is " +
             shown(arguments_[slots.size() - 1]) + " already; leave one of them out";
  }

  void look_for_conflicts() {
    for (const auto& [option, count] : given_) {
      for (const std::string& other : option->needs) {
        const ManualOption* const second = page_.find(other);
        if (second == nullptr || given_.count(second) != 0) continue;
        wrong_ = option->name() + ": has no effect without " + other + "; add it";
        return;
      }
      for (const std::string& other : option->excludes) {
        const ManualOption* const second = page_.find(other);
        const bool is_argument = second == nullptr && other.front() != '-' && !arguments_.empty();
        const bool is_given = second != nullptr && given_.count(second) != 0;
        if (!is_argument && !is_given) continue;
        wrong_ = option->name() + ": cannot stand beside " + other + "; leave one of them out";
        return;
      }
    }
  }

  void look_for_missing() {
    std::vector<std::string> missing;
    std::size_t slot = 0;
    for (const ManualOption& option : page_.options) {
      if (option.positional) {
        if (slot++ >= arguments_.size() && option.required) missing.push_back(option.name());
      } else if (option.required && given_.count(&option) == 0) {
        missing.push_back(option.name());
      }
    }
    if (missing.empty()) return;
    std::string names;
    for (const std::string& name : missing) names += (names.empty() ? "" : " and ") + name;
    wrong_ =
        page_.name + ": " + names + (missing.size() == 1 ? " is" : " are") + " missing; write " + usage_line(page_);
  }

  const std::vector<ManualPage>& pages_;
  const ManualPage& page_;
  std::vector<std::string> arguments_;
  std::map<const ManualOption*, int> given_;
  std::string wrong_;
};

std::vector<std::string> commands_of(const std::vector<ManualPage>& pages, const std::string& name) {
  const ManualPage* const page = find_page(pages, name);
  return page == nullptr ? std::vector<std::string>{} : page->commands;
}

/// A first word that is no command.
std::string unknown_command(const std::vector<ManualPage>& pages, const std::string& word,
                            const std::vector<std::string>& models) {
  const std::vector<std::string> commands = commands_of(pages, "");
  if (const auto first = usual_first_options().find(word); first != usual_first_options().end()) {
    return shown(word) + ": no such command; write detent " + first->second;
  }
  if (const auto usual = usual_commands().find(word); usual != usual_commands().end()) {
    return shown(word) + ": no such command; did you mean detent " + usual->second + "?";
  }
  if (std::ranges::count(models, word) != 0) {
    return shown(word) + ": is a model, not a command; write detent check " + word + " --out DIR";
  }
  const std::optional<std::string> near = nearest(word, commands);
  if (near) return shown(word) + ": no such command; did you mean detent " + *near + "?";
  if (::access(word.c_str(), F_OK) == 0) {
    return shown(word) + ": is a file, not a command; write detent check " + shown(word) + " --out DIR";
  }
  return shown(word) + ": no such command; choose " + choices_text(commands, 23);
}

std::string option_first(const std::vector<ManualPage>& pages, const std::vector<std::string>& words) {
  if (const auto first = usual_first_options().find(words.front()); first != usual_first_options().end()) {
    return words.front() + ": detent has no such option; write detent " + first->second;
  }
  const std::vector<std::string> commands = commands_of(pages, "");
  for (const std::string& word : words) {
    if (std::ranges::count(commands, word) == 0) continue;
    return shown(words.front()) + ": stands before the command; write detent " + word + " first, then its options";
  }
  return shown(words.front()) +
         ": a command is missing; write detent COMMAND MODEL, such as detent check yolov8n --out DIR";
}

/// `import graph.json`, `emit net.pkg`: what was meant to stand behind one word more.
std::string missing_word(const ManualPage& page, const std::string& word) {
  const std::string begin = page.name + " " + shown(word) + ": ";
  const FileKind kind = kind_at(word);
  if (kind == FileKind::kEmpty) return "";
  if (page.name == "emit")
    return begin + "what to emit is missing; write detent emit c " + quote_word(word) + " --out DIR";
  const bool is_artifact =
      kind == FileKind::kTvmFolder || kind == FileKind::kFolder || kind == FileKind::kArchive || kind == FileKind::kC;
  if (page.name != "import" || (!is_artifact && kind != FileKind::kGraph)) return "";
  return begin + "what to import is missing; write detent import " + (is_artifact ? "tvm " : "graph ") +
         quote_word(word) + " --out PKG";
}

std::string below_missing(const ManualPage& page) {
  return page.name + ": what to " + page.name + " is missing; choose detent " + page.name + " " +
         choices_text(page.commands);
}

/// `import onnx`, `emit cpp`.
std::string unknown_below(const ManualPage& page, const std::string& word) {
  const std::string what = page.name + " " + shown(word) + ": ";
  if (page.name == "import" && (word == "onnx" || word == "tflite" || word == "pte" || word == "pytorch")) {
    return what +
           "is not supported; compile the network with TVM's ahead-of-time executor and write detent import tvm "
           "ARTIFACT -o PKG, or describe it as an op graph: detent import graph FILE -o PKG";
  }
  if (const std::string missing = missing_word(page, word); !missing.empty()) return missing;
  const std::string near = did_you_mean(word, page.commands);
  return what + "there is no such command" + (near.empty() ? "; choose " + choices_text(page.commands) : near);
}

}  // namespace

std::string command_of(const std::vector<ManualPage>& pages, const std::vector<std::string>& words) {
  std::string name;
  for (const std::string& word : words) {
    const std::string longer = name.empty() ? word : name + " " + word;
    if (word.empty() || find_page(pages, longer) == nullptr) break;
    name = longer;
  }
  return name;
}

std::string find_topic_mistake(const std::vector<ManualPage>& pages, const std::vector<std::string>& words) {
  const std::string topic = command_of(pages, words);
  const auto used = static_cast<std::size_t>(topic.empty() ? 0 : 1 + std::ranges::count(topic, ' '));
  if (used == words.size()) return "";
  const std::string& word = words[used];
  if (looks_like_option(word)) return shown(word) + ": detent help has no such option; write detent help COMMAND";
  if (topic.empty()) return unknown_command(pages, word, {});
  const ManualPage& page = *find_page(pages, topic);
  if (!page.commands.empty()) return unknown_below(page, word);
  return shown(word) + ": is one word too many; write " + help_of(page);
}

std::string unit_on_its_own(const std::string& word) {
  return is_unit(word) ? word + ": is a unit on its own; write it right behind its number, such as 64KiB or 5ms" : "";
}

std::string find_mistake(const std::vector<ManualPage>& pages, const std::vector<std::string>& words,
                         const std::vector<std::string>& models) {
  if (words.empty()) return "a command is missing; write detent COMMAND MODEL, such as detent check yolov8n --out DIR";
  const std::string command = command_of(pages, words);
  if (command.empty()) {
    return looks_like_option(words.front()) ? option_first(pages, words)
                                            : unknown_command(pages, words.front(), models);
  }
  const ManualPage& page = *find_page(pages, command);
  const auto used = static_cast<std::size_t>(1 + std::ranges::count(command, ' '));
  if (page.commands.empty()) return Words(pages, page).mistake(words, used);
  if (words.size() == used || looks_like_option(words[used])) return below_missing(page);
  return unknown_below(page, words[used]);
}

}  // namespace detent::app
