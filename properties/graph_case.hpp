// GraphCase: a graph of ops with byte ranges, a schedule and an engine, as ONE value that RapidCheck draws and shrinks.
#pragma once

#include <rapidcheck/Gen.h>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <detent/detent.h>

#include "harness/faults/faults.hpp"
#include "models/core/model.hpp"
#include "models/lower/lower.hpp"
#include "properties/graph_gen.hpp"

namespace detent::laws {

/// Every value is valid: edges close no cycle, ranges lie inside the regions.
struct GraphCase {
  GraphSpec graph = empty_graph();
  std::vector<std::uint32_t> schedule;  ///< element i: which of the ready ops is i-th, modulo their number; empty: ids

  std::uint32_t workers = 1;
  detent_mode mode = DETENT_MODE_CLOSED_LOOP;
  detent_scheduler scheduler = DETENT_SCHEDULER_ROLE;
  std::string policy = "id";  ///< id, priority, critical-path or random
  std::uint64_t seed = 0;     ///< of policy, jitter and search
  std::string jitter = "worst";
  std::uint32_t faulty_op = 0;  ///< an op, for laws about faults
  harness::Faults faults{};     ///< of laws that make any; else nothing goes wrong
};

std::ostream& operator<<(std::ostream& os, const GraphCase& g);

struct GraphOptions {
  GraphShape graph{};
  std::uint32_t most_workers = 4;
  bool race_free = false;  ///< an edge is added for each pair of ops that touch a common byte in no order
  bool faults = false;     ///< something goes wrong, several things at once (properties/faults.hpp)
  bool moments = false;    ///< with faults: a run may be cancelled at a time (simulated time only)
};

/// Faults that meet in one run of the engine's threads: any set of them, drawn with the case's seed.
struct FaultSet {
  bool deadline = false, cancel = false, failing_op = false, failing_start = false;
  bool second_answers = false, spurious = false;
};
FaultSet faults_of(const GraphCase& g);

/// Fewer ops, edges, ranges, bytes; smaller numbers; then one worker, closed loop, policy id, no jitter.
rc::Gen<GraphCase> graphs(const GraphOptions& options = {});

/// The values that are one step smaller, the smallest first. Each is valid and none is `g`.
std::vector<GraphCase> smaller_cases(const GraphCase& g);

/// As the reader of op graph files makes it; a range with gaps is one range per block.
models::Model to_model(const GraphCase& g);
/// lower(to_model(g)): what all laws execute, and what `detent` executes when it reads the failing value's file.
models::LoweredModel lowered(const GraphCase& g);
/// The order of all ops of `desc` that choices select: one of the ready ops each time, by ascending id.
std::vector<std::uint32_t> order_of(const detent_desc& desc, const std::vector<std::uint32_t>& schedule);

/// Cores of each class of the Desc: workers of class 0, one NPU, 0 (no limit) for delays.
std::vector<std::uint32_t> cores_of(const detent_desc& desc, const GraphCase& g);

/// Write as an op graph file. @return `path`
std::string save_case(const GraphCase& g, const std::string& path);

// Commands of the detent program on FILE.
std::string verify_command(const GraphCase& g, const std::string& file);
std::string bound_command(const GraphCase& g, const std::string& file);
/// Op level: counts, executes and minimises.
std::string explore_command(const GraphCase& g, const std::string& file);
/// Thread level: the case's mode, scheduler, workers and seed.
std::string threads_command(const GraphCase& g, const std::string& file);
/// At thread level, with the fault: the kernel of g.faulty_op fails (F01), a worker cannot start (F04), answers come
/// twice (F12).
std::string failing_op_command(const GraphCase& g, const std::string& file);
std::string failing_start_command(const GraphCase& g, const std::string& file);
std::string second_answers_command(const GraphCase& g, const std::string& file);
/// With every fault of faults_of.
std::string fault_set_command(const GraphCase& g, const std::string& file);
/// Simulated on bare cores: as many as workers, and one NPU.
std::string bare_command(const GraphCase& g, const std::string& file);
/// Simulated on quad_npu.
std::string chip_command(const GraphCase& g, const std::string& file);
/// One native run with g.faults and the case's engine, judged by the program; and the same simulated.
std::string native_fault_command(const GraphCase& g, const std::string& file);
std::string bare_fault_command(const GraphCase& g, const std::string& file);
std::string chip_fault_command(const GraphCase& g, const std::string& file);
/// One native run in the schedule's order, and the same in simulation: must give the serial run's bytes.
std::string native_order_line(const GraphCase& g, const std::string& file);
std::string simulated_order_line(const GraphCase& g, const std::string& file);
/// One native run on threads of this machine, with everything of the case's engine; must give the serial run's bytes.
std::string native_threads_line(const GraphCase& g, const std::string& file);
/// How long its slots spin before they sleep, from the case's seed: not at all, a little, or as the port measured.
std::optional<std::uint32_t> spin_limit_of(const GraphCase& g);
/// One native run with the case's engine; and one that must give the serial run's bytes.
std::string native_line(const GraphCase& g, const std::string& file);
std::string native_digest_line(const GraphCase& g, const std::string& file);

}  // namespace detent::laws
