// AccessDesc: small Descs over named kernels, for tests of what kernels touch.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "tests/support/desc_tables.hpp"

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

  explicit AccessDesc(const std::vector<AccessOp>& ops)
      : weights_(kRegionBytes / 8, 0x3f8000003f000000U), tables_(to_spec(ops)) {}
  AccessDesc(const AccessDesc&) = delete;
  AccessDesc& operator=(const AccessDesc&) = delete;
  [[nodiscard]] const detent_desc& desc() const { return tables_.desc; }

 private:
  static std::vector<std::uint32_t> add_tensors(support::GraphSpec& spec, const std::vector<Bytes>& spans,
                                                const std::string& stem) {
    std::vector<std::uint32_t> ids;
    for (const Bytes& span : spans) {
      const std::string name = stem + std::to_string(ids.size());
      ids.push_back(static_cast<std::uint32_t>(spec.tensors.size()));
      spec.tensors.push_back({.name = name,
                              .region = span.region,
                              .offset_bytes = span.offset,
                              .block_bytes = span.size,
                              .align_bytes = 1,
                              .flags = DETENT_TENSOR_RANGE});
    }
    return ids;
  }

  static void add_op(support::GraphSpec& spec, const AccessOp& from) {
    const auto id = static_cast<std::uint32_t>(spec.ops.size());
    support::OpSpec op{.name = from.kernel + "_" + std::to_string(id), .flags = from.flags, .kernel = id};
    op.inputs = add_tensors(spec, from.inputs, op.name + ".in");
    op.outputs = add_tensors(spec, from.outputs, op.name + ".out");
    op.weights = add_tensors(spec, from.weights, op.name + ".w");
    op.scratch = add_tensors(spec, from.scratch, op.name + ".tmp");
    spec.kernels.push_back(from.kernel);
    spec.ops.push_back(op);
    if (id > 0) spec.edges.emplace_back(id - 1, id);
  }

  support::GraphSpec to_spec(const std::vector<AccessOp>& ops) const {
    support::GraphSpec spec{.name = "access", .kernels = {}, .classes = {{"cpu", DETENT_CLASS_WORKERS}}};
    spec.regions = {{"in", DETENT_REGION_INPUT, kRegionBytes, 8},
                    {"ws", DETENT_REGION_WORKSPACE, kRegionBytes, 8},
                    {"out", DETENT_REGION_OUTPUT, kRegionBytes, 8},
                    {"weights", DETENT_REGION_WEIGHTS, kRegionBytes, 8, weights_.data()}};
    for (const AccessOp& op : ops) add_op(spec, op);
    return spec;
  }

  std::vector<std::uint64_t> weights_;
  support::DescTables tables_;
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
KERNEL(compares) {
  unsigned char *y = a->outputs[0].data;
  memset(y, 0, 4 * N);
  y[4 * N - 1] = 1;
  return memcmp(y, y + 2 * N, 2 * N) < 0 && memcmp(y + 2 * N, y, 2 * N) > 0 && memcmp(y, y + 1, N) == 0 ? 0 : 7;
}
KERNEL(strided) { for (int i = 0; i < N; i += 2) Y[i] = X[2 * i]; for (int i = 1; i < N; i += 2) Y[i] = 0; return 0; }
KERNEL(in_place) { for (int i = 0; i < N; ++i) Y[i] = Y[i] + 1.0f; return 0; }
KERNEL(fails) { return 42; }
KERNEL(restores) {
  volatile unsigned char *next = (volatile unsigned char *)(X + N);
  const unsigned char was = *next;
  *next = was + 1;
  for (int i = 0; i < N; ++i) Y[i] = X[i];
  *next = was;
  return 0;
}
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
  static const std::vector<std::string> names = {
      "scale",         "over_read",    "over_write",    "one_byte_short", "accumulate", "weighted",
      "writes_weight", "with_scratch", "stale_scratch", "local_array",    "moves",      "strided",
      "in_place",      "fails",        "mixed_sizes",   "counts",         "restores",   "compares"};
  return names;
}

}  // namespace detent::harness::testing
