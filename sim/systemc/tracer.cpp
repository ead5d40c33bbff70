#include "sim/systemc/tracer.hpp"

#include <fstream>
#include <stdexcept>

#include "base/temp_directory.hpp"
#include "sim/systemc/library.hpp"
#include "sim/systemc/stack_bounds.hpp"

namespace detent::sim {
namespace {

std::string read_back(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file || text.empty()) throw std::runtime_error(path + ": SystemC wrote no trace; is the disk full?");
  return text;
}

}  // namespace

TracedText trace_by_systemc(const std::vector<TracedSignal>& signals, const std::vector<TracedChange>& changes,
                            const std::vector<TracedStep>& steps) {
  const TempDirectory directory;
  const std::string path = directory.path() / "trace";
  TracedText out;
  out.begin_ps = sc_library().write_vcd(signals, changes, steps, path);
  restore_stack_bounds();
  out.vcd = read_back(path + ".vcd");
  return out;
}

}  // namespace detent::sim
