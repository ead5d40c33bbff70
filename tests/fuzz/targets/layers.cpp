// Layer files (CSV): each layer within its limits, whatever the file says.
#include "sim/npu/topology.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {
namespace {

bool is_dim(std::uint64_t value) { return value > 0 && value <= sim::npu::kMaxDim; }

}  // namespace

void layers_target(std::string_view input) {
  std::vector<sim::npu::Layer> layers;
  if (!accepts([&] { layers = sim::npu::parse_layers(std::string(input), kInputName); })) return;
  require(!layers.empty(), "a file has a layer");
  for (const sim::npu::Layer& layer : layers) {
    if (layer.kind == sim::npu::Layer::Kind::kConv) {
      const auto& c = layer.conv;
      require(is_dim(c.in_h) && is_dim(c.in_w) && is_dim(c.channels) && is_dim(c.filters), "dims in range");
      require(c.filter_h <= c.in_h && c.filter_w <= c.in_w && c.filter_h > 0 && c.filter_w > 0, "the filter fits");
    } else {
      require(is_dim(layer.gemm.m) && is_dim(layer.gemm.n) && is_dim(layer.gemm.k), "dims in range");
    }
  }
}

}  // namespace detent::fuzz
