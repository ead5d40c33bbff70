#include "tests/sim/npu/naive.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace detent::sim::naive {
namespace {

using Line = std::vector<std::int64_t>;
using Matrix = std::vector<Line>;  ///< -1: nothing

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

Matrix filled(std::int64_t rows, std::int64_t cols, std::int64_t value = -1) {
  return Matrix(static_cast<std::size_t>(rows), Line(static_cast<std::size_t>(cols), value));
}

std::int64_t& at(Matrix& m, std::int64_t r, std::int64_t c) {
  return m[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
}

/// Addresses of the im2col matrix.
Matrix input_matrix(const NpuCase& c) {
  const auto [ih, iw, fh, fw, ch, n, sh, sw] = c.conv;
  const std::int64_t oh = ceil_div(ih - fh + sh, sh);
  const std::int64_t ow = ceil_div(iw - fw + sw, sw);
  Matrix m = filled(oh * ow, fh * fw * ch);
  for (std::int64_t y = 0; y < oh; ++y)
    for (std::int64_t x = 0; x < ow; ++x)
      for (std::int64_t v = 0; v < fh; ++v)
        for (std::int64_t u = 0; u < fw; ++u)
          for (std::int64_t k = 0; k < ch; ++k)
            if (y * sh + v < ih && x * sw + u < iw)
              at(m, y * ow + x, (v * fw + u) * ch + k) = ((y * sh + v) * iw + x * sw + u) * ch + k;
  return m;
}

Matrix numbered(std::int64_t rows, std::int64_t cols) {
  Matrix m = filled(rows, cols);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < cols; ++c) at(m, r, c) = r * cols + c;
  return m;
}

Matrix transposed(Matrix m) {
  Matrix t = filled(static_cast<std::int64_t>(m[0].size()), static_cast<std::int64_t>(m.size()));
  for (std::size_t r = 0; r < m.size(); ++r)
    for (std::size_t c = 0; c < m[0].size(); ++c) t[c][r] = m[r][c];
  return t;
}

/// Rows [r, r + rows) and columns [c, c + cols), -1 beyond the matrix.
Matrix block(const Matrix& m, std::int64_t r, std::int64_t rows, std::int64_t c, std::int64_t cols) {
  Matrix b = filled(rows, cols);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < cols; ++j)
      if (r + i < static_cast<std::int64_t>(m.size()) && c + j < static_cast<std::int64_t>(m[0].size()))
        at(b, i, j) = m[static_cast<std::size_t>(r + i)][static_cast<std::size_t>(c + j)];
  return b;
}

/// Column folds of `edge` lanes, one below the other.
Matrix stacked(const Matrix& m, std::int64_t edge) {
  Matrix stack;
  const auto cols = static_cast<std::int64_t>(m[0].size());
  for (std::int64_t c = 0; c < cols; c += edge)
    for (Line& line : block(m, 0, static_cast<std::int64_t>(m.size()), c, edge)) stack.push_back(std::move(line));
  return stack;
}

Line by_rows(const Matrix& m) {
  Line stream;
  for (const Line& line : m) stream.insert(stream.end(), line.begin(), line.end());
  return stream;
}

Line by_diagonals(const Matrix& m) {
  Line stream;
  for (std::size_t d = 0; d + 1 < m.size() + m[0].size(); ++d)
    for (std::size_t c = 0; c < m[0].size(); ++c)
      if (c <= d && d - c < m.size()) stream.push_back(m[d - c][c]);
  return stream;
}

/// Put a block into a fold's demands from line `first` on, lane c delayed by c lines if `skew`.
void place(Matrix& demands, std::int64_t first, const Matrix& what, bool skew) {
  for (std::size_t r = 0; r < what.size(); ++r)
    for (std::size_t c = 0; c < what[0].size(); ++c)
      demands[static_cast<std::size_t>(first) + r + (skew ? c : 0)][c] = what[r][c];
}

Matrix upside_down(Matrix m) {
  std::reverse(m.begin(), m.end());
  return m;
}

class ReadBuffer {
 public:
  ReadBuffer(const Line& stream, std::int64_t words, std::int64_t port) : prefetch_(words / 2), port_(port) {
    const auto per_set = static_cast<std::size_t>(ceil_div(words, 100));
    std::vector<std::int64_t> open;
    for (const std::int64_t address : stream) {
      if (address < 0) continue;
      open.push_back(address);
      if (open.size() < per_set) continue;
      sets_.emplace_back(open.begin(), open.end());
      open.clear();
    }
    sets_.emplace_back(open.begin(), open.end());
    const auto set_words = static_cast<std::int64_t>(per_set);
    const auto count = static_cast<std::int64_t>(sets_.size());
    active_ = std::min(ceil_div(words - prefetch_, set_words), count);
    step_ = std::min(ceil_div(prefetch_, set_words), count - active_);
  }

  std::int64_t stall(const Line& line, std::int64_t cycle) {
    std::int64_t stall = 0;
    for (const std::int64_t address : line) {
      while (address >= 0 && !holds(address)) {
        first_ = (first_ + step_) % static_cast<std::int64_t>(sets_.size());
        last_ += ceil_div(prefetch_, port_) + 1;
        stall += std::max<std::int64_t>(0, last_ - (cycle + 1 + stall));
      }
    }
    return stall;
  }

 private:
  bool holds(std::int64_t address) const {
    for (std::int64_t i = 0; i < active_; ++i)
      if (sets_[static_cast<std::size_t>(first_ + i) % sets_.size()].contains(address)) return true;
    return false;
  }

  std::int64_t prefetch_, port_, active_ = 0, step_ = 0, first_ = 0, last_ = -1;
  std::vector<std::set<std::int64_t>> sets_;
};

class OutputBuffer {
 public:
  OutputBuffer(std::int64_t words, std::int64_t port) : half_(words / 2), size_(words), port_(port), free_(words) {}

  std::int64_t stall(const Line& line, std::int64_t cycle) {
    std::int64_t now = cycle;
    for (const std::int64_t address : line) {
      if (address < 0) continue;
      --free_;
      if (lines_.empty() || is_closed_ || lines_.back() == port_) lines_.push_back(0);
      is_closed_ = false;
      ++lines_.back();
      if (now < busy_until_) {
        if (free_ <= 0) now = busy_until_;
      } else if (free_ < size_ - half_) {
        start_drain(now);
      }
    }
    return now - cycle;
  }

 private:
  void start_drain(std::int64_t now) {
    is_closed_ = true;
    const std::size_t count = std::min(static_cast<std::size_t>(ceil_div(half_, port_)), lines_.size());
    // All lines but the last one drained count as full.
    free_ += static_cast<std::int64_t>(count - 1) * port_ + lines_[count - 1];
    lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(count));
    busy_until_ = now + static_cast<std::int64_t>(count) - 1;
  }

  std::int64_t half_, size_, port_, free_, busy_until_ = 0;
  bool is_closed_ = true;
  std::vector<std::int64_t> lines_;
};

struct Work {
  Line input_stream, weight_stream;
  Matrix inputs, weights, outputs;  ///< demands, one line per cycle
};

void append(Matrix& to, Matrix from) {
  for (Line& line : from) to.push_back(std::move(line));
}

Work output_stationary(const NpuCase& c, const Matrix& a, const Matrix& b, const Matrix& o, NpuResult& result) {
  const auto m = static_cast<std::int64_t>(a.size());
  const auto t = static_cast<std::int64_t>(b.size());
  const auto n = static_cast<std::int64_t>(b[0].size());
  const Matrix across = transposed(a);
  Work work{by_diagonals(stacked(across, c.rows)), by_diagonals(stacked(b, c.cols)), {}, {}, {}};
  const std::int64_t lines = t + c.rows + c.cols - 2;
  for (std::int64_t fc = 0; fc < n; fc += c.cols)
    for (std::int64_t fr = 0; fr < m; fr += c.rows) {
      Matrix inputs = filled(lines, c.rows), weights = filled(lines, c.cols), outputs = filled(lines, c.cols);
      place(inputs, 0, block(across, 0, t, fr, c.rows), true);
      place(weights, 0, block(b, 0, t, fc, c.cols), true);
      place(outputs, t - 1, upside_down(block(o, fr, c.rows, fc, c.cols)), true);
      result.input_reads += t * std::min(c.rows, m - fr);
      result.weight_reads += t * std::min(c.cols, n - fc);
      result.output_writes += std::min(c.rows, m - fr) * std::min(c.cols, n - fc);
      append(work.inputs, inputs);
      append(work.weights, weights);
      append(work.outputs, outputs);
    }
  return work;
}

/// `held` (K x lanes) stays in the cells, `streamed` (T x K) passes; `o` is T x lanes.
Work stationary(const NpuCase& c, const Matrix& held, const Matrix& streamed, const Matrix& o,
                std::array<std::int64_t, 3>& counts) {
  const auto k = static_cast<std::int64_t>(held.size());
  const auto lanes = static_cast<std::int64_t>(held[0].size());
  const auto t = static_cast<std::int64_t>(streamed.size());
  Work work{by_rows(stacked(held, c.cols)), by_diagonals(stacked(streamed, c.rows)), {}, {}, {}};
  const std::int64_t lines = t + 2 * c.rows + c.cols - 2;
  for (std::int64_t fc = 0; fc < lanes; fc += c.cols)
    for (std::int64_t fr = 0; fr < k; fr += c.rows) {
      Matrix held_lines = filled(lines, c.cols), streamed_lines = filled(lines, c.rows),
             outputs = filled(lines, c.cols);
      place(held_lines, 0, upside_down(block(held, fr, c.rows, fc, c.cols)), false);
      place(streamed_lines, c.rows, block(streamed, 0, t, fr, c.rows), true);
      place(outputs, 2 * c.rows - 1, block(o, 0, t, fc, c.cols), true);
      counts[0] += std::min(c.rows, k - fr) * std::min(c.cols, lanes - fc);
      counts[1] += t * std::min(c.rows, k - fr);
      counts[2] += t * std::min(c.cols, lanes - fc);
      append(work.inputs, held_lines);
      append(work.weights, streamed_lines);
      append(work.outputs, outputs);
    }
  return work;
}

Work lay_out(const NpuCase& c, NpuResult& result) {
  const Matrix a = input_matrix(c);
  const Matrix b = numbered(static_cast<std::int64_t>(a[0].size()), c.conv[5]);
  const Matrix o = numbered(static_cast<std::int64_t>(a.size()), c.conv[5]);
  if (c.dataflow == 'o') return output_stationary(c, a, b, o, result);
  std::array<std::int64_t, 3> counts{};  // held, streamed, outputs
  if (c.dataflow == 'i') {
    Work work = stationary(c, transposed(a), transposed(b), transposed(o), counts);
    result.input_reads = counts[0], result.weight_reads = counts[1], result.output_writes = counts[2];
    return work;
  }
  Work work = stationary(c, b, a, o, counts);
  std::swap(work.inputs, work.weights);
  std::swap(work.input_stream, work.weight_stream);
  result.input_reads = counts[1], result.weight_reads = counts[0], result.output_writes = counts[2];
  return work;
}

}  // namespace

NpuResult npu_cycles(const NpuCase& c) {
  NpuResult result;
  const Work work = lay_out(c, result);
  ReadBuffer input(work.input_stream, c.buffers[0], c.bandwidth[0]);
  ReadBuffer weight(work.weight_stream, c.buffers[1], c.bandwidth[1]);
  OutputBuffer output(c.buffers[2], c.bandwidth[2]);
  for (std::size_t line = 0; line < work.outputs.size(); ++line) {
    const std::int64_t cycle = static_cast<std::int64_t>(line) + result.stalls;
    const std::int64_t for_input = input.stall(work.inputs[line], cycle);
    const std::int64_t for_weight = weight.stall(work.weights[line], cycle);
    const std::int64_t for_output = output.stall(work.outputs[line], cycle);
    result.cycles = cycle + for_output + 1;
    result.stalls += std::max({for_input, for_weight, for_output});
  }
  return result;
}

}  // namespace detent::sim::naive
