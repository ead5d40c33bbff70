// Every kind of mistake on a command line, each with the whole sentence that answers it.
#include "app/manual/usage.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/app/answers.hpp"
#include "tests/app/manual/pages.hpp"

namespace detent::app {
namespace {

std::string mistake_in(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word == "''" ? "" : word);
  return find_mistake(bakery_pages(), words, {"rye", "spelt"});
}

TEST(Usage, GoodLinesHaveNoMistake) {
  for (const char* line :
       {"bake rye --out o", "bake rye -o o", "bake -oo rye", "bake rye --out=o --heat=3 --seed 1 --seed 2",
        "serve warm -q", "serve cold", "serve cold loaf --quiet=true", "bake --out o -- --rye", "bake -1.5 --out o",
        "bake - --out o"}) {
    EXPECT_EQ(mistake_in(line), "") << line;
  }
}

TEST(Usage, ALineWithoutACommandIsToldHowToBegin) {
  EXPECT_EQ(mistake_in(""), "a command is missing; write detent COMMAND MODEL, such as detent check yolov8n --out DIR");
  EXPECT_EQ(mistake_in("--out o"),
            "--out: a command is missing; write detent COMMAND MODEL, such as detent check yolov8n --out DIR");
  EXPECT_EQ(mistake_in("--out o bake rye"),
            "--out: stands before the command; write detent bake first, then its options");
}

TEST(Usage, AnUnknownCommandIsToldTheNearestThatThereIs) {
  EXPECT_EQ(mistake_in("bakee rye"), "bakee: no such command; did you mean detent bake?");
  EXPECT_EQ(mistake_in("codegen rye"), "codegen: no such command; did you mean detent emit c?");
  EXPECT_EQ(mistake_in("spelt"), "spelt: is a model, not a command; write detent check spelt --out DIR");
  EXPECT_EQ(mistake_in("quantification"), "quantification: no such command; choose bake, serve or carry");
}

TEST(Usage, AFileInThePlaceOfACommandIsToldApart) {
  const TemporaryDirectory place;
  const std::string file = place.write("net.pkg", "x");
  const std::string said = find_mistake(bakery_pages(), {file}, {});
  const std::string name = file.size() <= 60 ? file : file.substr(0, 60) + "...";
  EXPECT_EQ(said, name + ": is a file, not a command; write detent check " + name + " --out DIR");
}

TEST(Usage, CommandsBelowOthersAreListed) {
  EXPECT_EQ(mistake_in("serve"), "serve: what to serve is missing; choose detent serve warm or cold");
  EXPECT_EQ(mistake_in("serve -q"), "serve: what to serve is missing; choose detent serve warm or cold");
  EXPECT_EQ(mistake_in("serve warn"), "serve warn: there is no such command; did you mean warm?");
  EXPECT_EQ(mistake_in("serve tepidarium"), "serve tepidarium: there is no such command; choose warm or cold");
}

TEST(Usage, AnUnknownOptionIsToldTheNearestItsOwnerOrTheHelp) {
  EXPECT_EQ(mistake_in("bake rye --out o --heet 3"), "--heet: detent bake has no such option; did you mean --heat?");
  EXPECT_EQ(mistake_in("serve warm --crust soft"),
            "--crust: detent serve warm has no such option; it belongs to detent bake");
  EXPECT_EQ(mistake_in("serve warm --out o"),
            "--out: detent serve warm has no such option; it belongs to detent bake or detent carry");
  EXPECT_EQ(mistake_in("bake rye --chip x"), "--chip: detent bake has no such option; did you mean --platform?");
  EXPECT_EQ(mistake_in("bake rye -out o"), "-out: detent bake has no such option; did you mean --out?");
  EXPECT_EQ(mistake_in("bake rye --o o"), "--o: detent bake has no such option; did you mean -o?");
  EXPECT_EQ(mistake_in("serve warm --zzzzzzzzzz"),
            "--zzzzzzzzzz: detent serve warm has no such option; detent help serve warm lists those it has");
}

TEST(Usage, AMissingValueIsToldWhatMayStandThere) {
  EXPECT_EQ(mistake_in("bake rye --out"), "--out: its value is missing; write --out DIR");
  EXPECT_EQ(mistake_in("bake rye -o -q"), "-o: its value is missing; write --out DIR");
  EXPECT_EQ(mistake_in("bake rye --out="), "--out=: its value is missing; write --out DIR");
  EXPECT_EQ(mistake_in("bake rye --out ''"), "--out '': its value is missing; write --out DIR");
  EXPECT_EQ(mistake_in("bake --diff a --out o"), "--diff a: AFTER is missing; write --diff BEFORE AFTER");
  EXPECT_EQ(mistake_in("bake --diff a"), "--diff a: AFTER is missing; write --diff BEFORE AFTER");
}

TEST(Usage, AFlagTakesNoValueButATruthValue) {
  EXPECT_EQ(mistake_in("serve warm --quiet=false"), "");
  EXPECT_EQ(mistake_in("serve warm --quiet=yes"), "--quiet=yes: takes no value; write --quiet");
}

TEST(Usage, OptionsAreGivenOnceUnlessTheyRepeat) {
  EXPECT_EQ(mistake_in("bake rye --out o --heat 1 --heat 2"), "--heat: is given twice; give it once");
  EXPECT_EQ(mistake_in("serve warm -q --quiet"), "--quiet: is given twice; give it once");
  EXPECT_EQ(mistake_in("bake rye --out o --seed 1 --seed 2"), "");
}

TEST(Usage, OptionsThatExcludeEachOtherAreNamedTogether) {
  EXPECT_EQ(mistake_in("bake --diff a b --out o rye"), "--diff: cannot stand beside MODEL; leave one of them out");
  EXPECT_EQ(mistake_in("bake --diff a b --out o --heat 3"),
            "--diff: cannot stand beside --heat; leave one of them out");
}

TEST(Usage, ArgumentsTooManyAreTold) {
  EXPECT_EQ(mistake_in("bake rye spelt --out o"),
            "spelt: is one argument too many: MODEL is rye already; leave one of them out");
  EXPECT_EQ(mistake_in("bake rye heat 3 --out o"), "heat: is not expected here; did you mean --heat?");
  EXPECT_EQ(mistake_in("serve warm rye"), "rye: detent serve warm takes options only; leave it out");
  EXPECT_EQ(mistake_in("bake rye '' --out o"),
            "'': is one argument too many: MODEL is rye already; leave one of them out");
}

TEST(Usage, WhatIsRequiredAndMissingIsNamedWithTheUsage) {
  EXPECT_EQ(mistake_in("bake --out o"), "bake: MODEL is missing; write detent bake MODEL --out DIR [options]");
  EXPECT_EQ(mistake_in("bake rye"), "bake: --out is missing; write detent bake MODEL --out DIR [options]");
  EXPECT_EQ(mistake_in("bake"), "bake: MODEL and --out are missing; write detent bake MODEL --out DIR [options]");
  EXPECT_EQ(mistake_in("bake rye -- --out"),
            "--out: is one argument too many: MODEL is rye already; leave one of them out");
}

TEST(Usage, LongWordsAreShownByTheirBegin) {
  const std::string word(70, 'x');
  EXPECT_EQ(mistake_in("serve warm " + word),
            std::string(60, 'x') + "...: detent serve warm takes options only; leave it out");
}

TEST(Usage, TheCommandOfALineIsItsLongestName) {
  const auto command = [](const std::vector<std::string>& words) { return command_of(bakery_pages(), words); };
  EXPECT_EQ(command({"serve", "warm", "-q"}), "serve warm");
  EXPECT_EQ(command({"serve", "tepid"}), "serve");
  EXPECT_EQ(command({"bake", "serve"}), "bake");
  EXPECT_EQ(command({"-q", "bake"}), "");
  EXPECT_EQ(command({"", "bake"}), "");
  EXPECT_EQ(command({}), "");
}

}  // namespace
}  // namespace detent::app
