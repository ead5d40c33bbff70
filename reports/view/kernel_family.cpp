// Kernel family: words of operator names, as TVM, ONNX and TFLite write them.
#include "reports/view/kernel_family.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace detent::reports {
namespace {

struct Words {
  KernelFamily family;
  std::span<const std::string_view> words;
};

constexpr auto kConvolution = std::to_array<std::string_view>({"conv", "depthwise"});
constexpr auto kProduct =
    std::to_array<std::string_view>({"dense", "matmul", "gemm", "fully", "fullyconnected", "einsum", "mm"});
constexpr auto kNormalisation = std::to_array<std::string_view>({"softmax", "norm", "batchnorm", "lrn", "dfl"});
constexpr auto kPooling = std::to_array<std::string_view>({"pool", "reduce", "argmax", "mean"});
constexpr auto kElementwise = std::to_array<std::string_view>(
    {"add",        "sub",     "subtract", "mul",  "multiply", "div",         "divide", "relu",
     "sigmoid",    "silu",    "swish",    "tanh", "clip",     "cast",        "bias",   "quantize",
     "requantize", "maximum", "minimum",  "sum",  "sqrt",     "elementwise", "gelu",   "act"});
constexpr auto kData =
    std::to_array<std::string_view>({"pad",      "padding", "reshape", "copy",   "concat",  "transpose", "resize",
                                     "upsample", "slice",   "split",   "gather", "flatten", "layout",    "squeeze",
                                     "expand",   "memcpy",  "strided", "take",   "tile",    "shuffle",   "convert"});

/// The heaviest first: a fused operator is what takes its time.
constexpr std::array<Words, 6> kFamilies = {{{KernelFamily::kConvolution, kConvolution},
                                             {KernelFamily::kProduct, kProduct},
                                             {KernelFamily::kNormalisation, kNormalisation},
                                             {KernelFamily::kPooling, kPooling},
                                             {KernelFamily::kElementwise, kElementwise},
                                             {KernelFamily::kData, kData}}};

/// Letters of one part of a name, "conv" of "conv2d": words begin a part, long ones may stand inside ("maxpool").
bool holds_word(std::string_view part, std::string_view word) {
  constexpr std::size_t kLongWord = 4;
  if (part.starts_with("convert")) return word == "convert";
  return word.size() >= kLongWord ? part.find(word) != std::string_view::npos : part == word;
}

/// Parts of letters, lower case: "Conv2d_Add" is "conv", "d", "add".
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts(1);
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalpha(letter) != 0) {
      parts.back() += static_cast<char>(std::tolower(letter));
    } else if (!parts.back().empty()) {
      parts.emplace_back();
    }
  }
  return parts;
}

std::optional<KernelFamily> find_family(std::string_view name) {
  const std::vector<std::string> parts = parts_of(name);
  for (const Words& family : kFamilies) {
    for (const std::string& part : parts) {
      const auto is_in = [&](std::string_view word) { return holds_word(part, word); };
      if (std::ranges::any_of(family.words, is_in)) return family.family;
    }
  }
  return std::nullopt;
}

}  // namespace

const char* family_name(KernelFamily family) {
  switch (family) {
    case KernelFamily::kConvolution:
      return "convolution";
    case KernelFamily::kElementwise:
      return "elementwise";
    case KernelFamily::kPooling:
      return "pooling";
    case KernelFamily::kNormalisation:
      return "softmax, normalisation";
    case KernelFamily::kData:
      return "pad, reshape, copy";
    case KernelFamily::kProduct:
      return "matrix product";
    case KernelFamily::kOther:
      return "other";
  }
  return "other";
}

KernelFamily family_of(std::string_view kernel, std::string_view op) {
  if (const auto family = find_family(kernel)) return *family;
  return find_family(op).value_or(KernelFamily::kOther);
}

}  // namespace detent::reports
