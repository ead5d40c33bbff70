#include "app/replay/replay_worlds.hpp"

#include <gtest/gtest.h>

#include <set>

#include "app/replay/fault_options.hpp"
#include "app/replay/replay_source.hpp"
#include "app/runs/native_run.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

ReplayOutcome replayed(const ReplayLine& line) {
  const sim::Platform platform = line.on == "sim" ? platform_of(line) : sim::Platform{};
  return replay_in_world(line, load_for(line, platform), platform, {});
}

TEST(ReplayWorlds, ANativeLineGivesItsDigestAgain) {
  RunRequest request;
  request.request.model = "diamond";
  request.schedule.engine.workers = 2;
  const ReplayLine line = parse_replay_line(run_once(request).json["replay"].get<std::string>());
  const ReplayOutcome outcome = replayed(line);
  EXPECT_EQ(outcome.digest, line.digest);
  EXPECT_EQ(outcome, replayed(line));
  EXPECT_EQ(difference_to(line, outcome), "");
}

TEST(ReplayWorlds, ForeignDigestIsADifference) {
  ReplayLine line;
  line.model = "diamond";
  line.digest = "0123456789abcdef";
  const std::string difference = difference_to(line, replayed(line));
  EXPECT_NE(difference.find(line.digest), std::string::npos) << difference;
}

TEST(ReplayWorlds, ALineWithoutAScheduleIsNotExplored) {
  ReplayLine line;
  line.model = "diamond";
  line.on = "explore";
  EXPECT_EQ(refusal_of([&] { return replayed(line).status; }),
            "replay line: it has no order=, before= or choices=, so there is no schedule to repeat under the explorer "
            "or behind gates; lines of detent explore have one");
}

TEST(ReplayWorlds, UnknownModelsAndPlatformsAreRefused) {
  ReplayLine line;
  line.model = "nothing";
  EXPECT_NE(refusal_of([&] { return replayed(line).status; }), "");
  line.model = "diamond";
  line.on = "sim";
  line.platform = "nothing";
  line.jitter = "worst";
  EXPECT_NE(refusal_of([&] { return replayed(line).status; }), "");
}

TEST(ReplayKeys, AreUnique) {
  std::set<std::string> keys;
  for (const std::string& key : replay_keys()) EXPECT_TRUE(keys.insert(key).second) << key;
}

TEST(ReplayWords, EveryByteSurvives) {
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::string word = escape_word(all);
  EXPECT_EQ(word.find_first_of(" \t\n\r\v\f"), std::string::npos);
  EXPECT_EQ(unescape_word(word), all);
  for (const char* text : {"%", "%4", "%zz", "a%"}) EXPECT_EQ(unescape_word(text), text);
}

TEST(ReplayRanges, RoundTrip) {
  for (const std::vector<std::uint32_t>& numbers :
       std::vector<std::vector<std::uint32_t>>{{}, {0}, {0, 1, 2}, {1, 3, 4, 9}}) {
    EXPECT_EQ(parse_ranges(format_ranges(numbers)), numbers);
  }
  EXPECT_EQ(format_ranges({1, 3, 4, 9}), "1,3-4,9");
}

TEST(ReplaySources, FilesOfEveryKindAreRead) {
  const TemporaryDirectory place;
  const std::string text = "detent-replay/1 model=diamond workers=3";
  EXPECT_EQ(read_replay_source(place.write("line", text + "\n")).line.engine.workers, 3U);
  EXPECT_EQ(read_replay_source(place.write("answer", Json{{"replay", text}}.dump())).line.engine.workers, 3U);
  for (const char* content : {"", "{}", "{\"replay\":", "detent-failure/1\n", "detent-replay/1"}) {
    const std::string file = place.write("bad", content);
    EXPECT_NE(refusal_of([&] { return read_replay_source(file).line; }), "") << content;
  }
}

TEST(FaultOptions, InvalidValuesAreRefusedWithTheirOption) {
  for (std::size_t i = 0; i < harness::fault_keys().size(); ++i) {
    FaultOptions options;
    EXPECT_TRUE(parse_faults(options).empty());
    options.values[i] = {"moon!"};
    const std::string option = harness::fault_option(harness::fault_keys()[i]);
    EXPECT_EQ(refusal_of([&] { return parse_faults(options).empty(); }).rfind(option + " ", 0), 0U) << option;
  }
  EXPECT_EQ(faults_json({}), Json::object());
}

}  // namespace
}  // namespace detent::app
