#include "models/builder/winograd.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <detent/limits.h>
#include <detent/op_config.h>

#include "models/builder/builder_internal.hpp"
#include "models/core/weights.hpp"

namespace detent::models {
namespace {

constexpr std::int32_t kPlaces = 36;                           // products of a tile
constexpr std::uint64_t kTilesBytes = std::uint64_t{3} << 18;  // of transformed input at a time: it stays in an L2
constexpr std::uint64_t kLeastTiles = 14;                      // at a time: what a register tile is wide

std::uint64_t tile_bytes(const detent_conv2d_config& c) {
  return std::uint64_t{4} * kPlaces * 16 * static_cast<std::uint64_t>(blocks_of(c.in_channels));
}

std::uint64_t tiles_of(const detent_conv2d_config& c) {
  const auto along = [](std::int32_t pixels) { return (pixels + DETENT_WINOGRAD_TILE - 1) / DETENT_WINOGRAD_TILE; };
  return product({along(c.row_end - c.row_begin), along(c.out_w)});
}

// Multiplications and additions: of the products, and of both transformations.
std::uint64_t operations_of(const detent_conv2d_config& c) {
  const std::uint64_t in = static_cast<std::uint64_t>(blocks_of(c.in_channels)) * 16;
  const std::uint64_t out = static_cast<std::uint64_t>(blocks_of(c.out_channels)) * 16;
  constexpr std::uint64_t kOfInput = 144;
  constexpr std::uint64_t kOfOutput = 100;
  return tiles_of(c) * (2 * kPlaces * in * out + kOfInput * in + kOfOutput * out);
}

/// From [OC/16][IC/16][3][3][16][16].
std::vector<std::uint8_t> transformed(const std::vector<std::uint8_t>& packed, const detent_conv2d_config& c) {
  const auto in_blocks = static_cast<std::size_t>(blocks_of(c.in_channels));
  const auto out_blocks = static_cast<std::size_t>(blocks_of(c.out_channels));
  std::vector<float> from(packed.size() / sizeof(float));
  std::memcpy(from.data(), packed.data(), packed.size());
  std::vector<std::uint8_t> bytes(out_blocks * in_blocks * kPlaces * 256 * sizeof(float));
  std::vector<float> to(bytes.size() / sizeof(float));
  for (std::size_t block = 0; block < out_blocks * in_blocks; ++block) {
    for (std::size_t lane = 0; lane < 256; ++lane) {
      float filter[9];
      for (std::size_t tap = 0; tap < 9; ++tap) filter[tap] = from[(block * 9 + tap) * 256 + lane];
      float places[kPlaces];
      winograd_filter(filter, places);
      const std::size_t out = block / in_blocks;
      for (std::size_t p = 0; p < kPlaces; ++p) {
        to[((out * kPlaces + p) * in_blocks + block % in_blocks) * 256 + lane] = places[p];
      }
    }
  }
  std::memcpy(bytes.data(), to.data(), bytes.size());
  return bytes;
}

Tensor transformed_weights(const Model& model, std::uint32_t weights, const detent_conv2d_config& c) {
  Tensor tensor = model.tensors[weights];
  if (tensor.init.kind == WeightInit::Kind::kHeNormal && tensor.init.unpadded_dims.size() == 4) {
    tensor.init.kind = WeightInit::Kind::kWinograd;
  } else {
    std::vector<std::uint8_t> packed(tensor.size_bytes);
    materialise_weight(model, TensorId(weights), packed);
    tensor.init = WeightInit{};
    tensor.init.kind = WeightInit::Kind::kBytes;
    tensor.init.bytes = transformed(packed, c);
  }
  tensor.dims = {blocks_of(c.out_channels), kPlaces, blocks_of(c.in_channels), 16, 16};
  tensor.size_bytes = tensor.block_bytes = tensor.size_bytes / 9 * kPlaces;
  return tensor;
}

}  // namespace

const char* winograd_fault(const Model& model, const Op& op) {
  if (op.kernel != "conv2d_f32") return "is no conv2d_f32";
  const auto c = read_config<detent_conv2d_config>(op);
  if (op.inputs.empty() || op.weights.size() != 2 || !op.scratch.empty()) return "has other tensors than a conv2d_f32";
  if (model.tensors[op.inputs[0]].layout != DETENT_LAYOUT_C16) return "reads an image that is not C16";
  if (c.kernel_h != 3 || c.kernel_w != 3) return "has no 3x3 kernel";
  if (c.stride_h != 1 || c.stride_w != 1 || c.dilation_h != 1 || c.dilation_w != 1) return "has a stride or a dilation";
  if (c.groups != 1) return "has groups";
  if (c.row_begin % DETENT_WINOGRAD_TILE != 0) return "is a band that begins within a tile of 4 rows";
  const Tensor& weights = model.tensors[op.weights[0]];
  if (weights.alias_of != kNone) return "has weights that are a part of others";
  if (weights.size_bytes != product({blocks_of(c.out_channels), blocks_of(c.in_channels), 9}) * 256 * sizeof(float))
    return "has weights of another size";
  if (weights.size_bytes > DETENT_MAX_BYTES / kPlaces) return "has weights that would be too large";
  return nullptr;
}

std::uint64_t winograd_tiles(const Op& op) { return tiles_of(read_config<detent_conv2d_config>(op)); }

void give_winograd_scratch(Model& model, Op& op) {
  const auto c = read_config<detent_conv2d_config>(op);
  const std::uint64_t wanted = std::max(kTilesBytes / tile_bytes(c) / kLeastTiles * kLeastTiles, kLeastTiles);
  Tensor scratch;
  scratch.name = op.name + ".winograd";
  scratch.role = TensorRole::kScratch;
  scratch.size_bytes = scratch.block_bytes =
      sizeof(float) * std::uint64_t{DETENT_WINOGRAD_PRODUCTS} + std::min(wanted, tiles_of(c)) * tile_bytes(c);
  scratch.dims = {static_cast<std::int32_t>(scratch.size_bytes / sizeof(float))};
  if (!op.scratch.empty()) {
    model.tensors[op.scratch[0]] = std::move(scratch);
    return;
  }
  op.scratch = {static_cast<std::uint32_t>(model.tensors.size())};
  model.tensors.push_back(std::move(scratch));
}

void use_winograd(Model& model, const std::vector<OpId>& ops) {
  const std::set<OpId> chosen(ops.begin(), ops.end());
  std::set<std::uint32_t> kept;  // weights that something else reads
  for (OpId id = 0; id < model.ops.size(); ++id) {
    const Op& op = model.ops[id];
    for (std::size_t i = chosen.contains(id) ? 1 : 0; i < op.weights.size(); ++i) kept.insert(op.weights[i]);
  }
  for (const Tensor& tensor : model.tensors) {
    if (tensor.alias_of != kNone) kept.insert(tensor.alias_of);
  }
  std::map<std::uint32_t, std::uint32_t> weights;  // by those of conv2d_f32
  for (const OpId id : chosen) {
    Op& op = model.ops[id];
    const auto config = read_config<detent_conv2d_config>(op);
    const auto [entry, is_new] = weights.emplace(op.weights[0], op.weights[0]);
    if (is_new) {
      Tensor tensor = transformed_weights(model, op.weights[0], config);
      if (kept.contains(op.weights[0])) {
        tensor.name += ".winograd";
        tensor.region = kNone;
        entry->second = static_cast<std::uint32_t>(model.tensors.size());
        model.tensors.push_back(std::move(tensor));
      } else {
        model.tensors[op.weights[0]] = std::move(tensor);
      }
    }
    op.weights[0] = entry->second;
    op.kernel = "conv2d_winograd_f32";
    op.flops = operations_of(config);
    give_winograd_scratch(model, op);
  }
}

}  // namespace detent::models
