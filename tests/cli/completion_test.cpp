// The scripts of `detent completion`, run by the shells that they are for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "tests/e2e/program.hpp"
#include "tests/support/terminal.hpp"

namespace detent::e2e {
namespace {

using Words = std::vector<std::string>;

bool is_installed(const std::string& shell) {
  return std::system(("command -v " + shell + " >/dev/null").c_str()) == 0;
}

std::string script_in(const std::string& directory, const std::string& shell, const std::string& file) {
  const Answer answer = run_detent("completion " + shell);
  EXPECT_EQ(answer.exit_code, 0) << answer.error;
  write_file(directory + "/" + file, answer.output);
  return directory + "/" + file;
}

/// What bash offers for the last of these words.
Words bash_offers(const std::string& typed) {
  const std::string directory = scratch("completion_bash");
  const std::string script = script_in(directory, "bash", "detent.bash");
  std::string words = "detent";
  std::size_t count = 0;
  std::istringstream stream(typed);
  for (std::string word; stream >> word; ++count) words += " '" + word + "'";
  if (typed.empty() || typed.back() == ' ') {
    words += " ''";
    ++count;
  }
  write_file(directory + "/ask.bash", "cd '" + directory + "'; touch net.pkg; source detent.bash\nCOMP_WORDS=(" +
                                          words + "); COMP_CWORD=" + std::to_string(count) +
                                          "\n_detent; printf '%s\\n' \"${COMPREPLY[@]}\"\n");
  const std::string command = "bash '" + directory + "/ask.bash' >'" + directory + "/said' 2>&1 </dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_file(directory + "/said");
  Words offers;
  std::istringstream lines(read_file(directory + "/said"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) offers.push_back(line);
  }
  return offers;
}

bool offers(const Words& list, const std::string& word) { return std::ranges::count(list, word) != 0; }

class BashCompletion : public testing::Test {
  void SetUp() override {
    if (!is_installed("bash")) GTEST_SKIP() << "no bash in PATH: its completion was not run";
  }
};

TEST_F(BashCompletion, CommandsOptionsModelsPlatformsWordsAndFiles) {
  EXPECT_EQ(bash_offers("che"), Words{"check"});
  EXPECT_TRUE(offers(bash_offers(""), "simulate"));
  EXPECT_EQ(bash_offers("import t"), Words{"tvm"});
  EXPECT_EQ(bash_offers("check casc"), Words{"cascade"});
  EXPECT_EQ(bash_offers("check net"), Words{"net.pkg"});
  EXPECT_EQ(bash_offers("check yolov8n --platf"), Words{"--platform"});
  EXPECT_EQ(bash_offers("check yolov8n --platform quad"), Words{"quad_npu"});
  EXPECT_EQ(bash_offers("explore diamond --level thr"), Words{"threads"});
  EXPECT_EQ(bash_offers("simulate diamond --out n"), Words{"net.pkg"});
  EXPECT_TRUE(offers(bash_offers("import tvm --"), "--replan"));
  EXPECT_FALSE(offers(bash_offers("import graph --"), "--replan"));
  EXPECT_EQ(bash_offers("check zzz"), Words{});
}

class ZshCompletion : public testing::Test {
  void SetUp() override {
    if (!is_installed("zsh")) GTEST_SKIP() << "no zsh in PATH: its completion was not run";
  }
};

/// What the line of an interactive zsh becomes by a press of the tabulator.
std::string zsh_completes(const std::string& typed) {
  const std::string directory = scratch("completion_zsh");
  script_in(directory, "zsh", "_detent");
  write_file(directory + "/net.pkg", "");
  write_file(directory + "/.zshrc", "PS1='ready> '; unsetopt zle_bracketed_paste prompt_sp list_beep beep\nfpath=('" +
                                        directory + "' $fpath)\nautoload -Uz compinit; compinit -D -u\n" +
                                        "show() { print -r -- \"line[$BUFFER]\"; BUFFER=; zle accept-line }\n" +
                                        "zle -N show; bindkey '^X' show; bindkey '^I' complete-word\n");
  support::TerminalProgram shell("cd '" + directory + "' && ZDOTDIR='" + directory + "' TERM=dumb exec zsh -d -i", 200);
  EXPECT_TRUE(shell.wait_for("ready> ")) << shell.screen();
  shell.type(typed + "\t\x18");
  EXPECT_TRUE(shell.wait_for("line[")) << shell.screen();
  EXPECT_TRUE(shell.wait_for("]")) << shell.screen();
  const std::string& screen = shell.screen();
  const std::size_t begin = screen.rfind("line[") + 5;
  const std::string line = screen.substr(begin, screen.find(']', begin) - begin);
  EXPECT_TRUE(shell.wait_for("ready> ")) << shell.screen();
  shell.type("exit\r");
  shell.finish();
  return line;
}

TEST_F(ZshCompletion, CommandsOptionsModelsPlatformsWordsAndFiles) {
  EXPECT_EQ(zsh_completes("detent che"), "detent check ");
  EXPECT_EQ(zsh_completes("detent import tv"), "detent import tvm ");
  EXPECT_EQ(zsh_completes("detent check casc"), "detent check cascade ");
  EXPECT_EQ(zsh_completes("detent check net"), "detent check net.pkg ");
  EXPECT_EQ(zsh_completes("detent check yolov8n --platf"), "detent check yolov8n --platform ");
  EXPECT_EQ(zsh_completes("detent check yolov8n --platform quad"), "detent check yolov8n --platform quad_npu ");
  EXPECT_EQ(zsh_completes("detent explore diamond --level thr"), "detent explore diamond --level threads ");
  EXPECT_EQ(zsh_completes("detent import tvm --repl"), "detent import tvm --replan ");
  EXPECT_EQ(zsh_completes("detent check zzz"), "detent check zzz");
}

}  // namespace
}  // namespace detent::e2e
