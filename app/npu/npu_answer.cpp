#include "app/npu/npu_answer.hpp"

#include <stdexcept>
#include <utility>

#include "app/npu/network.hpp"

namespace detent::app {
namespace {

/// Exactly one of the options and MODEL says what is timed.
void require_one_layer(const NpuRequest& wanted) {
  const std::pair<const char*, const std::string*> ways[] = {
      {"--gemm", &wanted.gemm},           {"--conv", &wanted.conv},
      {"--depthwise", &wanted.depthwise}, {"--elementwise", &wanted.elementwise},
      {"--layers", &wanted.layers},       {"MODEL", &wanted.network}};
  std::string given;
  for (const auto& [name, value] : ways) {
    if (value->empty()) continue;
    if (!given.empty())
      throw std::invalid_argument("npu: " + given + " and " + name +
                                  ": only one layer is timed; leave one of them out");
    given = name;
  }
  if (given.empty()) {
    throw std::invalid_argument(
        "npu: a layer is missing; give one of --gemm, --conv, --depthwise, --elementwise, --layers or MODEL");
  }
}

}  // namespace

Answer answer_npu(const NpuRequest& wanted, const OnProgress& on_progress) {
  require_one_layer(wanted);
  require_options_of(wanted, wanted.network, wanted.platform, wanted.private_ports);
  if (wanted.network.empty()) return time_layers(wanted, on_progress);
  Request request = wanted.request;
  request.model = wanted.network;
  return map_model_onto_npu(request, wanted.platform);
}

}  // namespace detent::app
