// Folds one after the other; within a fold only the lines at which a memory may make the array wait.
#include "sim/npu/timing.hpp"

#include <algorithm>
#include <string>

#include "sim/npu/buffers.hpp"
#include "sim/npu/checked.hpp"
#include "sim/npu/operand.hpp"

namespace detent::sim::npu {
namespace {

/// Outputs of a fold: a block of `height` x `width` words that leaves skewed from line `first_line` on.
struct OutputBlock {
  std::uint64_t first_line = 0, height = 0, width = 0;

  /// Words written before `line`.
  [[nodiscard]] std::uint64_t before(std::uint64_t line) const {
    return line <= first_line ? 0 : skewed_count(line - first_line, width, height);
  }
};

struct Totals {
  std::uint64_t cycles = 0;
  std::uint64_t stalls = 0;
};

template <typename Ports>
class FoldRunner {
 public:
  FoldRunner(const Layer& layer, const Mapping& mapping, const TimingConfig& config);
  Totals run();
  [[nodiscard]] Accesses dram() const {
    return {input_.window().fetched_words(), weight_.window().fetched_words(), written_};
  }

 private:
  ReadOperand make_input(const Layer& layer) const;
  ReadOperand make_weight() const;
  void enter(std::uint64_t row_fold, std::uint64_t col_fold);
  void run_fold();
  std::uint64_t demand_line(std::uint64_t line);
  std::int64_t serve(ReadOperand& operand, Operand name, std::uint64_t width, std::uint64_t line, std::int64_t cycle);
  std::int64_t write(std::uint64_t words, std::int64_t cycle);
  [[nodiscard]] std::uint64_t next_write_event(std::uint64_t line);

  const Mapping& mapping_;
  const TimingConfig& config_;
  std::uint64_t rows_, cols_;
  bool is_os_, is_ws_;
  ReadOperand input_, weight_;
  WriteBuffer output_;
  OutputBlock block_{};
  Ports ports_{};
  std::int64_t begin_ = 0;  ///< cycle of line 0 of this fold, had it not stalled after the current line
  std::uint64_t stalls_ = 0;
  std::uint64_t cycles_ = 0;
  std::uint64_t written_ = 0;
};

std::uint64_t port_words(const TimingConfig& config, std::uint64_t own) {
  return config.shared_port ? config.bandwidth.input : own;
}

template <typename Ports>
FoldRunner<Ports>::FoldRunner(const Layer& layer, const Mapping& mapping, const TimingConfig& config)
    : mapping_(mapping),
      config_(config),
      rows_(config.array.rows),
      cols_(config.array.cols),
      is_os_(config.dataflow == Dataflow::kOutputStationary),
      is_ws_(config.dataflow == Dataflow::kWeightStationary),
      input_(make_input(layer)),
      weight_(make_weight()),
      output_(config.buffers.output, port_words(config, config.bandwidth.output)) {
  const auto begin = [&](Operand name, const ReadOperand& operand, std::uint64_t width) {
    if (!operand.window().holds_all()) ports_.begin(name, divide_up(operand.window().prefetch_words(), width));
  };
  begin(Operand::kInput, input_, port_words(config, config.bandwidth.input));
  begin(Operand::kWeight, weight_, port_words(config, config.bandwidth.weight));
}

template <typename Ports>
ReadOperand FoldRunner<Ports>::make_input(const Layer& layer) const {
  // Over the lanes: pixels (OS, IS) or the window (WS); stationary in IS.
  const bool is_stationary = !is_os_ && !is_ws_;
  const std::uint64_t lanes = is_stationary ? cols_ : rows_;
  const Stream stream = is_os_   ? Stream(true, mapping_.t, mapping_.sr, lanes)
                        : is_ws_ ? Stream(true, mapping_.t, mapping_.sr, lanes)
                                 : Stream(false, mapping_.sr, mapping_.sc, lanes);
  ReadOperand operand(stream, config_.buffers.input, is_os_ ? 0 : rows_);
  if (layer.kind == Layer::Kind::kConv) operand.set_pixels(layer.conv, is_ws_ ? LaneIs::kWindow : LaneIs::kPixel);
  return operand;
}

template <typename Ports>
ReadOperand FoldRunner<Ports>::make_weight() const {
  const Stream stream = is_os_   ? Stream(true, mapping_.t, mapping_.sc, cols_)
                        : is_ws_ ? Stream(false, mapping_.sr, mapping_.sc, cols_)
                                 : Stream(true, mapping_.t, mapping_.sr, rows_);
  return {stream, config_.buffers.weight, is_os_ ? 0 : rows_};
}

template <typename Ports>
void FoldRunner<Ports>::enter(std::uint64_t row_fold, std::uint64_t col_fold) {
  const std::uint64_t used_rows = std::min(rows_, mapping_.sr - row_fold * rows_);
  const std::uint64_t used_cols = std::min(cols_, mapping_.sc - col_fold * cols_);
  const FoldPlace by_row{row_fold, 0, 0};
  const FoldPlace by_col{col_fold, row_fold * rows_, used_rows};
  input_.enter(is_os_ || is_ws_ ? by_row : by_col);
  weight_.enter(is_os_ || is_ws_ ? by_col : by_row);
  block_ = is_os_ ? OutputBlock{mapping_.t - 1 + rows_ - used_rows, used_rows, used_cols}
                  : OutputBlock{2 * rows_ - 1, mapping_.t, used_cols};
}

template <typename Ports>
Totals FoldRunner<Ports>::run() {
  for (std::uint64_t col_fold = 0; col_fold < mapping_.col_folds; ++col_fold)
    for (std::uint64_t row_fold = 0; row_fold < mapping_.row_folds; ++row_fold) {
      enter(row_fold, col_fold);
      run_fold();
    }
  return {cycles_, stalls_};
}

template <typename Ports>
void FoldRunner<Ports>::run_fold() {
  const std::uint64_t line_end = mapping_.cycles_per_fold;
  std::uint64_t line = 0;
  std::uint64_t input_event = input_.next_event(0, line_end);
  std::uint64_t weight_event = weight_.next_event(0, line_end);
  while (true) {
    const std::uint64_t event = std::min({input_event, weight_event, next_write_event(line)});
    const std::uint64_t words = block_.before(event) - block_.before(line);
    output_.store(words);
    written_ += words;
    if (event == line_end) break;
    const std::uint64_t stall = demand_line(event);
    stalls_ = checked_sum(stalls_, stall);
    begin_ += static_cast<std::int64_t>(stall);
    line = event + 1;
    if (input_event == event) input_event = input_.next_event(line, line_end);
    if (weight_event == event) weight_event = weight_.next_event(line, line_end);
    if (line == line_end) {
      begin_ += static_cast<std::int64_t>(line_end);
      return;
    }
  }
  begin_ += static_cast<std::int64_t>(line_end);
  cycles_ = static_cast<std::uint64_t>(begin_);
}

/// All memories are asked in the cycle of `line`; returns how long the array waits.
template <typename Ports>
std::uint64_t FoldRunner<Ports>::demand_line(std::uint64_t line) {
  const std::int64_t cycle = begin_ + static_cast<std::int64_t>(line);
  std::int64_t now = cycle;
  std::int64_t longest = 0;
  const auto wait = [&](std::int64_t stall) {
    // Turns at a shared port follow each other in time; on private ports the waits pass together.
    if (Ports::kIsShared) now += stall;
    longest = Ports::kIsShared ? now - cycle : std::max(longest, stall);
    return stall;
  };
  wait(serve(input_, Operand::kInput, port_words(config_, config_.bandwidth.input), line, now));
  wait(serve(weight_, Operand::kWeight, port_words(config_, config_.bandwidth.weight), line, now));
  const std::uint64_t words = block_.before(line + 1) - block_.before(line);
  const std::int64_t write_stall = wait(write(words, now));
  written_ += words;
  // The layer ends with its last write: what a read of the last line waits for does not delay it.
  cycles_ = static_cast<std::uint64_t>((Ports::kIsShared ? now : cycle + write_stall) + 1);
  return static_cast<std::uint64_t>(longest);
}

template <typename Ports>
std::int64_t FoldRunner<Ports>::serve(ReadOperand& operand, Operand name, std::uint64_t width, std::uint64_t line,
                                      std::int64_t cycle) {
  std::int64_t stall = 0;
  operand.demand(line, [&](std::uint64_t moves) {
    const std::uint64_t lines = divide_up(operand.window().prefetch_words(), width);
    const std::int64_t arrived = ports_.fetch(name, moves, lines, cycle + stall);
    stall = std::max(stall, arrived - (cycle + 1));
  });
  return stall;
}

template <typename Ports>
std::int64_t FoldRunner<Ports>::write(std::uint64_t words, std::int64_t cycle) {
  std::int64_t now = cycle;
  while (words > 0) {
    const bool is_draining = ports_.is_draining(now);
    const std::uint64_t safe = output_.until_event(is_draining);
    output_.store(std::min(words, safe));
    if (words < safe) break;
    words -= safe;
    if (is_draining)
      now = ports_.drain_end(now);
    else
      ports_.drain(output_.drain(), now);
  }
  return now - cycle;
}

/// First line from `line` on at which the output buffer stalls, starts to drain, or has drained.
template <typename Ports>
std::uint64_t FoldRunner<Ports>::next_write_event(std::uint64_t line) {
  const std::uint64_t line_end = mapping_.cycles_per_fold;
  const std::uint64_t total = block_.height * block_.width;
  const std::uint64_t done = block_.before(line);
  if (done == total) return line_end;
  const std::int64_t now = begin_ + static_cast<std::int64_t>(std::max(line, block_.first_line));
  const bool is_draining = ports_.is_draining(now);
  std::uint64_t limit = line_end;
  if (is_draining) limit = std::min(limit, static_cast<std::uint64_t>(ports_.quiet_until(now) - begin_));
  const std::uint64_t words = output_.until_event(is_draining);
  if (total - done < words) return is_draining ? limit : line_end;
  // Smallest event with before(event + 1) >= done + words.
  std::uint64_t low = std::max(line, block_.first_line);
  std::uint64_t high = limit;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (block_.before(middle + 1) >= done + words)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

void require_buffer(std::uint64_t words, const char* name) {
  if (words >= 2 && words <= (std::uint64_t{1} << 40)) return;
  throw std::invalid_argument("NPU: the " + std::string(name) + " buffer has " + std::to_string(words) +
                              " words; give 2 to 2^40, half of it is in use while the other half fills");
}

void require_finite_config(const TimingConfig& config) {
  require_buffer(config.buffers.input, "input");
  require_buffer(config.buffers.weight, "weight");
  require_buffer(config.buffers.output, "output");
  for (const std::uint64_t words : {config.bandwidth.input, config.bandwidth.weight, config.bandwidth.output})
    if (words == 0 || words > (std::uint64_t{1} << 32))
      throw std::invalid_argument("NPU: a port of " + std::to_string(words) +
                                  " words per cycle; give 1 to 2^32, or no bandwidth for no stalls");
}

bool is_unlimited(const Bandwidth& bandwidth) {
  return bandwidth.input == 0 && bandwidth.weight == 0 && bandwidth.output == 0;
}

template <typename Ports>
Totals run_folds(const Layer& layer, const Mapping& mapping, const TimingConfig& config, Accesses& dram) {
  FoldRunner<Ports> runner(layer, mapping, config);
  const Totals totals = runner.run();
  dram = runner.dram();
  return totals;
}

/// Cycles of one group and what it moves; mapping is known.
Totals time_group(const Layer& layer, const TimingConfig& config, LayerTiming& timing) {
  const Mapping& mapping = timing.mapping;
  const Gemm gemm = layer_gemm(layer);
  timing.dram = {checked_product(gemm.m, gemm.k), checked_product(gemm.k, gemm.n), checked_product(gemm.m, gemm.n)};
  if (is_unlimited(config.bandwidth)) return {mapping.compute_cycles, 0};
  require_finite_config(config);
  if (mapping.folds > kMaxFolds)
    throw WorkLimit("NPU: " + std::to_string(mapping.folds) + " folds at finite bandwidth; take a larger array, or " +
                    "leave out --bandwidth for the cycles without stalls");
  const Totals own = run_folds<PrivatePorts>(layer, mapping, config, timing.dram);
  if (!config.shared_port) return own;
  const Totals shared = run_folds<SharedPort>(layer, mapping, config, timing.dram);
  return {std::max(own.cycles, shared.cycles), std::max(own.stalls, shared.stalls)};
}

LayerTiming time_elementwise(const Layer& layer, const TimingConfig& config) {
  LayerTiming timing;
  if (layer.elements == 0 || layer.input_count == 0 || layer.input_count > 64)
    throw std::invalid_argument("NPU: an element-wise layer of " + std::to_string(layer.elements) + " results and " +
                                std::to_string(layer.input_count) + " inputs; give at least 1, at most 64 inputs");
  const std::uint64_t lanes = config.vector_lanes != 0 ? config.vector_lanes : config.array.cols;
  const std::uint64_t read = checked_product(layer.elements, layer.input_count);
  timing.compute_cycles = divide_up(layer.elements, lanes);
  timing.cycles = timing.compute_cycles;
  if (!is_unlimited(config.bandwidth)) {
    require_finite_config(config);
    const Bandwidth& width = config.bandwidth;
    const std::uint64_t in = divide_up(read, width.input);
    const std::uint64_t out = divide_up(layer.elements, port_words(config, width.output));
    timing.cycles = std::max(timing.cycles, config.shared_port ? in + out : std::max(in, out));
  }
  timing.stall_cycles = timing.cycles - timing.compute_cycles;
  timing.sram = timing.dram = {read, 0, layer.elements};
  timing.utilisation =
      static_cast<double>(layer.elements) / (static_cast<double>(timing.cycles) * static_cast<double>(lanes));
  return timing;
}

void scale(Accesses& accesses, std::uint64_t groups) {
  for (std::uint64_t* words : {&accesses.input_reads, &accesses.weight_reads, &accesses.output_writes})
    *words = checked_product(*words, groups);
}

}  // namespace

LayerTiming time_layer(const Layer& layer, const TimingConfig& config) {
  if (layer.kind == Layer::Kind::kElementwise) return time_elementwise(layer, config);
  if (layer.groups == 0) throw std::invalid_argument("NPU: a layer of 0 groups; give at least 1");
  LayerTiming timing;
  timing.mapping = map_gemm(layer_gemm(layer), config.array, config.dataflow);
  timing.groups = layer.groups;
  const Totals group = time_group(layer, config, timing);
  timing.cycles = checked_product(group.cycles, layer.groups);
  timing.stall_cycles = checked_product(group.stalls, layer.groups);
  timing.compute_cycles = checked_product(timing.mapping.compute_cycles, layer.groups);
  timing.macs = checked_product(timing.mapping.macs, layer.groups);
  timing.sram = timing.mapping.sram;
  scale(timing.sram, layer.groups);
  scale(timing.dram, layer.groups);
  const double cells = static_cast<double>(config.array.rows) * static_cast<double>(config.array.cols);
  timing.utilisation = static_cast<double>(timing.macs) / (static_cast<double>(timing.cycles) * cells);
  return timing;
}

}  // namespace detent::sim::npu
