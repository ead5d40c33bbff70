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

// Bytes of all ends, one after the other as Detent stores them -> floats, row-major.
std::vector<float> elements_of_ends(const std::string& bytes, const std::vector<IntegerEnd>& ends) {
  constexpr std::size_t kBlock = 16;
  std::vector<float> elements;
  std::size_t begin = 0;
  for (const IntegerEnd& end : ends) {
    const std::size_t stored = end.is_blocked ? (end.channels + kBlock - 1) / kBlock * kBlock : end.channels;
    if (begin + stored * end.pixels > bytes.size()) throw std::runtime_error("detent run: an output is too short");
    for (std::size_t channel = 0; channel < end.channels; ++channel) {
      for (std::size_t pixel = 0; pixel < end.pixels; ++pixel) {
        const std::size_t blocked = (channel / kBlock * end.pixels + pixel) * kBlock + channel % kBlock;
        const std::size_t at = end.is_blocked ? blocked : channel * end.pixels + pixel;
        elements.push_back(static_cast<float>(static_cast<std::int8_t>(bytes[begin + at])));
      }
    }
    begin += stored * end.pixels;
  }
  if (begin != bytes.size()) throw std::runtime_error("detent run: an output is too long");
  return elements;
}

ProcessFigures run_or_throw(const std::vector<std::string>& words) {
  ProcessFigures figures = run_process(words);
  if (figures.succeeded) return figures;
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  throw std::runtime_error(line + ": failed");
}

}  // namespace

std::vector<std::string> DetentContender::command(const std::string& model, const Network& network,
                                                  const TurnOptions& options) const {
  std::vector<std::string> words{program_, "run", model, "--workers", std::to_string(options.workers)};
  words.insert(words.end(), arguments_.begin(), arguments_.end());
  words.insert(words.end(), {"--input", network.input_name + "=" + network.input_file});
  return words;
}

Turn DetentContender::measure(const Network& network, const TurnOptions& options) const {
  const std::string answer_file = options.folder + "/answer.json";
  std::vector<std::string> words = command(network.spec, network, options);
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
  const bool is_int8 = !network.ends.empty();
  std::vector<std::string> words = command(is_int8 ? network.ends_package : network.spec, network, options);
  words.insert(words.end(), {"--output", output_file});
  run_or_throw(words);
  return is_int8 ? elements_of_ends(read_text(output_file), network.ends) : read_floats(output_file);
}

bool PeerContender::is_installed() const { return std::filesystem::is_directory(module_); }

Turn PeerContender::measure(const Network& network, const TurnOptions& options) {
  Turn turn = run(network.onnx_file, network, options);
  if (!network.ends.empty()) turn.output.clear();  // another form is compared
  return turn;
}

std::vector<float> PeerContender::compute(const Network& network, const TurnOptions& options) {
  TurnOptions once = options;
  once.warmup = 0;
  once.repeat = 1;
  return run(network.ends.empty() ? network.onnx_file : network.ends_onnx_file, network, once).output;
}

Turn PeerContender::run(const std::string& onnx_file, const Network& network, const TurnOptions& options) {
  const std::string output_file = options.folder + "/peer.raw";
  const Json request{{"module", module_},       {"model", onnx_file},         {"input", network.input_file},
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
