// Walks the table of docs/ENGINE.md: brings a context into each state, in every mode, makes the call, and compares what
// it answers, how the run ends, and in which state the context is afterwards.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <thread>

#include "tests/runtime/engine/graph.hpp"
#include "tests/runtime/engine/ports.hpp"

namespace detent::test {
namespace {

const std::vector<std::string> kStates = {"none", "ready", "running, inside", "running, outside", "failed", "late"};

std::string text_of_file(const char* name) {
  std::ifstream in(std::string(DETENT_SOURCE_DIR) + "/" + name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  for (std::size_t end = text.find(separator); end != std::string::npos; end = text.find(separator, at)) {
    parts.push_back(text.substr(at, end - at));
    at = end + separator.size();
  }
  parts.push_back(text.substr(at));
  return parts;
}

/// Calls (without the quotes of code) -> what each state's cell says, in the order of the columns.
using Table = std::map<std::string, std::vector<std::string>>;

Table read_table() {
  const std::string text = text_of_file("docs/ENGINE.md");
  const std::size_t header = text.find("\n| call | none |");
  std::istringstream lines(header == std::string::npos ? std::string() : text.substr(header + 1));
  Table table;
  std::string line;
  std::getline(lines, line);  // the header
  std::getline(lines, line);  // the rule below it
  while (std::getline(lines, line) && line.rfind("| ", 0) == 0) {
    std::vector<std::string> cells = split(line.substr(2, line.size() - 4), " | ");
    std::string call = cells.front();
    call.erase(std::remove(call.begin(), call.end(), '`'), call.end());
    cells.erase(cells.begin());
    EXPECT_EQ(cells.size(), kStates.size()) << line;
    EXPECT_TRUE(table.emplace(call, cells).second) << call << " has two rows";
  }
  return table;
}

/// "ANSWER[, run STATUS][, then STATE]"; without them the run ends OK and the state stays what it was.
struct Cell {
  std::string answer;
  std::string run = "OK";
  std::string then;
};

Cell parse_cell(const std::string& text, const std::string& state) {
  Cell cell;
  cell.then = state.rfind("running", 0) == 0 ? "ready" : state;
  const std::vector<std::string> parts = split(text, ", ");
  cell.answer = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].rfind("run ", 0) == 0) {
      cell.run = parts[i].substr(4);
    } else if (parts[i].rfind("then ", 0) == 0) {
      cell.then = parts[i].substr(5);
    } else {
      ADD_FAILURE() << "cannot read the cell \"" << text << "\"";
    }
  }
  return cell;
}

struct EngineOf {
  const char* name;
  detent_mode mode;
  detent_scheduler scheduler;
  std::uint32_t workers;
};

/// A context over two ops: 0 on the CPU, then 1, whose back end answers when it is told to. Its clock stands still.
class Subject {
 public:
  explicit Subject(const EngineOf& engine) : graph_(2, {{0, 1}}) {
    graph_.classes = {0, 1};
    graph_.class_table = {{"cpu", DETENT_CLASS_WORKERS}, {"later", DETENT_CLASS_ASYNC}};
    backends_[0] = {this, "later", resolve, dispatch};
    backends_[1] = detent_cpu_backend("cpu", &watch_kernels());
    config_ = detent_default_config(port_.port());
    config_.backends = backends_;
    config_.backend_count = 2;
    config_.mode = engine.mode;
    config_.scheduler = engine.scheduler;
    config_.worker_count = engine.workers;
    config_.log_records_per_worker = 64;
    config_.op_deadline_ps = 100 * CountingPort::kStepPs;
    config_.op_states = true;
  }
  ~Subject() {
    if (context_ == nullptr) return;
    EXPECT_TRUE(!pending_ || complete_pending() == "OK");
    EXPECT_EQ(detent_deinit(context_), DETENT_OK);
  }
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  /// Brings it to a state, makes the call there, from this thread or another one.
  std::string call_in(const std::string& state, bool from_here, const std::function<std::string(Subject&)>& call) {
    bring_to(state);
    std::string answer;
    const auto make_call = [&] { answer = call(*this); };
    if (state == "running, inside") {
      run_with([&](std::uint32_t step) { return step == step_ ? make_call() : void(); });
    } else if (state == "running, outside") {
      run_while(make_call);
    } else if (from_here) {
      make_call();
    } else {
      std::thread(make_call).join();
    }
    return answer;
  }
  [[nodiscard]] std::string status_of_run() const { return detent_status_name(run_status_); }

  /// Which state is it in? Finds out by what a run, a reset and another context's init say.
  std::string state() {
    if (context_ == nullptr) {
      if (init() != "OK") return "the port is not free";
      return detent_deinit(std::exchange(context_, nullptr)) == DETENT_OK ? "none" : "a new context is busy";
    }
    detent_result result{};
    const detent_status run = detent_run(context_, &result);
    if (run == DETENT_OK) return "ready";
    if (run != DETENT_BAD_STATE) return detent_status_name(run);
    return detent_reset(context_) == DETENT_BUSY ? "late" : "failed";
  }

  // --- The calls.
  std::string init() {
    std::vector<std::uint8_t>& arena = context_ == nullptr ? arena_ : other_arena_;
    arena.resize(detent_arena_bytes(&graph_.desc(), &config_));
    detent_context* made = nullptr;
    const detent_status status = detent_init(arena.data(), arena.size(), &graph_.desc(), &config_, &made, nullptr);
    if (status == DETENT_OK) context_ = made;
    return detent_status_name(status);
  }
  std::string run() {
    detent_result result{};
    return detent_status_name(detent_run(context_, &result));
  }
  std::string deinit() {
    const detent_status status = detent_deinit(context_);
    if (status == DETENT_OK) context_ = nullptr;
    return detent_status_name(status);
  }
  std::string complete_pending() {
    pending_ = false;
    return detent_status_name(detent_complete(context_, 1, 0));
  }
  /// Op 0 belongs to the CPU, op 2 does not exist; op 1 is refused, too, where it is not in flight.
  std::string complete_other() {
    const std::string answer = detent_status_name(detent_complete(context_, 0, 0));
    EXPECT_EQ(detent_status_name(detent_complete(context_, 2, 0)), answer);
    EXPECT_TRUE(pending_ || detent_status_name(detent_complete(context_, 1, 0)) == answer);
    return answer;
  }
  std::string check() {
    std::vector<std::uint8_t> work(detent_check_bytes(&graph_.desc()));
    return detent_status_name(detent_check(&graph_.desc(), work.data(), work.size(), nullptr));
  }
  std::string clear_log() {
    detent_clear_log(context_);
    const std::uint32_t rings = std::max(config_.worker_count, 1u) + 2;
    for (std::uint32_t i = 0; context_ != nullptr && i < rings; ++i) {
      EXPECT_EQ(detent_log_size(detent_context_log(context_, i)), 0u);
    }
    return "returns";
  }
  /// Of the CPU's op, and of the one that its back end may not have answered; an op that does not exist has none.
  std::string op_state() {
    detent_op_record record{}, other{};
    const detent_status status = detent_context_op_state(context_, 0, &record);
    EXPECT_EQ(detent_context_op_state(context_, 1, &other), status);
    EXPECT_EQ(detent_context_op_state(context_, 2, &other), DETENT_INVALID_ARGUMENT);
    EXPECT_EQ(detent_context_op_state(context_, 0, nullptr), DETENT_INVALID_ARGUMENT);
    return detent_status_name(status);
  }
  [[nodiscard]] detent_context* context() const { return context_; }
  [[nodiscard]] const detent_config& config() const { return config_; }
  [[nodiscard]] const detent_desc& desc() { return graph_.desc(); }

  /// The call is for the op that its back end has not answered yet: it is made inside dispatch, and after it.
  void needs_pending_op() { step_ = 1; }

 private:
  static Subject& of(void* self) { return *static_cast<Subject*>(self); }
  static detent_status resolve(void*, const char* name, detent_entity* entity) {
    const detent_backend direct = detent_cpu_backend("*", &watch_kernels());
    return direct.resolve(direct.self, name, entity);
  }
  static detent_dispatch dispatch(void* self, detent_context*, const detent_entity*, std::uint32_t, std::int32_t*) {
    Subject& subject = of(self);
    if (subject.lets_time_pass_) subject.port_.let_time_pass();
    subject.pending_ = subject.keeps_pending_.load();
    if (subject.at_step_) subject.at_step_(1);
    return subject.keeps_pending_ ? DETENT_DISPATCH_PENDING : DETENT_DISPATCH_DONE;
  }

  void bring_to(const std::string& state) {
    if (state == "none") return;
    ASSERT_EQ(init(), "OK");
    keeps_pending_ = state == "late" || (state.rfind("running", 0) == 0 && step_ == 1);
    lets_time_pass_ = state == "late";
    graph_.witness().codes[0] = state == "failed" ? 1 : 0;
    if (state.rfind("running", 0) == 0) return;
    run_with({});
    graph_.witness().codes[0] = 0;
    keeps_pending_ = lets_time_pass_ = false;
    port_.stop_time();
  }

  /// A run that calls `at_step` inside kernel 0 and inside dispatch of op 1.
  void run_with(const std::function<void(std::uint32_t)>& at_step) {
    at_step_ = at_step;
    if (at_step) graph_.witness().hook = at_step;
    detent_result result{};
    run_status_ = detent_run(context_, &result);
    at_step_ = nullptr;
    graph_.witness().hook = nullptr;
    keeps_pending_ = false;
  }

  /// Makes the call on this thread while the run, on another one, is held in kernel 0, or waits for op 1.
  void run_while(const std::function<void()>& make_call) {
    std::atomic<bool> inside{false}, released{false};
    std::thread runner([&] {
      run_with([&](std::uint32_t step) {
        if (step != step_) return;
        inside = true;
        while (step == 0 && !released) std::this_thread::yield();
      });
    });
    while (!inside) std::this_thread::yield();
    make_call();
    released = true;
    runner.join();
  }

  Graph graph_;
  CountingPort port_;
  detent_backend backends_[2]{};
  detent_config config_{};
  std::vector<std::uint8_t> arena_, other_arena_;
  detent_context* context_ = nullptr;
  std::function<void(std::uint32_t)> at_step_;
  std::uint32_t step_ = 0;  ///< 0: in kernel 0; 1: at op 1
  std::atomic<bool> keeps_pending_{false}, lets_time_pass_{false}, pending_{false};
  detent_status run_status_ = DETENT_OK;
};

std::string value_or_null(const void* pointer) { return pointer == nullptr ? "null" : "value"; }

/// What a row's name means.
const std::map<std::string, std::function<std::string(Subject&)>> kCalls = {
    {"detent_init on its port", [](Subject& s) { return s.init(); }},
    {"detent_run", [](Subject& s) { return s.run(); }},
    {"detent_cancel", [](Subject& s) { return detent_cancel(s.context()), "returns"; }},
    {"detent_reset", [](Subject& s) { return detent_status_name(detent_reset(s.context())); }},
    {"detent_deinit", [](Subject& s) { return s.deinit(); }},
    {"detent_set_policy", [](Subject& s) { return detent_status_name(detent_set_policy(s.context(), nullptr)); }},
    {"detent_bind_regions",
     [](Subject& s) { return detent_status_name(detent_bind_regions(s.context(), nullptr, 0, nullptr)); }},
    {"detent_complete, pending op", [](Subject& s) { return s.complete_pending(); }},
    {"detent_complete, other op", [](Subject& s) { return s.complete_other(); }},
    {"detent_region_base", [](Subject& s) { return value_or_null(detent_region_base(s.context(), 0)); }},
    {"detent_tensor_extents",
     [](Subject& s) {
       std::int64_t extents[DETENT_MAX_RANK];
       std::uint32_t rank = 0;
       return detent_status_name(detent_tensor_extents(s.context(), 0, extents, &rank));
     }},
    {"detent_tensor_data", [](Subject& s) { return value_or_null(detent_tensor_data(s.context(), 0)); }},
    {"detent_context_entity", [](Subject& s) { return value_or_null(detent_context_entity(s.context(), 0)); }},
    {"detent_context_op_state", [](Subject& s) { return s.op_state(); }},
    {"detent_context_log", [](Subject& s) { return value_or_null(detent_context_log(s.context(), 0)); }},
    {"detent_clear_log", [](Subject& s) { return s.clear_log(); }},
    {"detent_check", [](Subject& s) { return s.check(); }},
    {"detent_arena_bytes", [](Subject& s) { return detent_arena_bytes(&s.desc(), &s.config()) != 0 ? "value" : "0"; }},
};

class EngineTable : public testing::TestWithParam<EngineOf> {};

INSTANTIATE_TEST_SUITE_P(Engine, EngineTable,
                         testing::Values(EngineOf{"serial", DETENT_MODE_SERIAL, DETENT_SCHEDULER_ROLE, 0},
                                         EngineOf{"layered", DETENT_MODE_LAYERED, DETENT_SCHEDULER_ROLE, 2},
                                         EngineOf{"role", DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_ROLE, 2},
                                         EngineOf{"thread", DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_THREAD, 2},
                                         EngineOf{"lists", DETENT_MODE_STATIC, DETENT_SCHEDULER_ROLE, 2}),
                         [](const auto& tested) { return std::string(tested.param.name); });

void check_cell(const EngineOf& engine, const std::string& call, const std::string& state, const std::string& text) {
  if (text == "undefined" || text == "-") return;
  const bool running = state.rfind("running", 0) == 0;
  const Cell cell = parse_cell(text, state);
  for (const bool from_here : running ? std::vector<bool>{true} : std::vector<bool>{true, false}) {
    SCOPED_TRACE(call + " | " + state + " | " + text + (from_here ? "" : " (from another thread)"));
    Subject subject(engine);
    if (call == "detent_complete, pending op") subject.needs_pending_op();
    EXPECT_EQ(subject.call_in(state, from_here, kCalls.at(call)), cell.answer);
    EXPECT_EQ(running ? subject.status_of_run() : std::string("OK"), cell.run);
    EXPECT_EQ(subject.state(), cell.then);
  }
}

TEST_P(EngineTable, EveryCellIsAsWritten) {
  for (const auto& [call, cells] : read_table()) {
    ASSERT_TRUE(kCalls.count(call)) << "no call is called \"" << call << "\"";
    for (std::size_t i = 0; i < cells.size(); ++i) check_cell(GetParam(), call, kStates[i], cells[i]);
  }
}

TEST(EngineTableText, HasARowForEveryCallAndAColumnForEveryState) {
  const Table table = read_table();
  for (const auto& [call, made] : kCalls) EXPECT_TRUE(table.count(call)) << call;
  const std::string header = "| call | none | ready | running, inside | running, outside | failed | late |";
  EXPECT_NE(text_of_file("docs/ENGINE.md").find(header), std::string::npos);
}

TEST(EngineTableText, NamesEveryPublicFunctionThatTakesAContext) {
  const std::string header = std::regex_replace(text_of_file("runtime/include/detent/detent.h"),
                                                std::regex(R"(/\*[^*]*\*+([^/*][^*]*\*+)*/)"), "");
  const std::regex declaration(R"((detent_\w+)\(([^();]*)\);)");
  std::size_t functions = 0;
  const Table table = read_table();
  for (std::sregex_iterator at(header.begin(), header.end(), declaration), end; at != end; ++at) {
    if ((*at)[2].str().find("detent_context ") == std::string::npos) continue;
    ++functions;
    const std::string name = (*at)[1];
    const auto is_row_of = [&](const auto& row) { return split(split(row.first, ",")[0], " ")[0] == name; };
    EXPECT_TRUE(std::any_of(table.begin(), table.end(), is_row_of)) << name << " has no row";
  }
  EXPECT_EQ(functions, 15u);
}

TEST(EngineTableText, LeavesFewCellsUndefined) {
  std::size_t undefined = 0, cells = 0;
  for (const auto& [call, row] : read_table()) {
    cells += row.size();
    undefined += static_cast<std::size_t>(std::count(row.begin(), row.end(), "undefined"));
  }
  EXPECT_EQ(cells, kCalls.size() * kStates.size());
  EXPECT_LE(undefined, 3u);
}

}  // namespace
}  // namespace detent::test
