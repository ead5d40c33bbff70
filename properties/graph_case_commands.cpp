// GraphCase + file -> the command that repeats what a law checked. A test executes each kind with the program.
#include "harness/engine_spec.hpp"
#include "harness/run_native.hpp"
#include "properties/graph_case.hpp"

namespace detent::laws {
namespace {

constexpr const char* kRuns = " --runs 5";  // as many as simulation laws make

std::string quoted(const std::string& text) { return "'" + text + "'"; }

std::string engine_words(const GraphCase& g) {
  return " --mode " + std::string(harness::mode_name(g.mode)) + " --scheduler " + harness::scheduler_name(g.scheduler) +
         " --workers " + std::to_string(g.workers) + " --seed " + std::to_string(g.seed);
}

std::string simulate_words(const GraphCase& g) {
  return kRuns + engine_words(g) + " --policy " + g.policy + " --jitter " + g.jitter;
}

std::string cores_word(const GraphCase& g) { return "cpu=" + std::to_string(g.workers) + ",npu=1"; }

/// Spaces and percent signs would end a word of the line.
std::string escaped(const std::string& path) {
  std::string text;
  for (const char c : path) text += c == ' ' ? "%20" : c == '%' ? "%25" : std::string(1, c);
  return text;
}

/// The run must have the bytes of the serial one.
std::string serial_digest_word(const models::LoweredModel& model) {
  return " digest=" + harness::format_digest(harness::run_native(model.desc(), {.engine = {.workers = 0}}).digest);
}

std::string order_words(const GraphCase& g) {
  const models::LoweredModel model = lowered(g);
  std::string words = " policy=given order=";
  for (const std::uint32_t op : order_of(model.desc(), g.schedule)) {
    words += (words.back() == '=' ? "" : ",") + std::to_string(op);
  }
  return words + serial_digest_word(model);
}

std::string replay(const std::string& words) { return "detent replay " + quoted("detent-replay/1 " + words); }

}  // namespace

std::string verify_command(const GraphCase&, const std::string& file) { return "detent verify " + quoted(file); }

std::string bound_command(const GraphCase& g, const std::string& file) {
  return "detent bound " + quoted(file) + " --cores " + cores_word(g);
}

std::string explore_command(const GraphCase& g, const std::string& file) {
  return "detent explore " + quoted(file) + " --seed " + std::to_string(g.seed);
}

std::string threads_command(const GraphCase& g, const std::string& file) {
  return "detent explore " + quoted(file) + " --level threads --strategy rotate --budget 200" + engine_words(g);
}

std::string failing_op_command(const GraphCase& g, const std::string& file) {
  return threads_command(g, file) + " --fail-op " + std::to_string(g.faulty_op);
}

std::string failing_start_command(const GraphCase& g, const std::string& file) {
  return threads_command(g, file) + " --failing-starts 1";
}

std::string second_answers_command(const GraphCase& g, const std::string& file) {
  return threads_command(g, file) + " --duplicate-answers 1";
}

FaultSet faults_of(const GraphCase& g) {
  FaultSet faults;
  faults.deadline = (g.seed & 1U) != 0;
  faults.cancel = (g.seed & 2U) != 0;
  faults.failing_op = (g.seed & 4U) != 0;
  faults.failing_start = (g.seed & 8U) != 0 && g.mode != DETENT_MODE_SERIAL;
  faults.second_answers = (g.seed & 16U) != 0;
  faults.spurious = (g.seed & 32U) != 0;
  return faults;
}

std::string fault_set_command(const GraphCase& g, const std::string& file) {
  const FaultSet faults = faults_of(g);
  std::string command = threads_command(g, file);
  if (faults.deadline) command += " --deadline 1000 --early-timeouts 2";
  if (faults.cancel) command += " --cancel";
  if (faults.failing_op) command += " --fail-op " + std::to_string(g.faulty_op);
  if (faults.failing_start) command += " --failing-starts 1";
  if (faults.second_answers) command += " --duplicate-answers 1";
  if (faults.spurious) command += " --spurious 1";
  return command;
}

std::string bare_command(const GraphCase& g, const std::string& file) {
  return "detent simulate " + quoted(file) + " --cores " + cores_word(g) + simulate_words(g);
}

std::string chip_command(const GraphCase& g, const std::string& file) {
  return "detent simulate " + quoted(file) + " --platform quad_npu" + simulate_words(g);
}

std::string native_fault_command(const GraphCase& g, const std::string& file) {
  return "detent run " + quoted(file) + engine_words(g) + " --policy " + g.policy + " " +
         harness::format_faults(g.faults);
}

std::string bare_fault_command(const GraphCase& g, const std::string& file) {
  return bare_command(g, file) + " " + harness::format_faults(g.faults);
}

std::string chip_fault_command(const GraphCase& g, const std::string& file) {
  return chip_command(g, file) + " " + harness::format_faults(g.faults);
}

std::string native_order_line(const GraphCase& g, const std::string& file) {
  return replay("model=" + escaped(file) + " on=native workers=0" + order_words(g));
}

std::string simulated_order_line(const GraphCase& g, const std::string& file) {
  return replay("model=" + escaped(file) + " on=sim workers=1 seed=" + std::to_string(g.seed) +
                " platform=cores:cpu=1,npu=1 jitter=" + g.jitter + order_words(g));
}

std::string native_line(const GraphCase& g, const std::string& file) {
  return replay("model=" + escaped(file) + " on=native workers=" + std::to_string(g.workers) +
                " seed=" + std::to_string(g.seed) + " mode=" + harness::mode_name(g.mode) + " policy=" + g.policy);
}

std::optional<std::uint32_t> spin_limit_of(const GraphCase& g) {
  switch (g.seed % 3) {
    case 0:
      return 0;
    case 1:
      return 64;
    default:
      return std::nullopt;
  }
}

std::string native_threads_line(const GraphCase& g, const std::string& file) {
  std::string line = native_digest_line(g, file);
  const std::optional<std::uint32_t> spins = spin_limit_of(g);
  line.insert(line.size() - 1, std::string(" scheduler=") + harness::scheduler_name(g.scheduler) +
                                   (spins ? " spin=" + std::to_string(*spins) : ""));
  return line;
}

std::string native_digest_line(const GraphCase& g, const std::string& file) {
  std::string line = native_line(g, file);
  line.insert(line.size() - 1, serial_digest_word(lowered(g)));
  return line;
}

}  // namespace detent::laws
