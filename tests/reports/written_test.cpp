// Every writer, to the byte: samples and reports made up from seeds -> digests, compared with written.tsv.
//
// To take over what is written now, set DETENT_WRITE_GOLDEN. What has changed is seen by write_samples, before and
// after.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include "reports/text/failure_print.hpp"
#include "reports/text/report_text.hpp"
#include "reports/view/dag_layout.hpp"
#include "reports/view/memory_map.hpp"
#include "reports/view/page_data.hpp"
#include "tests/reports/samples/machine.hpp"
#include "tests/reports/samples/random_report.hpp"

namespace detent::reports {
namespace {

/// FNV-1a.
std::string digest_of(const std::string& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  std::ostringstream text;
  text << std::hex << hash;
  return text.str();
}

std::string without_assets(const std::string& page) {
  const std::size_t style = page.find("</style>"), script = page.rfind("<script>");
  return page.substr(0, page.find("<style>")) + page.substr(style, script - style);
}

/// Texts of tables may be no UTF-8; files have them cleaned.
std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string stories_text(const ReportData& data) {
  std::string text;
  for (const FailureStory& story : data.failures)
    text += story_tables_text(story) + dumped(story_json(story)) + dumped(story_tables_json(story));
  return text;
}

std::string small_layout(const ReportData& data) {
  std::ostringstream text;
  const DagLayout layout = layout_dag(data.desc, {.ops = 9, .edges = 12, .bends = 4});
  text << layout.layer_count << ' ' << layout.height << ' ' << layout.ops_left_out << ' ' << layout.edges_left_out;
  for (std::size_t op = 0; op < layout.layer.size(); ++op) text << ' ' << layout.layer[op] << ':' << layout.y[op];
  for (const LayoutEdge& edge : layout.edges) {
    text << ' ' << edge.from << '>' << edge.to;
    for (const std::int32_t bend : edge.bends) text << '/' << bend;
  }
  return text.str();
}

struct Writer {
  const char* name;
  std::function<std::string(const ReportData& data)> write;
};

const std::vector<Writer>& writers() {
  static const std::vector<Writer> kWriters = {
      {"report.html", [](const ReportData& data) { return without_assets(report_html(data)); }},
      {"report.json", report_json},
      {"trace.pftrace", [](const ReportData& data) { return perfetto_trace(data); }},
      {"trace.btf", [](const ReportData& data) { return btf_trace(data); }},
      {"findings.sarif", sarif_findings},
      {"stories", stories_text},
      {"cut page",
       [](const ReportData& data) {
         return dumped(page_data(data, {.spans = 9, .ops = 5, .edges = 4, .tensors = 3}));
       }},
      {"cut layout", small_layout},
      {"cut pftrace", [](const ReportData& data) { return perfetto_trace(data, 60); }},
      {"cut btf", [](const ReportData& data) { return btf_trace(data, 150); }}};
  return kWriters;
}

std::string table_path() { return std::string(DETENT_SOURCE_DIR) + "/tests/reports/written.tsv"; }

class Written : public testing::Test {
 public:
  static void SetUpTestSuite() {
    std::ifstream file(table_path());
    for (std::string line; std::getline(file, line);) rows().push_back(line);
  }
  static void TearDownTestSuite() {
    if (std::getenv("DETENT_WRITE_GOLDEN") == nullptr) return;
    std::ofstream file(table_path());
    for (const std::string& row : now()) file << row << '\n';
  }

 protected:
  /// `name` is that of the sample, one word.
  static void expect_written(const std::string& name, const ReportData& data) {
    for (const Writer& writer : writers()) {
      const std::string row = name + '\t' + writer.name + '\t' + digest_of(writer.write(data));
      now().push_back(row);
      EXPECT_NE(std::find(rows().begin(), rows().end(), row), rows().end())
          << row << ": writes other bytes than " << table_path() << " says";
    }
  }

 private:
  static std::vector<std::string>& rows() {
    static std::vector<std::string> rows;
    return rows;
  }
  static std::vector<std::string>& now() {
    static std::vector<std::string> rows;
    return rows;
  }
};

TEST_F(Written, SamplesAreWrittenAsBefore) {
  expect_written("detector", samples::detector().data);
  expect_written("chip", samples::chip().data);
  expect_written("racy", samples::racy_detector().data);
  expect_written("hostile", samples::hostile_names().data);
  expect_written("large", samples::large(900, 2000).data);
  expect_written("empty", samples::empty().data);
}

TEST_F(Written, RandomMachinesAreWrittenAsBefore) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    expect_written("machine" + std::to_string(seed),
                   samples::random_machine(seed, 1 + static_cast<std::uint32_t>(seed) % 4, 120).data);
}

TEST_F(Written, RandomReportsAreWrittenAsBefore) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    expect_written("report" + std::to_string(seed), samples::random_report(seed).data);
}

}  // namespace
}  // namespace detent::reports
