// Random programs of macros: the tokens that come out are those of the compilers' own preprocessors, or the program is
// refused with file and line.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "models/import/tvm/preprocess/preprocess.hpp"
#include "tests/models/import/tvm/artifact/fixture.hpp"
#include "tests/models/import/tvm/preprocess/random_macros.hpp"

namespace detent::models::tvm {
namespace {

using Tokens = std::vector<std::string>;

/// By the grammar of C11 6.4 alone; lines of directives are left out.
Tokens tokens_in(const std::string& text) {
  static const std::regex kToken(
      R"re((?:L|u8|u|U)?"(?:\\.|[^"\\\n])*"|(?:L|u|U)?'(?:\\.|[^'\\\n])*'|\.?[0-9](?:[eEpP][-+]|[A-Za-z0-9_.$])*|)re"
      R"re([A-Za-z_$][A-Za-z0-9_$]*|\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|##|<:|:>|<%|%>|[^\s])re");
  Tokens tokens;
  std::istringstream lines(std::regex_replace(text, std::regex(R"(\b_Pragma *\( *"x" *\))"), ""));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) continue;
    for (std::sregex_iterator it(line.begin(), line.end(), kToken), end; it != end; ++it) tokens.push_back(it->str());
  }
  return tokens;
}

std::string text_of_tokens(const Tokens& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token + " ";
  return text;
}

struct Answer {
  Tokens tokens;
  std::string refusal;
};

/// One file that includes the programs from `first` on, a mark behind each.
void put_batch(const fs::path& root, std::size_t first, std::size_t programs) {
  std::string all;
  for (std::size_t i = first; i < programs; ++i) {
    all += "#include \"p" + std::to_string(i) + "/t.c\"\n\"@@ " + std::to_string(i) + "\"\n";
    for (const std::string& name : random_macro_names()) all += "#undef " + name + "\n";
  }
  write_text(root / "all.c", all);
}

/// Run a compiler on a batch. @return  the program at which it stopped, as clang does where arguments never end
std::size_t run_batch(const fs::path& root, const std::string& compiler, std::size_t first,
                      std::vector<Answer>& answers) {
  put_batch(root, first, answers.size());
  const std::string shown = (root / "out").string();
  const std::string command = "cd " + root.string() + " && LC_ALL=C " + compiler + " -std=gnu11 -w -E -P all.c >" +
                              shown + " 2>" + shown + ".err";
  static_cast<void>(std::system(command.c_str()));
  std::string text = std::regex_replace(read_text(shown), std::regex(R"((\./)?\bp[0-9]+/)"), "");
  text = std::regex_replace(text, std::regex(R"(sub/\.\./)"), "");
  std::istringstream lines(read_text(shown + ".err"));
  static const std::regex kError(R"(^(?:\./)?p([0-9]+)/.*error: (.*))");
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, match, kError)) answers.at(std::stoul(match[1])).refusal = match[2];
  }
  std::size_t begin = 0;
  for (std::size_t i = first; i < answers.size(); ++i) {
    const std::string mark = "\"@@ " + std::to_string(i) + "\"";
    const std::size_t end = text.find(mark, begin);
    if (end == std::string::npos) return i;
    answers[i].tokens = tokens_in(text.substr(begin, end - begin));
    begin = end + mark.size();
  }
  return answers.size();
}

/// What a compiler makes of all programs of a directory, in one process where none of them stops it.
std::vector<Answer> compiler_answers(const fs::path& root, const std::string& compiler, std::size_t programs) {
  std::vector<Answer> answers(programs);
  for (std::size_t first = 0; first < programs;) {
    const std::size_t stopped = run_batch(root, compiler, first, answers);
    if (stopped < programs && answers[stopped].refusal.empty()) answers[stopped].refusal = "stopped";  // behind #line
    first = stopped + 1;
  }
  return answers;
}

Answer own_answer(const fs::path& directory) {
  IncludePath path({});
  const std::size_t base = path.add_beside(directory.string());
  try {
    const Preprocessed out = preprocess(read_text(directory / "t.c"), "t.c", {base, "t.c"}, path, {});
    return {tokens_in(out.text), ""};
  } catch (const InputError& error) {
    return {{}, error.what()};
  }
}

struct Tally {
  std::size_t equal = 0, refused_by_all = 0, refused_here = 0, different = 0;
  std::map<std::string, std::size_t> reasons;
  std::string first;
};

void compare(std::uint64_t seed, std::size_t programs, Tally& tally) {
  const Scratch scratch;
  for (std::size_t i = 0; i < programs; ++i) {
    for (const auto& [name, text] : random_macros(seed + i))
      write_text(scratch.root() / ("p" + std::to_string(i)) / name, text);
  }
  const std::vector<Answer> gcc = compiler_answers(scratch.root(), "cc", programs);
  const std::vector<Answer> clang = compiler_answers(scratch.root(), "clang-19 -ferror-limit=0", programs);
  static const std::regex kPlace(R"(^[^:]*:[0-9]+: )"), kNames(R"("[^ ]*"|\b(macro|of) \w+)");
  for (std::size_t i = 0; i < programs; ++i) {
    const Answer own = own_answer(scratch.root() / ("p" + std::to_string(i)));
    const bool is_refused = !gcc[i].refusal.empty() || !clang[i].refusal.empty();
    std::string wrong;
    if (!own.refusal.empty()) {
      if (!std::regex_search(own.refusal, kPlace)) wrong = "no file and line: " + own.refusal;
      ++(is_refused ? tally.refused_by_all : tally.refused_here);
      if (!is_refused) ++tally.reasons[std::regex_replace(std::regex_replace(own.refusal, kPlace, ""), kNames, "N")];
    } else if (!gcc[i].refusal.empty() && !clang[i].refusal.empty()) {
      wrong = "accepted, and no compiler does: " + gcc[i].refusal;
    } else if (own.tokens != gcc[i].tokens && own.tokens != clang[i].tokens) {
      wrong = "other tokens\nown:   " + text_of_tokens(own.tokens) + "\ngcc:   " + text_of_tokens(gcc[i].tokens) +
              "\nclang: " + text_of_tokens(clang[i].tokens);
    } else {
      ++tally.equal;
    }
    if (wrong.empty()) continue;
    ++tally.different;
    if (!tally.first.empty()) continue;
    tally.first = "seed " + std::to_string(seed + i) + ": " + wrong;
    for (const auto& [name, text] : random_macros(seed + i)) tally.first += "\n--- " + name + "\n" + text;
  }
}

/// DETENT_MACRO_PROGRAMS asks for more of them, DETENT_MACRO_SEED for others.
std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::stoull(text);
}

TEST(PreprocessRandom, TokensAreThoseOfTheCompilers) {
  constexpr std::size_t kBatch = 300;
  const std::uint64_t programs = number_from("DETENT_MACRO_PROGRAMS", kBatch);
  const std::uint64_t seed = number_from("DETENT_MACRO_SEED", 1);
  Tally tally;
  for (std::uint64_t done = 0; done < programs; done += kBatch)
    compare(seed + done, std::min<std::uint64_t>(kBatch, programs - done), tally);
  EXPECT_EQ(tally.different, 0U) << tally.first;
  std::string reasons;
  for (const auto& [reason, count] : tally.reasons) reasons += std::to_string(count) + " " + reason + "\n";
  RecordProperty("equal", static_cast<int>(tally.equal));
  EXPECT_GT(tally.equal, programs * 4 / 10) << tally.refused_by_all << " refused by all\n" << reasons;
  EXPECT_LT(tally.refused_here, programs / 10) << reasons;
  if (std::getenv("DETENT_MACRO_PROGRAMS") != nullptr)
    std::printf("%zu equal, %zu refused by all, %zu refused here alone\n%s", tally.equal, tally.refused_by_all,
                tally.refused_here, reasons.c_str());
}

}  // namespace
}  // namespace detent::models::tvm
