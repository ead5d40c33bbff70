// bench_networks: networks of the zoo in Detent beside ONNX Runtime, on the same weights and input, in turns.
//
// The network goes to ONNX Runtime as a file of ONNX that is written from the Model (onnx/export.hpp), so that its
// output is a second computation of the whole network: every setting of Detent is compared with it, and a difference
// above the tolerance (difference.hpp) ends the benchmark with exit code 1. ONNX Runtime is the npm package
// onnxruntime-node in the build folder, where the target bench_onnxruntime puts it; without it Detent is measured
// alone.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "base/io.hpp"
#include "bench/disturbance.hpp"
#include "bench/networks/int8_ends.hpp"
#include "bench/networks/measure.hpp"
#include "bench/networks/onnx/export.hpp"
#include "bench/networks/process.hpp"
#include "bench/networks/tables.hpp"
#include "models/files/package.hpp"
#include "models/zoo/zoo.hpp"

namespace detent::bench {
namespace {

struct Wanted {
  std::vector<std::string> networks{"yolov8n:640",      "resnet18",      "mobilenetv2",
                                    "yolov8n_int8:640", "resnet18_int8", "mobilenetv2_int8"};
  std::vector<std::uint32_t> workers{1, 2};
  std::vector<std::string> detent_arguments{};
  std::string program = DETENT_PROGRAM;
  std::vector<std::string> onnx{};  ///< NETWORK and FILE
  std::string form = "fast";        ///< of the file
  std::string json{};
  bool quick = false, disturbed = false;
  CellOptions cell{};
};

/// Removed with what is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_(std::filesystem::temp_directory_path() / ("bench_networks." + std::to_string(getpid()))) {
    std::filesystem::create_directory(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string name, model;
  for (std::string line; std::getline(file, line) && (name.empty() || model.empty());) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name")) {
      name = line.substr(colon + 2);
    } else if (line.starts_with("model")) {
      model = line.substr(colon + 2);
    }
  }
  return name + ", model " + model;
}

/// @param form  fast: for measuring; exact: each int8 result ends where the op's range ends; ends: the same with the
///              ends of the integers as outputs
void write_onnx(const std::string& spec, const std::string& file, const std::string& form) {
  models::Model model = models::build_zoo_model(spec);
  if (form == "ends") end_at_integers(model);
  write_file_atomically(file, export_onnx(model, {.is_exact = form != "fast"}));
}

/// Floats in [-1, 1).
void write_input(std::size_t count, const std::string& file) {
  std::mt19937 random(1);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random() >> 8U) * 0x1p-23F - 1.0F;
  write_file_atomically(file, {reinterpret_cast<const char*>(values.data()), count * sizeof(float)});
}

std::vector<IntegerEnd> ends_of(const models::Model& model) {
  std::vector<IntegerEnd> ends;
  for (const std::uint32_t output : model.outputs) {
    const models::Tensor& tensor = model.tensors[output];
    IntegerEnd end{.name = tensor.name, .channels = static_cast<std::size_t>(tensor.dims[1])};
    for (std::size_t i = 2; i < tensor.dims.size(); ++i) end.pixels *= static_cast<std::size_t>(tensor.dims[i]);
    end.is_blocked = tensor.layout == DETENT_LAYOUT_C16;
    ends.push_back(end);
  }
  return ends;
}

/// Write a file of ONNX by a process of its own: what this one holds of weights would count as its children's.
std::string written(const std::string& spec, const std::string& form, const std::string& folder) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  std::string file = folder + "/" + spec + "." + form + ".onnx";
  if (!run_process({self, "--onnx", spec, file, "--form", form}).succeeded) {
    throw std::runtime_error(spec + ": cannot be written as ONNX");
  }
  return file;
}

Network prepare(const std::string& spec, const std::string& folder) {
  models::Model model = models::build_zoo_model(spec);
  if (model.inputs.size() != 1 || model.outputs.size() != 1) {
    throw std::invalid_argument(spec + ": has several inputs or outputs; give a network with one of each");
  }
  const models::Tensor& input = model.tensors[model.inputs.front()];
  Network network{.spec = spec,
                  .input_name = input.name,
                  .output_columns = static_cast<std::size_t>(model.tensors[model.outputs.front()].dims.back()),
                  .onnx_file = written(spec, "fast", folder),
                  .input_file = folder + "/" + spec + ".raw"};
  write_input(input.size_bytes / sizeof(float), network.input_file);
  if (!end_at_integers(model)) return network;
  network.law = step_law_of(model);
  network.ends = ends_of(model);
  network.ends_onnx_file = written(spec, "ends", folder);
  network.ends_package = folder + "/" + spec + ".pkg";
  models::write_package(model, network.ends_package);
  return network;
}

bool is_within(const Cell& cell) {
  return std::ranges::all_of(cell.rows, [](const Row& row) {
    return (!row.difference || row.difference->within) && (!row.steps || row.steps->within);
  });
}

int run_all(Wanted wanted) {
  if (wanted.quick) wanted.cell = {.rounds = 2, .turn_ms = 1, .folder = {}};
  const TemporaryFolder folder;
  wanted.cell.folder = folder.path();
  PeerContender peer(DETENT_PEER_MODULE, DETENT_PEER_SCRIPT);
  const bool has_peer = peer.is_installed();
  if (!has_peer) {
    std::printf("ONNX Runtime is absent (cmake --build BUILD --target bench_onnxruntime fetches it): no ratios\n");
  }
  wanted.detent_arguments.insert(wanted.detent_arguments.begin(), "");
  Circumstances circumstances{.disturbed = wanted.disturbed, .processor = processor_name()};
  std::printf("%s%s\n", circumstances.processor.c_str(), wanted.disturbed ? ", beside a process of nice 10" : "");
  const Disturbance disturbance(wanted.disturbed);
  std::vector<Cell> cells;
  for (const std::string& spec : wanted.networks) {
    const Network network = prepare(spec, folder.path());
    for (const std::uint32_t workers : wanted.workers) {
      cells.push_back(measure_cell(network, workers, wanted.program, wanted.detent_arguments,
                                   has_peer ? &peer : nullptr, wanted.cell));
      print_cell(cells.back());
    }
  }
  if (has_peer) circumstances.peer = "ONNX Runtime " + peer.version();
  if (!wanted.json.empty()) write_file_atomically(wanted.json, cells_json(cells, circumstances).dump(2) + "\n");
  return std::ranges::all_of(cells, is_within) ? 0 : 1;
}

void add_options(CLI::App& app, Wanted& wanted) {
  app.add_flag("--quick", wanted.quick, "Few runs: does it work at all");
  app.add_option("--json", wanted.json, "Write the figures to FILE")->type_name("FILE");
  app.add_flag("--disturbed", wanted.disturbed, "A process of nice 10 computes meanwhile");
  app.add_option("--networks", wanted.networks, "Of the zoo")
      ->type_name("MODEL,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  app.add_option("--workers", wanted.workers, "Workers of Detent and threads of ONNX Runtime")
      ->type_name("N,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  app.add_option("--detent-args", wanted.detent_arguments,
                 "Once more with these arguments of detent run, in one word: \"--split 4\"; may be repeated")
      ->type_name("ARGS")
      ->allow_extra_args(false);
  app.add_option("--rounds", wanted.cell.rounds, "Turns of each contender")->type_name("N")->capture_default_str();
  app.add_option("--turn-ms", wanted.cell.turn_ms, "Length of a turn")->type_name("MS")->capture_default_str();
  app.add_option("--detent", wanted.program, "Another build's program")->type_name("FILE");
  app.add_option("--onnx", wanted.onnx, "Write MODEL as ONNX to FILE and end")->type_name("MODEL FILE")->expected(2);
  app.add_option("--form", wanted.form,
                 "Of that file: fast, as it is measured; exact, where int8 results end as the ops say; ends, the same "
                 "up to the elements that are compared")
      ->check(CLI::IsMember({"fast", "exact", "ends"}))
      ->capture_default_str();
}

}  // namespace
}  // namespace detent::bench

int main(int argc, char** argv) {
  using namespace detent::bench;
  Wanted wanted;
  CLI::App app("Networks in Detent beside ONNX Runtime: ratios, times and memory");
  add_options(app, wanted);
  try {
    app.parse(argc, argv);
    if (wanted.onnx.empty()) return run_all(wanted);
    write_onnx(wanted.onnx[0], wanted.onnx[1], wanted.form);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_networks: %s\n", error.what());
    return 2;
  }
}
