// SystemC behind a table of functions: a shared object of our own, loaded when the first simulation begins. Linked the
// usual way, libsystemc's static initialisers would cost every command some 3 ms of start-up.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/systemc/threads.hpp"
#include "sim/systemc/traced.hpp"

namespace detent::sim {

/// Called by a SystemC process outside the pool: see ScLibrary::observe.
using ScLook = void (*)(void* self, std::uint64_t systemc_time_ps);

/// What detent_systemc.so (sim/systemc/) offers; nothing else in the program touches SystemC.
struct ScLibrary {
  /// `self` is given to the body and outlives the threads.
  std::unique_ptr<ScThreads> (*make_threads)(ScThreads::Body body, void* self);
  /// sc_time_stamp() in picoseconds.
  std::uint64_t (*time_ps)();
  /// Trace the steps, one picosecond apart, to `path` + ".vcd". Returns SystemC's time at step 0. Between two
  /// simulations only; restore_stack_bounds() comes next.
  std::uint64_t (*write_vcd)(const std::vector<TracedSignal>& signals, const std::vector<TracedChange>& changes,
                             const std::vector<TracedStep>& steps, const std::string& path);
  /// Spawn a process that looks at the clocks every `period_ps`, as a user's own module would, with the next simulation
  /// and `count` times: for tests of the rule that sc_time_stamp() is the simulated time whenever other code runs.
  void (*observe)(std::uint64_t period_ps, std::uint64_t count, ScLook look, void* self);
};

/// Load the shared object. @param file  a path, or a name to be looked for as the program's RPATH says
/// @throws std::runtime_error  it cannot be loaded or is not ours; names the file and the remedy
const ScLibrary& load_sc_library(const char* file);

/// detent_systemc.so, loaded at the first call and never unloaded. @throws as load_sc_library
const ScLibrary& sc_library();
/// The path that it was loaded from. @throws as load_sc_library
std::string sc_library_path();

}  // namespace detent::sim
