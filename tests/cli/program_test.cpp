#include "cli/program.hpp"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "app/manual/arrange.hpp"
#include "app/manual/outputs.hpp"
#include "app/manual/page.hpp"

namespace detent::cli {
namespace {

using Words = std::vector<std::string>;

Words words_of(const std::string& line) {
  std::istringstream stream(line);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// What the program says of the line; "" where it can be read.
std::string refusal_of(const std::string& line) {
  const Words words = words_of(line);
  Action action;
  const auto parser = make_parser(action, words.empty() ? "" : words.front());
  const Words arranged = app::arrange_words(pages_of(*parser), words);
  Words reversed(arranged.rbegin(), arranged.rend());
  try {
    parser->parse(reversed);
  } catch (const CLI::ParseError& error) {
    return explain(error, words);
  }
  return action ? "" : "no action";
}

/// The part of an example that is a line of detent: before a pipe, within <( ).
std::string detent_part(std::string example) {
  const std::size_t begin = example.find("detent ");
  if (begin == std::string::npos) return "";
  example = example.substr(begin + 7);
  return example.substr(0, example.find_first_of("|)>"));
}

TEST(Program, EveryExampleOfEveryPageCanBeRead) {
  std::size_t count = 0;
  for (const app::ManualPage& page : manual_pages()) {
    EXPECT_FALSE(page.examples.empty()) << page.name << " has no examples";
    for (const std::string& example : page.examples) {
      const std::string line = detent_part(example);
      EXPECT_NE(line, "") << example;
      EXPECT_EQ(refusal_of(line), "") << example;
      ++count;
    }
  }
  EXPECT_GE(count, 40U);
}

TEST(Program, ExamplesOfAPageAreOfItsCommand) {
  for (const app::ManualPage& page : manual_pages()) {
    const auto is_own = [&](const std::string& example) {
      return example.find("detent " + page.name) != std::string::npos;
    };
    EXPECT_TRUE(std::ranges::any_of(page.examples, is_own)) << page.name;
  }
}

TEST(Program, EveryOptionThatNamesAFileIsLookedAtBeforeTheWorkBegins) {
  std::size_t files = 0;
  for (const app::ManualPage& page : manual_pages()) {
    for (const app::ManualOption& option : page.options) {
      const std::string& value = option.value;
      if (value.find("FILE") == std::string::npos && value.find("DIR") == std::string::npos) continue;
      ++files;
      EXPECT_TRUE(app::names_files(option.name())) << page.name << " " << option.name();
    }
  }
  EXPECT_GT(files, 40U);
}

TEST(Program, OptionsOfAGroupStandSideBySide) {
  for (const app::ManualPage& page : manual_pages()) {
    std::vector<std::string> headings;
    for (const app::ManualOption& option : page.options) {
      if (headings.empty() || headings.back() != option.group) headings.push_back(option.group);
    }
    std::ranges::sort(headings);
    EXPECT_EQ(std::ranges::adjacent_find(headings), headings.end()) << page.name;
  }
}

TEST(Program, OneShortOptionMeansOneThing) {
  std::map<std::string, std::string> meaning;
  for (const app::ManualPage& page : manual_pages()) {
    for (const app::ManualOption& option : page.options) {
      for (const std::string& name : option.names) {
        if (name.size() != 2 || name[0] != '-') continue;
        const auto [known, is_new] = meaning.try_emplace(name, option.name());
        EXPECT_EQ(known->second, option.name()) << name << " of detent " << page.name;
      }
    }
  }
}

TEST(Program, WhatTheParserRefusesIsToldInOurWords) {
  EXPECT_EQ(refusal_of("simulate diamond --runs 1x"), "--runs 1x: must be a whole number, 1 or more");
  EXPECT_EQ(refusal_of("check diamond --out o --level ops"),
            "--level: detent check has no such option; it belongs to detent explore");
  EXPECT_EQ(refusal_of("report --diff a"), "--diff a: AFTER is missing; write --diff BEFORE AFTER");
  EXPECT_EQ(refusal_of("report --diff a --quiet"), "--diff a: AFTER is missing; write --diff BEFORE AFTER");
  EXPECT_EQ(refusal_of("report --diff"), "--diff: its value is missing; write --diff BEFORE AFTER");
  EXPECT_EQ(refusal_of("report --diff a b"), "");
  EXPECT_EQ(refusal_of("report --diff a b c"), "--diff: cannot stand beside DIR; leave one of them out");
  EXPECT_EQ(refusal_of("explore diamond --deadline 0.5ps"),
            "--deadline 0.5ps: is not a whole number of picoseconds; write a time such as 5ms, 250us, 1.5s or 900ps "
            "(bare numbers are picoseconds)");
  EXPECT_EQ(refusal_of("explore diamond --deadline soon"),
            "--deadline soon: must be a time such as 5ms, 250us, 1.5s or 900ps (bare numbers are picoseconds)");
}

TEST(Program, WhatNobodyForesawIsToldAllTheSame) {
  const Words words = {"list", "models"};
  EXPECT_EQ(explain(CLI::ParseError("Could not convert: --runs = 1x", 1), words),
            "--runs 1x: is not a number that this option can take; see detent help");
  EXPECT_EQ(explain(CLI::ParseError("something else", 1), words), "the command line cannot be read; see detent help");
}

TEST(Program, HelpIsOfTheCommandThatTheLineBeginsWith) {
  EXPECT_EQ(help_for({"check", "--help"}).rfind("The main job", 0), 0U);
  EXPECT_NE(help_for({"import", "tvm", "--help"}).find("Usage: detent import tvm PATH"), std::string::npos);
  EXPECT_NE(help_for({"--help"}).find("Usage: detent COMMAND"), std::string::npos);
}

/// With DETENT_WRITE_GOLDEN in the environment it is written instead.
TEST(Program, EveryHelpPageIsWhatWasReadAndFoundGood) {
  ASSERT_EQ(::setenv("COLUMNS", "80", 1), 0);
  Action action;
  const auto parser = make_parser(action, "");
  std::string pages = help_for({"--help"});
  for (const CLI::App* command : parser->get_subcommands({})) {
    pages += "\n==== detent " + command->get_name() + "\n" + help_for({command->get_name(), "--help"});
  }
  const std::string file = std::string(DETENT_SOURCE_DIR) + "/tests/cli/golden/help_pages.txt";
  if (std::getenv("DETENT_WRITE_GOLDEN") != nullptr) std::ofstream(file) << pages;
  std::ostringstream written;
  written << std::ifstream(file).rdbuf();
  EXPECT_EQ(pages, written.str());
}

TEST(Program, AParserOfOneCommandKnowsTheSameOptions) {
  Action action;
  const auto whole = make_parser(action, "");
  for (const CLI::App* command : whole->get_subcommands({})) {
    const auto one = make_parser(action, command->get_name());
    EXPECT_EQ(one->get_subcommands({}).size(), 1U);
    EXPECT_EQ(one->get_subcommand(command->get_name())->get_options().size(), command->get_options().size());
  }
}

}  // namespace
}  // namespace detent::cli
