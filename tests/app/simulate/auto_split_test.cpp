#include "app/simulate/auto_split.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/runs/native_run.hpp"
#include "models/files/package.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

ModelOptions settled(const std::string& model, std::uint32_t workers, ModelOptions options = {.split = kAutoSplit}) {
  settle_split(model, typical_host(workers), workers, options);
  return options;
}

TEST(AutoSplit, ANumberThatIsGivenStays) {
  const ModelOptions options = settled("yolov8n:160", 2, {.split = 5});
  EXPECT_EQ(options.split, 5U);
  EXPECT_EQ(options.split_note, "");
}

TEST(AutoSplit, HeavyOpsAreSplitForSeveralWorkers) {
  const ModelOptions two = settled("yolov8n:320", 2), four = settled("yolov8n:320", 4);
  EXPECT_EQ(two.split, 2U);
  EXPECT_GT(four.split, 2U) << "two bands leave two workers idle";
  EXPECT_EQ(two.split_note.rfind("--split auto: 2, foreseen to take 0.", 0), 0U) << two.split_note;
  EXPECT_EQ(load("yolov8n:320", two).settings, two.split_note);
}

TEST(AutoSplit, TwiceTheWorkspaceWeighsAsMuchAsFivePercentOfTheTime) {
  const SplitTrial whole{1, 1'000, 1'000};
  EXPECT_EQ(cheapest_split({whole}), 0U);
  EXPECT_EQ(cheapest_split({whole, {2, 930, 1'000}, {3, 930, 500}}), 2U) << "as fast, and half the workspace";
  EXPECT_EQ(cheapest_split({whole, {2, 920, 2'000}}), 1U) << "966 of 1,000";
  EXPECT_EQ(cheapest_split({whole, {2, 940, 2'000}}), 0U) << "987 of 1,000 are not worth it";
  EXPECT_EQ(cheapest_split({whole, {2, 940, 1'000}}), 1U);
  EXPECT_EQ(cheapest_split({whole, {2, 600, 1'000}, {3, 590, 1'000}, {4, 580, 1'000}}), 3U)
      << "4 bands save 2 % of what 2 take, 3 do not";
  EXPECT_EQ(cheapest_split({{1, 1'000, 0}, {2, 600, 0}}), 1U) << "a network without a workspace";
}

TEST(AutoSplit, AsManyBandsAsWorkersWhereMoreSaveLittle) { EXPECT_EQ(settled("yolov8n:320", 3).split, 3U); }

TEST(AutoSplit, NothingIsSplitWhereThereIsNothingToChoose) {
  TemporaryDirectory place;
  const std::string package = place.file("m.pkg");
  models::write_package(load("yolov8n:320", {.weights = false}).model, package);
  ModelOptions of_ops{.split = kAutoSplit,
                      .set = place.write("ops.toml", "schema = \"detent.set/1\"\n[ops]\n\"*\" = { priority = 1 }\n")};
  for (const ModelOptions& options : {settled("yolov8n:320", 1), settled("chain:100", 4), settled("cascade", 4),
                                      settled(package, 4), settled("yolov8n:320", 4, of_ops)}) {
    EXPECT_EQ(options.split, 1U);
    EXPECT_EQ(options.split_note, "");
  }
}

TEST(AutoSplit, MoreBandsThatSaveNothingAreNotTaken) {
  const ModelOptions options = settled("yolov8n:64", 2);
  EXPECT_EQ(options.split, 1U);
  EXPECT_EQ(options.split_note, "");
}

TEST(AutoSplit, KernelsThatAreNotThereAreTakenForGranted) {
  TemporaryDirectory place;
  const std::string package = place.file("own.pkg");
  models::Model model = models::build_zoo_model("yolov8n:320");
  std::ranges::find(model.ops, "softmax_f32", &models::Op::kernel)->kernel = "own_softmax";
  models::write_package(model, package);
  EXPECT_EQ(settled(package, 2).split, settled("yolov8n:320", 2).split);
}

TEST(AutoSplit, TheOutputIsThatOfTheWholeOps) {
  RunRequest whole;
  whole.request.model = "yolov8n:160";
  whole.schedule.engine.workers = 2;
  RunRequest split = whole;
  split.model = settled("yolov8n:160", 2);
  ASSERT_GT(split.model.split, 1U);
  EXPECT_EQ(run_once(split).json["digest"], run_once(whole).json["digest"]);
}

TEST(AutoSplit, ARunWhoseOptionsNameOpsByIdHasThoseOfTheModel) {
  RunRequest plain;
  plain.request.model = "yolov8n:160";
  plain.model.split = kAutoSplit;
  plain.schedule.engine.workers = 2;
  RunRequest late = plain, ordered = plain, together = plain, given = plain;
  late.faults.values.front().emplace_back("5");
  ordered.schedule.order_file = "order.txt";
  given.model.split = 3;
  given.faults = late.faults;
  for (RunRequest* request : {&plain, &late, &ordered, &given}) settle_split(*request, false);
  settle_split(together, true);
  EXPECT_GT(plain.model.split, 1U);
  EXPECT_EQ(late.model.split, 1U);
  EXPECT_EQ(ordered.model.split, 1U);
  EXPECT_EQ(together.model.split, 1U);
  EXPECT_EQ(given.model.split, 3U);
}

TEST(AutoSplit, OneCoreOfAPlatformIsLeftAlone) {
  ModelOptions options{.split = kAutoSplit};
  settle_split("yolov8n:320", typical_host(4), 1, options);
  EXPECT_EQ(options.split, 1U);
  options.split = kAutoSplit;
  settle_split("yolov8n:320", typical_host(4), 0, options);
  EXPECT_GT(options.split, 1U) << "a worker for each core";
}

}  // namespace
}  // namespace detent::app
