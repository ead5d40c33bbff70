#include "bench/networks/contender.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "bench/networks/process.hpp"

namespace detent::bench {
namespace {

using Json = nlohmann::json;

std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<float> read_floats(const std::string& path) {
  const std::string bytes = read_text(path);
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

std::vector<double> milliseconds(const Json& runs_ns) {
  std::vector<double> result;
  for (const double run : runs_ns.get<std::vector<double>>()) result.push_back(run * 1e-6);
  return result;
}

ProcessFigures run_or_throw(const std::vector<std::string>& words) {
  ProcessFigures figures = run_process(words);
  if (figures.succeeded) return figures;
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  throw std::runtime_error(line + ": failed");
}

}  // namespace

std::vector<std::string> DetentContender::command(const Network& network, const TurnOptions& options) const {
  std::vector<std::string> words{program_, "run", network.spec, "--workers", std::to_string(options.workers)};
  words.insert(words.end(), arguments_.begin(), arguments_.end());
  words.insert(words.end(), {"--input", network.input_name + "=" + network.input_file});
  return words;
}

Turn DetentContender::measure(const Network& network, const TurnOptions& options) const {
  const std::string answer_file = options.folder + "/answer.json";
  std::vector<std::string> words = command(network, options);
  words.insert(words.end(), {"--warmup", std::to_string(options.warmup), "--repeat", std::to_string(options.repeat),
                             "--keep-memory", "--json", answer_file});
  const ProcessFigures figures = run_or_throw(words);
  const Json answer = Json::parse(read_text(answer_file));
  return {.runs_ms = milliseconds(answer.at("repeat").at("runs_ns")),
          .processor_ms = figures.processor_ms,
          .peak_bytes = figures.peak_bytes};
}

std::vector<float> DetentContender::compute(const Network& network, const TurnOptions& options) const {
  const std::string output_file = options.folder + "/detent.raw";
  std::vector<std::string> words = command(network, options);
  words.insert(words.end(), {"--output", output_file});
  run_or_throw(words);
  return read_floats(output_file);
}

bool PeerContender::is_installed() const { return std::filesystem::is_directory(module_); }

Turn PeerContender::measure(const Network& network, const TurnOptions& options) {
  const std::string output_file = options.folder + "/peer.raw";
  const Json request{{"module", module_},       {"model", network.onnx_file}, {"input", network.input_file},
                     {"output", output_file},   {"threads", options.workers}, {"warmup", options.warmup},
                     {"repeat", options.repeat}};
  const ProcessFigures figures = run_or_throw({"node", script_, request.dump()});
  const Json answer = Json::parse(figures.output);
  version_ = answer.at("version");
  return {.runs_ms = milliseconds(answer.at("runs_ns")),
          .output = read_floats(output_file),
          .processor_ms = figures.processor_ms,
          .peak_bytes = figures.peak_bytes,
          .before_bytes = answer.at("before_bytes")};
}

}  // namespace detent::bench
