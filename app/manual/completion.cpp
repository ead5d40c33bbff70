// Pages as scripts that complete what is typed in bash and zsh.
#include <algorithm>

#include "app/manual/page.hpp"

namespace detent::app {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// Words that may stand behind an option; none: a file, or something that nobody can list.
std::vector<std::string> values_of(const ManualOption& option, const CompletionWords& words) {
  if (option.value == "MODEL" || option.name() == "MODEL") return words.models;
  if (option.value == "PLATFORM") return words.platforms;
  std::vector<std::string> values;
  if (option.value.find('|') == std::string::npos) return values;
  for (std::size_t begin = 0; begin <= option.value.size();) {
    const std::size_t end = std::min(option.value.find('|', begin), option.value.size());
    const std::string one = option.value.substr(begin, end - begin);
    // Capitals stand for something else: "BYTES|tvm".
    if (!one.empty() && std::ranges::none_of(one, [](char c) { return c >= 'A' && c <= 'Z'; })) values.push_back(one);
    begin = end + 1;
  }
  return values;
}

std::vector<std::string> completed_options(const ManualPage& page) {
  std::vector<std::string> names;
  for (const ManualOption& option : page.options) {
    if (!option.positional) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

const ManualOption* positional_of(const ManualPage& page) {
  const auto found = std::ranges::find_if(page.options, &ManualOption::positional);
  return found == page.options.end() ? nullptr : &*found;
}

/// `case` arms: the option before the cursor -> the words that may follow it.
std::string value_arms(const ManualPage& page, const CompletionWords& words) {
  std::string text;
  for (const ManualOption& option : page.options) {
    if (option.positional || option.is_flag()) continue;
    const std::vector<std::string> values = values_of(option, words);
    text += "        " + joined(option.names, "|") + ") values=\"" + joined(values) +
            "\"; files=" + (values.empty() || option.value == "MODEL" || option.value == "PLATFORM" ? "1" : "0") +
            ";;\n";
  }
  return text;
}

std::string command_arm(const ManualPage& page, const CompletionWords& words) {
  const ManualOption* const positional = positional_of(page);
  const std::vector<std::string> free =
      positional == nullptr ? std::vector<std::string>{} : values_of(*positional, words);
  std::string text = "    \"" + page.name + "\")\n";
  text += "      options=\"" + joined(completed_options(page)) + "\"\n";
  text += "      free=\"" + joined(page.commands.empty() ? free : page.commands) + "\"\n";
  const std::string arms = value_arms(page, words);
  if (!arms.empty()) text += "      case \"$before\" in\n" + arms + "      esac\n";
  return text + "      ;;\n";
}

constexpr const char* kBashBegin = R"(# Completion of detent; written by `detent completion bash`.
_detent() {
  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
  local command="" options="" free="" values="" files="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${COMP_WORDS[i]}" in
      -*) break ;;
      *)
        if [[ " $_detent_commands " == *" ${COMP_WORDS[i]} "* && -z "$command" ]]; then
          command="${COMP_WORDS[i]}"
        elif [[ " $_detent_below " == *" $command:${COMP_WORDS[i]} "* ]]; then
          command="$command ${COMP_WORDS[i]}"
        else
          break
        fi
        ;;
    esac
  done
  case "$command" in
)";

constexpr const char* kBashEnd = R"(  esac
  COMPREPLY=()
  if [[ -n "$files$values" ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$word"))
    [[ "$files" == 1 ]] && COMPREPLY+=($(compgen -f -- "$word"))
  elif [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -W "$free" -- "$word") $([[ -n "$command" ]] && compgen -f -- "$word"))
  fi
}
complete -o filenames -F _detent detent
)";

/// Variables and function of bash, which zsh runs as well.
std::string bash_script(const std::vector<ManualPage>& pages, const CompletionWords& words) {
  std::vector<std::string> below;
  for (const ManualPage& page : pages) {
    const std::size_t blank = page.name.find(' ');
    if (blank != std::string::npos) below.push_back(page.name.substr(0, blank) + ":" + page.name.substr(blank + 1));
  }
  const ManualPage* const program = find_page(pages, "");
  std::string text = "_detent_commands=\"" + (program == nullptr ? "" : joined(program->commands)) + "\"\n";
  text += "_detent_below=\"" + joined(below) + "\"\n";
  text += kBashBegin;
  for (const ManualPage& page : pages) text += command_arm(page, words);
  return text + kBashEnd;
}

/// For _arguments: what would end a description is escaped.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const ManualOption& option, const CompletionWords& words) {
  const std::vector<std::string> values = values_of(option, words);
  if (values.empty()) return "_files";
  if (option.value == "MODEL" || option.name() == "MODEL" || option.value == "PLATFORM") {
    return "_alternative \"names\\:name\\:(" + joined(values) + ")\" \"files\\:file\\:_files\"";
  }
  return "(" + joined(values) + ")";
}

std::string zsh_arguments(const ManualPage& page, const CompletionWords& words) {
  std::string text = "      _arguments -s";
  for (const ManualOption& option : page.options) {
    const std::string action = zsh_action(option, words);
    if (option.positional) {
      text += " \\\n        '" + std::string(option.takes_many ? "*" : "1") + ":" + option.name() + ":" + action + "'";
      continue;
    }
    for (const std::string& name : option.names) {
      text += " \\\n        '" + std::string(option.repeats ? "*" : "") + name + "[" + zsh_text(option.text) + "]" +
              (option.is_flag() ? "" : ":" + zsh_text(option.value) + ":" + action) + "'";
    }
  }
  return text + "\n";
}

}  // namespace

std::string bash_completion(const std::vector<ManualPage>& pages, const CompletionWords& words) {
  return bash_script(pages, words);
}

std::string zsh_completion(const std::vector<ManualPage>& pages, const CompletionWords& words) {
  std::string text = "#compdef detent\n# Completion of detent; written by `detent completion zsh`.\n_detent() {\n";
  text += "  local -a commands=(\n";
  for (const ManualPage& page : pages) {
    if (page.name.empty() || page.name.find(' ') != std::string::npos) continue;
    text += "    '" + page.name + ":" + zsh_text(page.summary) + "'\n";
  }
  text += "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n";
  text += "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const ManualPage& page : pages) {
    if (page.name.empty() || page.name.find(' ') != std::string::npos) continue;
    text += "    " + page.name + ")\n";
    if (page.commands.empty()) {
      text += zsh_arguments(page, words);
    } else {
      text += "      if (( CURRENT == 2 )); then\n        compadd " + joined(page.commands) +
              "\n        return\n      fi\n";
      text += "      local below=$words[2]\n      shift words\n      (( CURRENT-- ))\n      case $below in\n";
      for (const std::string& name : page.commands) {
        const ManualPage* const below = find_page(pages, page.name + " " + name);
        if (below != nullptr) text += "      " + name + ")\n" + zsh_arguments(*below, words) + "      ;;\n";
      }
      text += "      esac\n";
    }
    text += "      ;;\n";
  }
  return text + "  esac\n}\n_detent \"$@\"\n";
}

}  // namespace detent::app
