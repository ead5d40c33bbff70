// AccessDesc: small Descs over named kernels, for tests of what kernels touch.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "tests/support/desc_storage.hpp"

namespace detent::harness::testing {

/// Bytes of one region.
struct Bytes {
  std::uint32_t region = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

struct AccessOp {
  std::string kernel;
  std::vector<Bytes> inputs, outputs, weights{}, scratch{};
  std::uint32_t flags = 0;
};

/// Regions: 0 "in" (INPUT), 1 "ws" (WORKSPACE), 2 "out" (OUTPUT), 3 "weights" (WEIGHTS), of 256 bytes each. Ops run
/// one after another.
class AccessDesc {
 public:
  static constexpr std::uint32_t kIn = 0, kWs = 1, kOut = 2, kWeights = 3;
  static constexpr std::uint64_t kRegionBytes = 256;

  explicit AccessDesc(const std::vector<AccessOp>& ops) : weights_(kRegionBytes / 8, 0x3f8000003f000000U) {
    tables_.classes = {{"cpu", DETENT_CLASS_WORKERS}};
    for (const AccessOp& op : ops) add(op);
    fill();
  }
  AccessDesc(const AccessDesc&) = delete;
  AccessDesc& operator=(const AccessDesc&) = delete;
  [[nodiscard]] const detent_desc& desc() const { return desc_; }

 private:
  detent_slice add_tensors(const std::vector<Bytes>& spans, const std::string& stem) {
    std::vector<std::uint32_t> ids;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      ids.push_back(static_cast<std::uint32_t>(tables_.tensors.size()));
      const char* name = tables_.keep(stem + std::to_string(i));
      tables_.tensors.push_back(support::range_tensor(name, spans[i].region, spans[i].offset, spans[i].size));
    }
    return support::append(tables_.tensor_refs, ids);
  }

  void add(const AccessOp& spec) {
    const auto id = static_cast<std::uint32_t>(tables_.ops.size());
    const std::string name = spec.kernel + "_" + std::to_string(id);
    detent_op op{};
    op.name = tables_.keep(name);
    op.id = id;
    op.kernel = id;
    tables_.kernels.push_back(tables_.keep(spec.kernel));
    op.flags = spec.flags;
    op.inputs = add_tensors(spec.inputs, name + ".in");
    op.outputs = add_tensors(spec.outputs, name + ".out");
    op.weights = add_tensors(spec.weights, name + ".w");
    op.scratch = add_tensors(spec.scratch, name + ".tmp");
    op.commute_group = DETENT_NONE;
    op.entry_count = id == 0 ? 0 : 1;
    tables_.ops.push_back(op);
  }

  void fill() {
    std::vector<std::vector<std::uint32_t>> successors(tables_.ops.size());
    for (std::uint32_t id = 0; id + 1 < successors.size(); ++id) successors[id] = {id + 1};
    tables_.set_successors(successors);
    const auto region = [](const char* name, detent_region_kind kind, const void* data) {
      return detent_region{name, kind, kRegionBytes, 8, data};
    };
    tables_.regions = {region("in", DETENT_REGION_INPUT, nullptr), region("ws", DETENT_REGION_WORKSPACE, nullptr),
                       region("out", DETENT_REGION_OUTPUT, nullptr),
                       region("weights", DETENT_REGION_WEIGHTS, weights_.data())};
    desc_.name = "access";
    tables_.point(desc_);
  }

  std::vector<std::uint64_t> weights_;
  support::DescStorage tables_;
  detent_desc desc_{};
};

/// Input of 64 floats 0.5, 0.25, ..., so that sums and products show every operand.
inline std::vector<std::uint8_t> access_input() {
  std::vector<std::uint8_t> bytes(AccessDesc::kRegionBytes);
  for (std::size_t i = 0; i < bytes.size() / 4; ++i) {
    const float value = 0.5f + 0.25f * static_cast<float>(i);
    std::memcpy(bytes.data() + 4 * i, &value, sizeof value);
  }
  return bytes;
}

/// Source of one module with well-behaved and misbehaving kernels over floats (n = output bytes / 4).
inline std::string access_kernels_text() {
  return R"(
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <detent/backend.h>
#define X ((const float *)a->inputs[0].data)
#define Y ((float *)a->outputs[0].data)
#define W ((const float *)a->weights[0].data)
#define T ((float *)a->scratch[0].data)
#define N ((int)(a->outputs[0].tensor->size_bytes / 4))
#define KERNEL(name) static int32_t name(const detent_kernel_args *a)
KERNEL(scale) { for (int i = 0; i < N; ++i) Y[i] = expf(X[i] * 0.25f); return 0; }
KERNEL(over_read) { for (int i = 0; i < N; ++i) Y[i] = X[i] + X[i + 1]; return 0; }
KERNEL(over_write) { for (int i = 0; i <= N; ++i) Y[i] = 1.0f; return 0; }
KERNEL(one_byte_short) { unsigned char *y = a->outputs[0].data; for (int i = 0; i < 4 * N - 1; ++i) y[i] = 7; return 0; }
KERNEL(accumulate) { for (int i = 0; i < N; ++i) Y[i] += X[i]; return 0; }
KERNEL(weighted) { for (int i = 0; i < N; ++i) Y[i] = X[i] * W[i]; return 0; }
KERNEL(writes_weight) { for (int i = 0; i < N; ++i) { Y[i] = X[i]; ((float *)W)[i] = 3.0f; } return 0; }
KERNEL(with_scratch) {
  for (int i = 0; i < N; ++i) T[i] = X[i] * X[i];
  for (int i = 0; i < N; ++i) Y[i] = T[i] + T[N - 1 - i];
  return 0;
}
KERNEL(stale_scratch) { for (int i = 0; i < N; ++i) { Y[i] = T[i]; T[i] = X[i]; } return 0; }
KERNEL(local_array) {
  float t[64];
  for (int i = 0; i < N; ++i) t[i] = X[i];
  for (int i = 0; i < N; ++i) Y[i] = t[N - 1 - i];
  return 0;
}
KERNEL(moves) { memcpy(Y, X, 4 * N); memmove(Y + 1, Y, 4 * (N - 1)); memset(Y, 0, 4); return memcmp(X, X + 1, 8) == 12345; }
KERNEL(strided) { for (int i = 0; i < N; i += 2) Y[i] = X[2 * i]; for (int i = 1; i < N; i += 2) Y[i] = 0; return 0; }
KERNEL(in_place) { for (int i = 0; i < N; ++i) Y[i] = Y[i] + 1.0f; return 0; }
KERNEL(fails) { return 42; }
static int ascending(const void *p, const void *q) { return (*(const float *)p > *(const float *)q) - (*(const float *)p < *(const float *)q); }
KERNEL(sorts) { for (int i = 0; i < N; ++i) Y[i] = X[i]; qsort(Y, N, 4, ascending); return 0; }
KERNEL(mixed_sizes) {
  const unsigned char *x = a->inputs[0].data;
  unsigned char *y = a->outputs[0].data;
  struct block { short s[6]; } *to = (struct block *)(y + 4);
  *(short *)y = *(const short *)x;
  y[2] = x[2]; y[3] = x[3];
  *to = *(const struct block *)(x + 4);
  *(double *)(y + 16) = *(const double *)(x + 16);
  __builtin_memcpy(y + 24, x + 25, 7); y[31] = 0;
  return 0;
}
KERNEL(counts) { return __atomic_fetch_add((int *)Y, 1, __ATOMIC_SEQ_CST), __atomic_store_n((int *)Y, *(int *)X, 0), 0; }
)";
}

inline const std::vector<std::string>& access_kernel_names() {
  static const std::vector<std::string> names = {"scale",         "over_read",   "over_write",    "one_byte_short",
                                                 "accumulate",    "weighted",    "writes_weight", "with_scratch",
                                                 "stale_scratch", "local_array", "moves",         "strided",
                                                 "in_place",      "fails",       "mixed_sizes",   "counts"};
  return names;
}

}  // namespace detent::harness::testing
