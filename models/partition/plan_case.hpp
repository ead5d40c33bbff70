// A plan case: devices, a small typed model with control flow, and runs in which devices fail.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace detent::models::partition {

/// Result codes, numbered as users of heterogeneous runtimes know them.
enum class ResultCode : std::uint8_t { kNoError = 0, kBadData = 4, kOpFailed = 5, kMissedDeadline = 10 };
/// "NO_ERROR", "BAD_DATA", ...
std::string_view result_name(ResultCode code);

enum class Life : std::uint8_t { kInput, kOutput, kTemporary, kConstant };

struct PlanOperand {
  std::string type{};  ///< "f32", "bool", ...: whatever the case calls it
  Life life = Life::kTemporary;
  bool is_size_known = true;
  double value = 0;  ///< of a constant
};

struct PlanOp;

struct PlanModel {
  std::vector<PlanOperand> operands{};
  std::vector<std::uint32_t> inputs{}, outputs{};  ///< operands
  std::vector<PlanOp> ops;                         ///< without an initializer: PlanOp is not complete here
};

struct PlanOp {
  std::string type{};                              ///< ADD, MUL, SUB, NEG, COPY, LESS, EQUAL, OP<k>, IF, WHILE
  std::vector<std::uint32_t> inputs{}, outputs{};  ///< operands. IF: the condition, then the arguments of both branches
  std::uint32_t place = 0;                         ///< among the ops of the file; finish_model sets it
  std::vector<PlanModel> models{};                 ///< IF: then, else; WHILE: condition, body; else none

  [[nodiscard]] bool is_if() const { return type == "IF"; }
  [[nodiscard]] bool is_while() const { return type == "WHILE"; }
  [[nodiscard]] bool is_control_flow() const { return is_if() || is_while(); }
};

struct PlanDevice {
  std::string name{};
  double performance = 1;                            ///< execution time relative to the CPU, of types that have no own
  std::map<std::string, double> type_performance{};  ///< by type of operand; not empty: other types are infinitely slow
  std::set<std::string, std::less<>> ops{}, control{};  ///< types of ops that it does
  bool does_most = false;                               ///< every type but EQUAL, LESS, IF and WHILE
  bool does_all = false;                                ///< the CPU
};

/// The last device of every case.
inline constexpr std::string_view kCpuDevice = "cpu";
/// What `fail` calls the two ways back to the CPU.
inline constexpr std::string_view kPartialFallback = "cpu-partial", kFullFallback = "cpu-full";

enum class Partitioning : std::uint8_t { kNone = 0, kWithFallback = 1, kWithoutFallback = 2 };

/// One execution.
struct PlanRun {
  std::vector<double> arguments{};                          ///< by input of the main model
  std::set<std::pair<std::string, std::uint32_t>> fails{};  ///< the n-th attempt, from 1, of a device or a fallback
  bool is_fenced = false;
};

struct PlanCase {
  Partitioning partitioning = Partitioning::kWithFallback;
  std::vector<PlanDevice> devices{};  ///< the CPU is the last one
  PlanModel model{};
  std::vector<PlanRun> runs{};
  std::uint32_t max_iterations = 10'000;  ///< of each WHILE
};

/// Read `detent.plan_case/1`.
/// @throws InputError  names file and place: syntax, unknown keys and op types. What a compiler refuses (ranges of
///         operands, cycles, types of branches) is its answer, not an error of the file.
PlanCase parse_plan_case(std::string_view text, const std::string& file);

/// Refuse a model as a compiler does, in the order of its rules: operands and ops not empty, indices in range, no
/// duplicates among inputs and outputs, each operand written once, branches that fit, no cycle. Referenced models
/// first. Sorts ops into run order: by a stack of ready ops, so that the one that became ready last comes first.
/// @return  what is wrong; empty: nothing
std::string finish_model(PlanModel& model);

}  // namespace detent::models::partition
