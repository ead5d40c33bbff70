// Pages as help, manual page and completion scripts: each as a whole.
#include "app/manual/page.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/version.hpp"
#include "tests/app/manual/pages.hpp"
#include "tests/golden.hpp"

namespace detent::app {
namespace {

const ManualPage& page(const std::vector<ManualPage>& pages, const std::string& name) {
  const ManualPage* const found = find_page(pages, name);
  if (found == nullptr) throw std::logic_error(name);
  return *found;
}

CompletionWords words() { return {.models = {"rye", "spelt"}, .platforms = {"oven", "stove"}}; }

TEST(ManualPage, OptionsAreFoundByEachOfTheirNames) {
  const std::vector<ManualPage> pages = bakery_pages();
  const ManualPage& bake = page(pages, "bake");
  ASSERT_NE(bake.find("--out"), nullptr);
  EXPECT_EQ(bake.find("--out"), bake.find("-o"));
  EXPECT_EQ(bake.find("MODEL"), nullptr) << "arguments are not found by name";
  EXPECT_EQ(bake.find("--ou"), nullptr);
  EXPECT_TRUE(bake.find("-q")->is_flag());
  EXPECT_FALSE(bake.find("--heat")->is_flag());
  EXPECT_EQ(find_page(pages, "serve hot"), nullptr);
}

TEST(ManualPage, UsageNamesWhatIsRequired) {
  const std::vector<ManualPage> pages = bakery_pages();
  EXPECT_EQ(usage_line(page(pages, "")), "detent COMMAND ...");
  EXPECT_EQ(usage_line(page(pages, "serve")), "detent serve COMMAND ...");
  EXPECT_EQ(usage_line(page(pages, "bake")), "detent bake MODEL --out DIR [options]");
  EXPECT_EQ(usage_line(page(pages, "serve cold")), "detent serve cold [LOAF] [options]");
  EXPECT_EQ(usage_line(page(pages, "carry")), "detent carry COMMAND... --out DIR [options]");
}

TEST(ManualPage, HelpIsOneScreen) {
  const std::vector<ManualPage> pages = bakery_pages();
  std::string text;
  for (const char* name : {"", "bake", "serve", "serve cold", "carry"})
    text += help_text(page(pages, name), pages, 60) + "----\n";
  expect_golden(text, "app/manual/golden/help.txt");
}

TEST(ManualPage, HelpKeepsToItsWidth) {
  const std::vector<ManualPage> pages = bakery_pages();
  for (const std::size_t width : {40U, 60U, 80U}) {
    std::istringstream lines(help_text(page(pages, "bake"), pages, width));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), width) << line;
  }
}

TEST(ManualPage, TheManualPageHasEveryCommand) {
  std::string text = man_page(bakery_pages());
  const std::size_t version = text.find(kVersion);
  ASSERT_NE(version, std::string::npos);
  text.replace(version, std::string(kVersion).size(), "VERSION");
  expect_golden(text, "app/manual/golden/manual.txt");
}

TEST(ManualPage, NothingInATextIsAnOrderToRoff) {
  std::vector<ManualPage> pages = bakery_pages();
  pages[1].summary = ".so /etc/passwd";
  pages[1].details = "a\\b\n'c";
  const std::string text = man_page(pages);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_FALSE(line.starts_with(".so") || line.starts_with("'")) << line;
  }
  EXPECT_NE(text.find("\n\\&.so /etc/passwd.\n.PP\na\\eb\n\\&'c\n"), std::string::npos) << text;
}

TEST(Completion, BashKnowsCommandsOptionsAndValues) {
  expect_golden(bash_completion(bakery_pages(), words()), "app/manual/golden/completion.bash.txt");
}

TEST(Completion, ZshKnowsCommandsOptionsAndValues) {
  expect_golden(zsh_completion(bakery_pages(), words()), "app/manual/golden/completion.zsh.txt");
}

TEST(Completion, PagesOfNoProgramMakeAScript) {
  EXPECT_TRUE(bash_completion({}, {}).starts_with("_detent_commands=\"\"\n_detent_below=\"\"\n"));
  EXPECT_TRUE(zsh_completion({}, {}).starts_with("#compdef detent\n"));
}

}  // namespace
}  // namespace detent::app
