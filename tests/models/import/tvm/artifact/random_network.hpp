// The network of a random artifact: its calls, where their tensors lie, and which bytes each call uses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/models/import/tvm/artifact/random_artifact.hpp"

namespace detent::models::tvm {

inline constexpr std::uint64_t kUnplaced = UINT64_MAX;

struct NetworkTensor {
  std::string type = "float", name;  ///< as main calls it
  std::uint64_t bytes = 0, offset = kUnplaced;
  int resource = 0;  ///< 0: the pool, otherwise a buffer of its own
  int writer = -1, last_use = -1;
  bool is_input = false, is_output = false;
};

struct NetworkCall {
  std::vector<std::size_t> inputs, outputs;
  std::uint64_t scratch = 0, scratch_at = 0, constant_at = kUnplaced;
  bool is_copy = false, has_exp = false;
  std::string function;
};

struct ByteUse {
  int resource = 0;
  std::uint64_t begin = 0, end = 0;
  bool writes = false;
};

class ArtifactNetwork {
 public:
  explicit ArtifactNetwork(std::uint64_t seed) : random_(seed) {
    version_ = std::vector<int>{9, 10, 11, 12, 14, 15, 17, 18}[pick(8)];
    usmp_ = pick(2) == 0;
    pools_constants_ = usmp_ && pick(3) != 0;
    elements_ = 4 + pick(40);
    module_ = std::vector<std::string>{"default", "net", "m_1"}[pick(3)];
  }

  void draw() {
    draw_network();
    usmp_ ? place() : merge_storage();
  }

  [[nodiscard]] std::vector<ByteUse> uses_of(const NetworkCall& call) const {
    std::vector<ByteUse> uses;
    const auto add = [&](std::size_t i, bool writes) {
      const NetworkTensor& tensor = tensors_[i];
      const std::uint64_t begin = tensor.offset == kUnplaced ? 0 : tensor.offset;
      uses.push_back({tensor.resource, begin, begin + tensor.bytes, writes});
    };
    for (const std::size_t input : call.inputs) add(input, false);
    for (const std::size_t output : call.outputs) add(output, true);
    if (usmp_ && call.scratch != 0) uses.push_back({0, call.scratch_at, call.scratch_at + call.scratch, true});
    return uses;
  }

  void find_truth(RandomArtifact& out) const {
    out.calls = static_cast<std::uint32_t>(calls_.size());
    std::vector<std::vector<bool>> reaches(calls_.size(), std::vector<bool>(calls_.size(), false));
    for (std::uint32_t b = 0; b < out.calls; ++b) {
      for (std::uint32_t a = 0; a < b; ++a) {
        const bool reads = std::any_of(calls_[b].inputs.begin(), calls_[b].inputs.end(), [&](std::size_t input) {
          return tensors_[input].writer == static_cast<int>(a);
        });
        if (reads) out.edges.emplace_back(a, b);
        if (!reads) continue;
        reaches[a][b] = true;
        for (std::uint32_t c = 0; c < a; ++c) reaches[c][b] = reaches[c][b] || reaches[c][a];
      }
    }
    std::sort(out.edges.begin(), out.edges.end());
    for (std::uint32_t a = 0; a < out.calls; ++a) {
      for (std::uint32_t b = a + 1; b < out.calls; ++b) {
        if (!meet(uses_of(calls_[a]), uses_of(calls_[b]))) continue;
        out.conflicts.emplace_back(a, b);
        out.races += reaches[a][b] ? 0U : 1U;
      }
    }
  }
  static bool meet(const std::vector<ByteUse>& first, const std::vector<ByteUse>& second) {
    for (const ByteUse& a : first) {
      for (const ByteUse& b : second) {
        if ((a.writes || b.writes) && a.resource == b.resource && a.begin < b.end && b.begin < a.end) return true;
      }
    }
    return false;
  }

 protected:
  struct Storage {
    std::string name;
    std::uint64_t bytes = 0;
    int free_from = 0, resource = 0;
  };

  [[nodiscard]] bool is_internal(std::size_t i) const { return !tensors_[i].is_input && !tensors_[i].is_output; }

  std::mt19937_64 random_;
  std::vector<NetworkTensor> tensors_;
  std::vector<NetworkCall> calls_;
  std::vector<std::size_t> outputs_;
  std::vector<Storage> storage_;
  std::string module_;
  std::uint64_t elements_ = 0, pool_bytes_ = 0, constant_bytes_ = 0;
  int version_ = 14, next_resource_ = 1;
  bool usmp_ = false, pools_constants_ = false;

 private:
  std::uint64_t pick(std::uint64_t count) { return random_() % count; }
  static std::uint64_t size_of(const std::string& type) { return type == "int8_t" ? 1 : 4; }

  std::size_t add_tensor(const std::string& type) {
    NetworkTensor tensor;
    tensor.type = type;
    tensor.bytes = elements_ * size_of(type);
    tensors_.push_back(tensor);
    return tensors_.size() - 1;
  }
  std::string random_type() { return std::vector<std::string>{"float", "float", "int8_t", "int32_t"}[pick(4)]; }

  void draw_network() {
    const std::uint64_t inputs = 1 + pick(3);
    for (std::uint64_t i = 0; i < inputs; ++i) {
      const std::size_t tensor = add_tensor(random_type());
      tensors_[tensor].is_input = true;
      tensors_[tensor].name = "x" + std::to_string(i) + "_buffer_var";
      tensors_[tensor].resource = next_resource_++;
    }
    const bool is_chain = pick(3) == 0;
    const std::uint64_t calls = 2 + pick(9);
    for (std::uint64_t i = 0; i < calls; ++i) draw_call(is_chain);
    for (std::size_t i = 0; i < tensors_.size(); ++i) {  // what nobody reads, and some that are read, are outputs
      if (!tensors_[i].is_input && (tensors_[i].last_use == tensors_[i].writer || pick(8) == 0)) name_output(i);
    }
    if (pick(4) == 0) draw_copy();
  }

  void draw_call(bool is_chain) {
    NetworkCall call;
    const int at = static_cast<int>(calls_.size());
    const std::uint64_t count = is_chain ? 1 : 1 + pick(3);
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::size_t input = is_chain || pick(3) == 0 ? tensors_.size() - 1 : pick(tensors_.size());
      if (std::find(call.inputs.begin(), call.inputs.end(), input) != call.inputs.end()) continue;
      call.inputs.push_back(input);
      tensors_[input].last_use = at;
    }
    for (std::uint64_t k = 0; k < (pick(5) == 0 ? 2 : 1); ++k) {
      call.outputs.push_back(add_tensor(random_type()));
      tensors_.back().writer = tensors_.back().last_use = at;
    }
    if (pick(3) == 0) call.scratch = 4 * (1 + pick(pick(4) == 0 ? 400 : 20));
    if (pick(3) == 0) {
      call.constant_at = constant_bytes_;
      constant_bytes_ += (4 * elements_ + 15) / 16 * 16;
    }
    call.has_exp = pick(6) == 0;
    call.function = "tvmgen_" + module_ + "_fused_op_" + std::to_string(at);
    calls_.push_back(call);
  }

  void name_output(std::size_t tensor) {
    outputs_.push_back(tensor);
    tensors_[tensor].is_output = true;
    tensors_[tensor].name = "output" + (outputs_.size() == 1 ? "" : std::to_string(outputs_.size())) + "_buffer_var";
    tensors_[tensor].resource = next_resource_++;
    tensors_[tensor].offset = 0;
  }

  /// An output that is an input: main copies it.
  void draw_copy() {
    NetworkCall call;
    call.is_copy = true;
    call.inputs = {0};
    call.outputs = {add_tensor(tensors_[0].type)};
    tensors_.back().writer = tensors_.back().last_use = tensors_[0].last_use = static_cast<int>(calls_.size());
    name_output(tensors_.size() - 1);
    calls_.push_back(call);
  }

  /// Offsets that are right for the order of main. An output may lie on an input that dies, element on element.
  void place() {
    for (std::size_t at = 0; at < calls_.size(); ++at) {
      NetworkCall& call = calls_[at];
      std::vector<std::pair<std::uint64_t, std::uint64_t>> taken;
      std::vector<std::size_t> dying;
      for (std::size_t i = 0; i < tensors_.size(); ++i) {
        const NetworkTensor& tensor = tensors_[i];
        if (!is_internal(i) || tensor.offset == kUnplaced || tensor.last_use < static_cast<int>(at)) continue;
        taken.emplace_back(tensor.offset, tensor.offset + tensor.bytes);
        if (tensor.last_use == static_cast<int>(at)) dying.push_back(i);
      }
      for (const std::size_t output : call.outputs) {
        if (!is_internal(output)) continue;
        NetworkTensor& tensor = tensors_[output];
        const bool in_place =
            call.outputs.size() == 1 && !dying.empty() && pick(3) == 0 && tensors_[dying[0]].type == tensor.type;
        tensor.offset = in_place ? tensors_[dying[0]].offset : free_place(tensor.bytes, taken);
        taken.emplace_back(tensor.offset, tensor.offset + tensor.bytes);
      }
      if (call.scratch != 0) call.scratch_at = free_place(call.scratch, taken);
    }
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      if (is_internal(i)) tensors_[i].name = "sid_" + std::to_string(i) + "_let";
    }
  }

  std::uint64_t free_place(std::uint64_t bytes, const std::vector<std::pair<std::uint64_t, std::uint64_t>>& taken) {
    const auto fits = [&](std::uint64_t begin) {
      return std::none_of(taken.begin(), taken.end(),
                          [&](const auto& range) { return begin < range.second && range.first < begin + bytes; });
    };
    std::uint64_t begin = 16 * pick(6);
    while (!fits(begin)) begin += 16;
    pool_bytes_ = std::max(pool_bytes_, (begin + bytes + 15) / 16 * 16);
    return begin;
  }

  /// Without USMP tensors share variables, as StorageRewrite leaves them.
  void merge_storage() {
    std::vector<std::size_t> owners;
    for (std::size_t at = 0; at < calls_.size(); ++at) {
      for (const std::size_t output : calls_[at].outputs) {
        if (!is_internal(output)) continue;
        NetworkTensor& tensor = tensors_[output];
        const auto free = std::find_if(storage_.begin(), storage_.end(), [&](const Storage& one) {
          return one.free_from < static_cast<int>(at) && pick(2) == 0;
        });
        Storage& storage = free == storage_.end() ? storage_.emplace_back() : *free;
        if (storage.name.empty()) {
          storage.name = "sid_" + std::to_string(storage_.size());
          storage.resource = next_resource_++;
        }
        storage.free_from = tensor.last_use;
        storage.bytes = std::max(storage.bytes, tensor.bytes);
        tensor.name = storage.name;
        tensor.resource = storage.resource;
        tensor.offset = 0;
      }
    }
  }
};

}  // namespace detent::models::tvm
