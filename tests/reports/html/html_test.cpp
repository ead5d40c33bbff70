#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/units.hpp"
#include "reports/html/glossary.hpp"
#include "reports/html/parts.hpp"
#include "reports/text/report_text.hpp"
#include "reports/view/page_data.hpp"
#include "tests/reports/samples/machine.hpp"
#include "tests/reports/samples/sample.hpp"

namespace detent::reports {
namespace {

std::size_t count_of_text(const std::string& page, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1)) ++count;
  return count;
}

bool holds(const std::string& page, const std::string& text) { return page.find(text) != std::string::npos; }

/// The JSON between the script tags of the page.
Json data_of(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(open) + open.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

ReportData times_of(std::uint64_t max_ps, std::uint64_t bound_ps) {
  ReportData data;
  data.sim_runs = 2;
  data.min_ps = data.median_ps = max_ps / 2;
  data.p99_ps = data.max_ps = max_ps;
  data.makespans_ps = {max_ps / 2, max_ps};
  data.bounds = {{"graham", bound_ps, true, false, ""}};
  data.op_times.grounds = {{"given", false, 2, 100, ""}};
  data.op_times.jitter = "uniform:0.1";
  return data;
}

/// The same where one op has its time from `source`.
ReportData times_from(const std::string& source) {
  ReportData data = times_of(100, 200);
  data.op_times.grounds.push_back({source, source == "assumed", 1, 50, "because"});
  return data;
}

TEST(ReportHtml, PageIsOneFileThatFetchesNothing) {
  const std::string page = report_html(samples::detector().data);
  EXPECT_TRUE(holds(page, "default-src 'none'"));
  for (const char* reference :
       {"http://", "https://", "src=", "url(", "@import", "<link", "<img", "<iframe", "fetch("}) {
    EXPECT_FALSE(holds(page, reference)) << reference;
  }
}

TEST(ReportHtml, AnswersTheThreeQuestionsInPlainWords) {
  const samples::Sample sample = samples::detector();
  const std::vector<Answer> answers = answers_of(sample.data);
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[0].answer, "Yes");
  EXPECT_EQ(answers[1].answer, "No");
  EXPECT_EQ(answers[2].answer, "At most " + format_duration_up(tightest_bound(sample.data)->bound_ps));
  EXPECT_EQ(answers[2].detail.find("if no op exceeds its worst time. Op times: 106 given"), 0U) << answers[2].detail;
  const std::string page = report_html(sample.data);
  for (const Answer& answer : answers) EXPECT_TRUE(holds(page, answer.question));
  EXPECT_TRUE(holds(page, "simulated estimate (optimistic)"));
  EXPECT_TRUE(holds(page, "bound under these assumptions"));
}

TEST(ReportHtml, ABoundIsGoodNewsFromEverySourceOfOpTimesButAssumptions) {
  for (const char* source : {"measured", "modelled"}) {
    const Answer answer = answers_of(times_from(source))[2];
    EXPECT_EQ(answer.outcome, verify::Outcome::kHolds) << source;
    EXPECT_EQ(answer.answer, "At most 200 ps");
    EXPECT_NE(answer.detail.find("1 " + std::string(source) + " (33 % of the time; because)"), std::string::npos)
        << answer.detail;
  }
  const Answer answer = answers_of(times_from("assumed"))[2];
  EXPECT_EQ(answer.outcome, verify::Outcome::kUnknown);
  EXPECT_EQ(answer.answer, "At most 200 ps, on assumed op times");
  EXPECT_EQ(answer.detail,
            "if no op exceeds its worst time. Op times: 2 given (67 % of the time), 1 assumed (33 % of "
            "the time; because).");
  const std::string page = report_html(times_from("assumed"));
  EXPECT_TRUE(holds(page, "relation open")) << "not green";
  EXPECT_FALSE(holds(page, "relation ok"));
  EXPECT_TRUE(holds(page, "answer open\"><h2>How long can it take?"));
}

TEST(ReportHtml, OnAssumedBytesNeitherQuestionAboutSchedulesIsGreen) {
  ReportData data = times_from("measured");
  data.verdicts = {{verify::Property::kDeterminism, verify::Outcome::kHolds, "one digest", {}},
                   {verify::Property::kBufferRaces, verify::Outcome::kHolds, "no pair", {}}};
  EXPECT_EQ(answers_of(data)[0].answer, "Yes");
  EXPECT_EQ(answers_of(data)[1].answer, "No");
  EXPECT_TRUE(holds(report_html(data), badge_html(verify::Outcome::kHolds, "holds")));
  for (verify::Verdict& verdict : data.verdicts) verdict.assumes = "op 1 (f) touches <nothing> else";
  const std::vector<Answer> answers = answers_of(data);
  EXPECT_EQ(answers[0].answer + ": " + answers[0].detail,
            "Yes, on assumed bytes: If op 1 (f) touches <nothing> else: one digest");
  EXPECT_EQ(answers[1].answer + ": " + answers[1].detail,
            "No, on assumed bytes: If op 1 (f) touches <nothing> else: no pair");
  EXPECT_EQ(answers[0].outcome, verify::Outcome::kUnknown);
  EXPECT_EQ(answers[1].outcome, verify::Outcome::kUnknown);
  const std::string page = report_html(data);
  EXPECT_TRUE(holds(page, badge_html(verify::Outcome::kUnknown, "assumed")));
  EXPECT_FALSE(holds(page, badge_html(verify::Outcome::kHolds, "holds")));
  EXPECT_FALSE(holds(page, badge_html(verify::Outcome::kHolds, "assumed")));
  EXPECT_TRUE(holds(page, "<p class=\"note\">If op 1 (f) touches &lt;nothing&gt; else.</p>"));
  EXPECT_TRUE(holds(page, "answer open\"><h2>Is the output the same"));
  EXPECT_TRUE(holds(page, "answer open\"><h2>Can a buffer be corrupted?"));
}

TEST(ReportHtml, ADeadlineIsTheFourthQuestionAndNoGoodNewsOnAssumedTimes) {
  ReportData data = times_from("measured");
  data.deadline = Deadline{.deadline_ps = 5'000'000};
  EXPECT_EQ(answers_of(data).at(3).detail, "Not checked.");
  const auto answer_of = [&](verify::Outcome outcome, bool is_assumed) {
    data.deadline->are_times_assumed = is_assumed;
    data.verdicts = {{verify::Property::kDeadline, outcome, "why", {}}};
    return answers_of(data).at(3);
  };
  const Answer met = answer_of(verify::Outcome::kHolds, false);
  EXPECT_EQ(met.question, "Does every run end within 5.000 \xC2\xB5s?");
  EXPECT_EQ(met.answer + " " + met.detail, "Yes why");
  EXPECT_EQ(met.outcome, verify::Outcome::kHolds);
  EXPECT_TRUE(holds(report_html(data), "class=\"answers four\""));
  EXPECT_EQ(answer_of(verify::Outcome::kUnknown, false).answer, "Not known");
  EXPECT_EQ(answer_of(verify::Outcome::kViolated, true).answer, "No, on assumed op times");
  EXPECT_EQ(answer_of(verify::Outcome::kViolated, true).outcome, verify::Outcome::kViolated);
  EXPECT_EQ(answer_of(verify::Outcome::kHolds, true).answer, "Yes, on assumed op times");
  EXPECT_EQ(answer_of(verify::Outcome::kHolds, true).outcome, verify::Outcome::kUnknown) << "not green";
}

TEST(ReportHtml, WithoutAWordOnOpTimesABoundIsNoGoodNews) {
  ReportData data = times_of(100, 200);
  data.op_times.grounds.clear();
  EXPECT_EQ(answers_of(data)[2].outcome, verify::Outcome::kUnknown);
  EXPECT_NE(answers_of(data)[2].detail.find("Where op times come from is not known."), std::string::npos);
}

TEST(ReportHtml, UpperBoundsAreRoundedUp) {
  EXPECT_EQ(answers_of(times_of(100, 1'234'567))[2].answer, "At most 1.235 \xC2\xB5s");
  EXPECT_EQ(answers_of(times_of(100, 1'234'001))[2].answer, "At most 1.235 \xC2\xB5s");
  EXPECT_EQ(answers_of(times_of(100, 1'234'000))[2].answer, "At most 1.234 \xC2\xB5s");
  EXPECT_EQ(round_up(UINT64_MAX, 3), UINT64_MAX);
  EXPECT_EQ(round_up(0, 3), 0U);
  EXPECT_EQ(round_up(9991, 3), 10'000U);
}

TEST(ReportHtml, LongestRunBelowTheCriticalPathIsSaidWithTheReason) {
  ReportData data = times_of(100, 200);
  EXPECT_EQ(below_lower_bound(data), "") << "no critical path";
  data.bounds.push_back({"critical_path", 100, false, false, ""});
  EXPECT_EQ(below_lower_bound(data), "");
  data.bounds.back().bound_ps = 101;
  const std::string text = below_lower_bound(data);
  EXPECT_NE(text.find("draw op times between best and worst (jitter uniform:0.1)"), std::string::npos) << text;
  EXPECT_TRUE(holds(report_html(data), "is below the critical path"));
  data.bounds.push_back({"work_per_core", 150, false, false, ""});
  EXPECT_NE(below_lower_bound(data).find("is below work per core, which"), std::string::npos) << "the higher one";
  data.op_times.draws_worst_only = true;
  EXPECT_NE(below_lower_bound(data).find("that cannot be"), std::string::npos);
}

TEST(ReportHtml, RowsOfTheCostTableThatNothingReadsAreCountedAndNamed) {
  ReportData data = times_of(100, 200);
  data.op_times.unused_rows = {"a", "b", "c", "d", "e", "f"};
  data.op_times.unused_why = "why";
  EXPECT_EQ(unused_rows_text(data.op_times), "6 rows of the cost table are not used (a, b, c, d, e and 1 more): why");
  EXPECT_TRUE(holds(report_html(data), "6 rows of the cost table are not used"));
}

TEST(ReportHtml, SectionsComeInTheOrderInWhichTheyAreAsked) {
  samples::Sample sample = samples::chip();
  sample.data.schedules.note = "n";
  sample.data.schedules.engine = {.search = "s", .mode = "closed-loop", .workers = 2, .programs = {}};
  const std::string page = report_html(sample.data);
  std::size_t last = 0;
  for (const char* id :
       {"class=\"answers\"", "id=\"time\"", "id=\"timeline\"", "id=\"verdicts\"", "id=\"accounts\"", "id=\"memory\"",
        "id=\"graph\"", "id=\"schedules\"", "id=\"assumptions\"", "id=\"glossary\"", "id=\"engine\""}) {
    const std::size_t at = page.find(id);
    ASSERT_NE(at, std::string::npos) << id;
    EXPECT_GT(at, last) << id;
    last = at;
  }
  EXPECT_TRUE(holds(page, "id=\"engine\"><details><summary>")) << "folded";
}

TEST(ReportHtml, EveryTermOnThePageIsInItsGlossary) {
  const std::string page = report_html(samples::racy_detector().data);
  std::size_t terms = 0;
  const std::string link = "href=\"#term-";
  for (std::size_t at = page.find(link); at != std::string::npos; at = page.find(link, at + 1), ++terms) {
    const std::size_t begin = at + link.size();
    const std::string id = page.substr(begin, page.find('"', begin) - begin);
    EXPECT_TRUE(holds(page, "<div id=\"term-" + id + "\">")) << id;
    EXPECT_EQ(page.compare(page.find('"', begin), 9, "\" title=\""), 0) << "no hint: " << id;
  }
  EXPECT_GT(terms, 10U);
}

TEST(ReportHtml, ASentenceOfARaceStandsOnce) {
  samples::Sample sample = samples::racy_detector();
  const std::string text = "op 1 and op 2 meet in a dark alley";
  sample.data.verdicts = {
      {verify::Property::kDeterminism, verify::Outcome::kViolated, "1 racing pair", {{text, {1, 2}, {}}}},
      {verify::Property::kBufferRaces, verify::Outcome::kViolated, "1 racing pair", {{text, {1, 2}, {}}}}};
  std::string page = report_html(sample.data);
  page = page.substr(page.find("id=\"verdicts\""));
  EXPECT_EQ(count_of_text(page, text), 1U);
}

TEST(ReportHtml, NamesBreakBehindTheirPunctuationOnly) {
  EXPECT_EQ(name_html("fused_nn.conv2d"), "fused_<wbr>nn.<wbr>conv2d");
  EXPECT_EQ(name_html("a<b>_"), "a&lt;b&gt;_");
  EXPECT_EQ(name_html(""), "");
}

TEST(ReportHtml, WithoutScriptTimelineAndMemoryAreDrawn) {
  const samples::Sample sample = samples::detector();
  const std::string page = report_html(sample.data);
  const std::size_t begin = page.find("<noscript><div class=\"still\">");
  ASSERT_NE(begin, std::string::npos);
  const std::string still = page.substr(begin, page.find("</noscript>", begin) - begin);
  EXPECT_EQ(count_of_text(still, "<rect class=\"f"), sample.data.timelines[0].trace.spans.size() * 2);
  EXPECT_TRUE(holds(still, "<title>stem.conv0, "));
  EXPECT_TRUE(holds(page, "<svg class=\"map\""));
}

TEST(PageData, SpansThatAreTooShortAreDenseAndNotIdle) {
  const samples::Sample sample = samples::large(50, 2000);
  const Json page = page_data(sample.data, {.spans = 100});
  std::uint64_t spans = 0, dense = 0, busy = 0, whole = 0;
  for (const Json& lane : page["timelines"][0]["lanes"]) {
    spans += lane["spans"].size() / 3;
    for (std::size_t i = 2; i < lane["spans"].size(); i += 3) busy += lane["spans"][i].get<std::uint64_t>();
    for (std::size_t i = 0; i < lane["dense"].size(); i += 4) {
      dense += lane["dense"][i + 2].get<std::uint64_t>();
      busy += lane["dense"][i + 3].get<std::uint64_t>();
    }
  }
  for (const harness::Span& span : sample.data.timelines[0].trace.spans) whole += span.end_ps - span.begin_ps;
  EXPECT_LE(spans, 100U);
  EXPECT_EQ(spans + dense, 2000U) << "every span is drawn or counted";
  EXPECT_EQ(busy, whole);
}

TEST(PageData, NativeRunsAndLostRecordsAreMarked) {
  samples::Sample sample = samples::detector();
  sample.data.timelines[1].is_native = true;
  sample.data.timelines[1].trace.dropped = 3;
  const Json page = page_data(sample.data);
  EXPECT_EQ(page["timelines"][0]["native"], false);
  EXPECT_EQ(page["timelines"][1]["native"], true);
  EXPECT_EQ(page["timelines"][1]["lost"], 3);
}

TEST(ReportHtml, ARaceTurnsTheSecondAnswer) {
  const samples::Sample sample = samples::racy_detector();
  const std::vector<Answer> answers = answers_of(sample.data);
  EXPECT_EQ(answers[0].answer, "No");
  EXPECT_EQ(answers[1].answer, "Yes");
  EXPECT_EQ(answers[1].outcome, verify::Outcome::kViolated);
  const std::string page = report_html(sample.data);
  EXPECT_TRUE(holds(page, "What leads to A"));
  EXPECT_TRUE(holds(page, "<tr class=\"clash\">"));
  EXPECT_TRUE(holds(page, "315 more are in report.json")) << "355 witnesses, 40 shown";
}

TEST(ReportHtml, ATableOfSharedBytesHasTwelveRows) {
  for (const std::uint32_t shared : {11U, 12U, 13U}) {
    samples::Tables t;
    t.add_region("ws", DETENT_REGION_WORKSPACE, 64);
    std::vector<std::uint32_t> tensors;
    for (std::uint32_t i = 0; i < shared; ++i) tensors.push_back(t.add_tensor("t", 0, i, 1));
    for (const char* name : {"a", "b"}) t.add_op(name, "k", {}, tensors);
    ReportData data;
    data.desc = t.desc();
    data.verdicts = {{verify::Property::kBufferRaces, verify::Outcome::kViolated, "s", {{"w", {0, 1}, {}}}}};
    const std::string page = report_html(data);
    EXPECT_EQ(count_of_text(page, "<span class=\"overlap\""), std::min(shared, 12U));
    EXPECT_EQ(holds(page, "Further shared ranges are in report.json."), shared >= 12);
  }
}

TEST(ReportHtml, UncheckedQuestionsAreAnsweredNotKnown) {
  for (const Answer& answer : answers_of(samples::empty().data)) EXPECT_EQ(answer.answer, "Not known");
  ReportData data;
  data.verdicts = {{verify::Property::kBufferRaces, verify::Outcome::kHolds, "ok", {}},
                   {verify::Property::kMemoryPlan, verify::Outcome::kUnknown, "limit reached", {}}};
  EXPECT_EQ(answers_of(data)[1].answer, "Not known");
  EXPECT_EQ(answers_of(data)[1].detail, "limit reached");
}

TEST(ReportHtml, ObservationAboveTheBoundIsAViolation) {
  const std::string good = report_html(times_of(100, 100));
  EXPECT_TRUE(holds(good, "relation ok"));
  const ReportData bad = times_of(101, 100);
  EXPECT_EQ(answers_of(bad)[2].outcome, verify::Outcome::kViolated);
  EXPECT_TRUE(holds(report_html(bad), "Observed exceeds the bound"));
}

TEST(ReportHtml, WithoutABoundTheAnswerIsAnEstimateAndUnknown) {
  ReportData data = times_of(100, 100);
  data.bounds.clear();
  EXPECT_EQ(answers_of(data)[2].answer, "Up to 100 ps seen");
  EXPECT_EQ(answers_of(data)[2].outcome, verify::Outcome::kUnknown);
}

TEST(ReportHtml, TheTightestUpperBoundCounts) {
  ReportData data = times_of(10, 50);
  data.bounds.push_back({"typed", 40, true, false, ""});
  data.bounds.push_back({"critical_path", 5, false, false, ""});
  EXPECT_EQ(tightest_bound(data)->name, "typed");
}

TEST(ReportHtml, HistogramShowsEveryRunOnce) {
  const samples::Sample sample = samples::detector();
  const std::string page = report_html(sample.data);
  EXPECT_EQ(count_of_text(page, "<b style=\"height:"), 29U) << "twice the root of 200 runs";
  for (const char* mark : {"mark median", "mark p99", "mark longest"}) EXPECT_TRUE(holds(page, mark));
  EXPECT_TRUE(holds(page, "The bound lies to the right of this axis"));
}

TEST(ReportHtml, ABoundAmongTheRunsIsSaidToLieThere) {
  samples::Sample sample = samples::detector();
  for (auto& bound : sample.data.bounds) bound.bound_ps = sample.data.makespans_ps.front();
  const std::string page = report_html(sample.data);
  EXPECT_TRUE(holds(page, "The bound lies inside the observed range, at "));
  EXPECT_FALSE(holds(page, "right of this axis"));
}

TEST(ReportHtml, APercentileOfTooFewRunsIsNotShown) {
  samples::Sample sample = samples::detector();
  sample.data.percentiles = {{"median", 2'000'000, true, 1'900'000, 2'100'000'000, 6}, {"p99", 9, false, 0, 0, 368}};
  sample.data.search = LongRunSearch{.runs = 20, .all_worst_ps = 4'000'000, .longest_ps = 5'000'000, .shorter_ops = 1};
  sample.data.max_ps = sample.data.makespans_ps.front() * 10;
  const std::string page = report_html(sample.data);
  EXPECT_FALSE(holds(page, "mark p99"));
  EXPECT_FALSE(holds(page, "mark longest")) << "found by the search, to the right of what was drawn";
  EXPECT_TRUE(holds(page,
                    "median 2.00 µs (95 % CI 1.90 µs to 2.10 ms); p99 needs 368 runs; search of 20 runs: every op at "
                    "its worst time 4.00 µs, longest 5.00 µs (1 op takes less than its worst time)."));
  sample.data.search->shorter_ops = 2;
  EXPECT_TRUE(holds(report_html(sample.data), "(2 ops take less than their worst time)"));
  const Json json = Json::parse(report_json(sample.data))["simulated"];
  EXPECT_EQ(json["percentiles"][0]["ps"], 2'000'000);
  EXPECT_TRUE(json["percentiles"][1]["ps"].is_null());
  EXPECT_EQ(json["search"]["longest_ps"], 5'000'000);
}

TEST(ReportHtml, B14_HostileNamesNeverBecomeMarkup) {
  const samples::Sample sample = samples::hostile_names();
  const std::string page = report_html(sample.data);
  EXPECT_EQ(count_of_text(page, "</script"), 2U);
  EXPECT_EQ(count_of_text(page, "<script"), 2U);
  EXPECT_EQ(count_of_text(page.substr(0, page.find("<body")), "<title"), 1U) << "those of drawings are in the body";
  EXPECT_FALSE(holds(page, "<title><"));
  EXPECT_FALSE(holds(page, "<img"));
  EXPECT_FALSE(holds(page, "<b>"));
  EXPECT_TRUE(holds(page, "&lt;/script&gt;"));
  EXPECT_LT(page.size(), 200000U) << "a name of 1 MB is cut";
  EXPECT_EQ(data_of(page)["ops"]["name"][0], "</script><script>document.title='owned'</script>");
}

TEST(ReportHtml, EqualInputsGiveEqualBytes) {
  EXPECT_EQ(report_html(samples::detector().data), report_html(samples::detector().data));
}

TEST(ReportHtml, HostTimesAreNotOnThePage) {
  samples::Sample sample = samples::detector();
  const std::string page = report_html(sample.data);
  sample.data.native_ps += 12345;
  EXPECT_EQ(report_html(sample.data), page);
}

TEST(PageData, HoldsEverySpanOpEdgeAndBlock) {
  const samples::Sample sample = samples::detector();
  const Json page = page_data(sample.data);
  std::size_t spans = 0;
  for (const Json& lane : page["timelines"][0]["lanes"]) spans += lane["spans"].size() / 3;
  EXPECT_EQ(spans, sample.data.timelines[0].trace.spans.size());
  EXPECT_EQ(page["ops"]["name"].size(), sample.data.desc->op_count);
  std::size_t edges = 0;
  const Json& flat = page["graph"]["edges"];
  for (std::size_t i = 0; i < flat.size(); i += 3 + flat[i + 2].get<std::size_t>()) ++edges;
  EXPECT_EQ(edges, sample.data.desc->successor_count);
  EXPECT_EQ(page["memory"]["blocks"].size() / 8, sample.data.desc->tensor_count);
  EXPECT_TRUE(page["notes"].empty());
}

TEST(PageData, CapsAreKeptWithANoteEach) {
  const samples::Sample sample = samples::large(500, 3000);
  const Json page = page_data(sample.data, {.spans = 1000, .ops = 100, .edges = 50, .tensors = 60});
  std::size_t spans = 0;
  for (const Json& lane : page["timelines"][0]["lanes"]) spans += lane["spans"].size() / 3;
  EXPECT_LE(spans, 1000U);
  EXPECT_GT(spans, 900U);
  EXPECT_EQ(page["graph"]["layer"].size(), 100U);
  EXPECT_EQ(page["memory"]["blocks"].size() / 8, 60U);
  std::vector<std::string> sections;
  for (const Json& note : page["notes"]) sections.push_back(note["section"]);
  for (const char* section : {"timeline", "graph", "memory"}) {
    EXPECT_TRUE(std::count(sections.begin(), sections.end(), section)) << section;
  }
}

TEST(PageData, AReportOfTheLargestSizeStaysUnderEightMegabytes) {
  const samples::Sample sample = samples::large(20000, 100000);
  EXPECT_LT(report_html(sample.data).size(), 8000000U);
}

TEST(ReportHtml, AChipsPageSaysWhereTheTimeWent) {
  const samples::Sample sample = samples::chip();
  const std::string page = report_html(sample.data);
  EXPECT_TRUE(holds(page, "id=\"accounts\""));
  EXPECT_EQ(count_of_text(page, "<td class=\"stack\">"), 5U);
  for (const char* part : {"compute", "memory", "contention", "overhead", "load", "idle"}) {
    EXPECT_TRUE(holds(page, "<b class=\"" + std::string(part) + "\"")) << part;
  }
  const harness::Account& account = sample.data.timelines[0].machine.accounts[2];
  EXPECT_TRUE(holds(page, format_integer(account.compute_ps) + " ps"));
  EXPECT_TRUE(holds(page, format_integer(account.overhead_ps) + " ps"));
}

TEST(ReportHtml, AChipsPageChartsMemoryTrafficAndQueues) {
  const std::string page = report_html(samples::chip().data);
  EXPECT_TRUE(holds(page, "saturated at 8.0 GB/s"));
  EXPECT_TRUE(holds(page, "<h3>ready ops</h3>"));
  EXPECT_TRUE(holds(page, "<h3>npu0 queue</h3>"));
  EXPECT_EQ(count_of_text(page, "<path style=\"fill:var(--k"), 5U) << "a band per client";
  for (const char* reference : {"http://", "https://", "src=", "url(", "@import"}) {
    EXPECT_FALSE(holds(page, reference)) << reference;
  }
  EXPECT_EQ(page, report_html(samples::chip().data));
}

TEST(ReportHtml, WithoutAChipThereIsNeitherAccountNorChart) {
  const std::string page = report_html(samples::detector().data);
  EXPECT_FALSE(holds(page, "id=\"accounts\""));
  EXPECT_FALSE(holds(page, "id=\"memory-traffic\""));
}

TEST(ReportHtml, UncountedTrafficShowsNoBytes) {
  samples::Sample sample = samples::chip();
  EXPECT_TRUE(holds(report_html(sample.data), "DRAM moved</th>"));
  TimelineRun& run = sample.data.timelines[0];
  run.machine.counters.clear();
  run.machine.samples.clear();
  const std::string page = report_html(sample.data);
  EXPECT_FALSE(holds(page, "DRAM moved"));
  EXPECT_TRUE(holds(page, "the bytes moved are not counted"));
  EXPECT_FALSE(holds(page, "<h3>DRAM bandwidth</h3>"));
  EXPECT_TRUE(holds(page, "<h2>Queues</h2>"));
  run.trace.events.clear();
  EXPECT_FALSE(holds(report_html(sample.data), "id=\"memory-traffic\"")) << "nothing to draw";
}

TEST(ReportHtml, ChartsGroupManyClientsAndQueues) {
  samples::Sample sample = samples::chip();
  TimelineRun& run = sample.data.timelines[0];
  run.machine.counters.clear();
  run.machine.samples.clear();
  for (std::uint32_t i = 0; i < 20; ++i) {
    run.machine.counters.push_back({"dram cpu" + std::to_string(i), "B/s"});
    run.machine.counters.push_back({"queue <" + std::to_string(i) + ">", "entries"});
    run.machine.samples.push_back({2 * i, 0, 1000 * i});
    run.machine.samples.push_back({2 * i + 1, 0, i % 2});
  }
  sample.data.dram_bytes_per_s = 0;
  const std::string page = report_html(sample.data);
  EXPECT_TRUE(holds(page, "14 others"));
  EXPECT_TRUE(holds(page, "15 further queues in trace.pftrace"));
  EXPECT_TRUE(holds(page, "<h3>ready ops</h3>")) << "of the engine's log, before all others";
  EXPECT_TRUE(holds(page, "<h3>queue &lt;0&gt;</h3>"));
  EXPECT_FALSE(holds(page, "saturated at"));
}

TEST(PageData, LanesOfAChipHoldEveryUseOfItsParts) {
  const samples::Sample sample = samples::chip();
  const TimelineRun& run = sample.data.timelines[0];
  const Json timeline = page_data(sample.data)["timelines"][0];
  std::map<std::int64_t, std::size_t> drawn, uses;
  std::size_t transfers = 0;
  for (const Json& lane : timeline["lanes"]) {
    EXPECT_NE(lane["name"], "dram");
    for (std::size_t i = 0; i < lane["spans"].size(); i += 3) {
      const auto what = lane["spans"][i].get<std::int64_t>();
      ++drawn[what < 0 ? what : 0];
      transfers += lane["dma"].get<bool>() ? 1U : 0U;
    }
  }
  std::size_t dma = 0;
  for (const harness::Use& use : run.machine.uses) {
    dma += use.kind == harness::UseKind::kTransfer ? 1U : 0U;
    if (use.kind == harness::UseKind::kOverhead)
      ++uses[-1];
    else if (use.kind == harness::UseKind::kLoad)
      ++uses[-2 - std::int64_t{use.load}];
    else
      ++uses[0];
  }
  EXPECT_EQ(drawn, uses);
  EXPECT_EQ(transfers, dma);
  EXPECT_EQ(timeline["loads"][1], "radar, interrupt");
}

}  // namespace
}  // namespace detent::reports
