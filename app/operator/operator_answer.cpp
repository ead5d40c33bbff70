#include "app/operator/operator_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <span>

#include "base/counted.hpp"
#include "base/input_error.hpp"
#include "base/io.hpp"
#include "base/words/list.hpp"
#include "base/words/quote.hpp"
#include "models/core/dtypes.hpp"

namespace detent::app {
namespace {

static_assert(std::endian::native == std::endian::little, "files are read and written as the processor has them");

constexpr std::uint64_t kMaxOperandBytes = std::uint64_t{1} << 32U;

using Numbers = std::vector<std::int64_t>;

[[noreturn]] void refuse(const std::string& what, const std::string& word, const std::string& remedy) {
  throw InputError(what + " " + quote_word(word), "", remedy);
}

std::int32_t operator_of(const std::string& name) {
  std::string names;
  for (std::int32_t at = 1; detent_elementwise_name(at) != nullptr; ++at) {
    if (name == detent_elementwise_name(at)) return at;
    names += (names.empty() ? "" : ", ") + std::string(detent_elementwise_name(at));
  }
  throw InputError(name, "", "no such operator; choose " + names);
}

using models::Dtype;

const Dtype& dtype_of(const std::string& option, const std::string& name) {
  const Dtype* const found = models::find_dtype(name);
  if (found == nullptr) refuse(option, name, "no such type; choose f16, bf16, f32 or f64");
  return *found;
}

std::int32_t device_of(const std::string& name) {
  if (name == "cpu") return DETENT_DEVICE_CPU;
  if (name == "gpu") return DETENT_DEVICE_GPU;
  if (name == "npu") return DETENT_DEVICE_NPU;
  if (name == "other") return DETENT_DEVICE_OTHER;
  refuse("--device", name, "no such device; choose cpu, gpu, npu or other");
}

Numbers numbers_of(const std::string& option, const std::string& list) {
  Numbers numbers;
  if (list.empty()) return numbers;
  for (const std::string_view word : split_at_commas(list)) {
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || stop != word.data() + word.size()) {
      refuse(option, list, "must be whole numbers with commas between them, such as 13,4");
    }
    numbers.push_back(number);
  }
  return numbers;
}

/// One list for each of `count` tensors, from as many lists, or from one, or from none (then `fallback`).
std::vector<Numbers> lists_for(const std::string& option, const std::vector<std::string>& words, std::size_t rank,
                               std::size_t count, const Numbers& fallback) {
  const std::vector<std::string> lists = lists_of_words(words, rank);
  if (lists.empty()) return std::vector<Numbers>(count, fallback);
  if (lists.size() != 1 && lists.size() != count) {
    throw InputError(
        option, "",
        fmt::format("{} for {}; give one, or one for each", counted(lists.size(), "list"), counted(count, "tensor")));
  }
  std::vector<Numbers> numbers;
  for (std::size_t k = 0; k < count; ++k) numbers.push_back(numbers_of(option, lists[lists.size() == 1 ? 0 : k]));
  return numbers;
}

/// A tensor's description with the numbers that it points to.
struct OperandTensor {
  std::int32_t dtype = 0;
  Numbers dims{};
  Numbers strides{};
  bool is_row_major = true;

  [[nodiscard]] detent_tensor_desc desc() const {
    return {.struct_bytes = sizeof(detent_tensor_desc),
            .version = DETENT_OPERATOR_VERSION,
            .dtype = dtype,
            .rank = static_cast<std::uint32_t>(dims.size()),
            .dims = dims.data(),
            .strides = is_row_major ? nullptr : strides.data()};
  }
};

OperandTensor tensor_of(const std::string& option, const Dtype& dtype, const Numbers& dims, const Numbers* strides) {
  if (strides != nullptr && strides->size() != dims.size()) {
    throw InputError(option, "",
                     fmt::format("{} for {}; give one stride for each dimension", counted(strides->size(), "stride"),
                                 counted(dims.size(), "dimension")));
  }
  return {dtype.number, dims, strides == nullptr ? Numbers{} : *strides, strides == nullptr};
}

/// Sizes of an operand's file, in elements.
struct Storage {
  std::uint64_t extent = 0;  ///< from the lowest to the highest element
  std::uint64_t padded = 0;  ///< every row of the outermost dimension to its end
  std::uint64_t first = 0;   ///< before element 0
};

Storage storage_of(const detent_operator& op, std::uint32_t k) {
  Storage storage{1, 0, 0};
  for (std::uint32_t dim = 0; dim < op.rank; ++dim) {
    const std::int64_t stride = op.strides[k][dim];
    if (op.dims[dim] == 0) return {};
    const auto steps = static_cast<std::uint64_t>(op.dims[dim] - 1);
    const std::uint64_t reach = steps * static_cast<std::uint64_t>(std::abs(stride));
    storage.extent += reach;
    if (stride < 0) storage.first += reach;
    storage.padded = std::max(storage.padded, reach + static_cast<std::uint64_t>(std::abs(stride)));
  }
  storage.padded = std::max(storage.padded, storage.extent);
  return storage;
}

/// Memory of an operand, aligned to its elements.
class Memory {
 public:
  explicit Memory(std::uint64_t bytes) : words_((bytes + 7) / 8), bytes_(bytes) {}
  [[nodiscard]] char* at(std::uint64_t byte) { return reinterpret_cast<char*>(words_.data()) + byte; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  std::vector<std::uint64_t> words_;
  std::uint64_t bytes_;
};

Memory read_operand(const std::string& path, const Storage& storage, std::int64_t element_bytes) {
  const std::string bytes = read_regular_file(path, kMaxOperandBytes);
  const auto size = static_cast<std::uint64_t>(element_bytes);
  if (bytes.size() != storage.extent * size && bytes.size() != storage.padded * size) {
    const std::string padded =
        storage.padded == storage.extent ? "" : fmt::format(", or {} with the last row's gap", storage.padded * size);
    throw InputError(path, "",
                     fmt::format("has {} bytes; the tensor has {}{}", bytes.size(), storage.extent * size, padded));
  }
  Memory memory(bytes.size());
  std::ranges::copy(bytes, memory.at(0));
  return memory;
}

void require_size(const std::string& what, const Storage& storage, std::int64_t element_bytes) {
  if (storage.padded > kMaxOperandBytes / static_cast<std::uint64_t>(element_bytes)) {
    throw InputError(what, "", "is above 4 GiB; give a smaller shape or smaller strides");
  }
}

/// Calculates in parts, one after another.
detent_operator_status calculate_parts(const detent_operator& op, std::uint32_t parts, char* output,
                                       const std::vector<char*>& inputs, std::int64_t element_bytes) {
  for (std::uint32_t index = 0; index < parts; ++index) {
    detent_operator part = {};
    std::int64_t offsets[1 + DETENT_OPERATOR_MAX_INPUTS] = {};
    if (const auto status = detent_operator_part(&op, parts, index, &part, offsets); status != 0) return status;
    const void* from[DETENT_OPERATOR_MAX_INPUTS] = {};
    for (std::size_t k = 0; k < inputs.size(); ++k) from[k] = inputs[k] + offsets[k + 1] * element_bytes;
    const auto status =
        detent_operator_calculate(&part, nullptr, 0, output + offsets[0] * element_bytes, from, nullptr);
    if (status != DETENT_OPERATOR_SUCCESS) return status;
  }
  return DETENT_OPERATOR_SUCCESS;
}

/// The operator with its files.
class Calculation {
 public:
  Calculation(const OperatorRequest& wanted, const detent_operator& op, const Dtype& dtype)
      : wanted_(wanted), op_(op), bytes_(static_cast<std::int64_t>(dtype.bytes)) {
    for (std::uint32_t k = 0; k <= op.input_count; ++k) {
      storage_.push_back(storage_of(op, k));
      require_size(k == 0 ? "the output" : fmt::format("input {}", k - 1), storage_.back(), bytes_);
    }
  }

  [[nodiscard]] const Storage& storage(std::size_t k) const { return storage_[k]; }

  detent_operator_status run() {
    bool is_padded = false;
    for (std::size_t k = 0; k < op_.input_count; ++k) {
      inputs_.push_back(read_operand(wanted_.inputs[k], storage_[k + 1], bytes_));
      is_padded |= inputs_.back().bytes() != storage_[k + 1].extent * size();
    }
    const std::optional<std::size_t> place = input_in_place();
    Memory made(place ? 0 : (is_padded ? storage_[0].padded : storage_[0].extent) * size());
    Memory& output = place ? inputs_[*place] : made;
    // In place element 0 of the output is that of the input, wherever it lies.
    const Storage& placed = storage_[place ? *place + 1 : 0];
    std::vector<char*> from;
    for (std::size_t k = 0; k < op_.input_count; ++k) from.push_back(inputs_[k].at(storage_[k + 1].first * size()));
    const detent_operator_status status =
        calculate_parts(op_, wanted_.parts, output.at(placed.first * size()), from, bytes_);
    if (status == DETENT_OPERATOR_SUCCESS) {
      write_file_atomically(wanted_.output, std::string_view(output.at(0), output.bytes()));
    }
    return status;
  }

 private:
  [[nodiscard]] std::uint64_t size() const { return static_cast<std::uint64_t>(bytes_); }

  /// The input whose memory the output takes: as asked for, or the one whose file the output's is.
  [[nodiscard]] std::optional<std::size_t> input_in_place() const {
    if (wanted_.in_place) return 0;
    for (std::size_t k = 0; k < op_.input_count; ++k) {
      std::error_code error;
      if (std::filesystem::equivalent(wanted_.inputs[k], wanted_.output, error)) return k;
    }
    return std::nullopt;
  }

  const OperatorRequest& wanted_;
  const detent_operator& op_;
  std::int64_t bytes_;
  std::vector<Storage> storage_{};
  std::vector<Memory> inputs_{};
};

void require_files(const OperatorRequest& wanted, std::size_t inputs) {
  if (wanted.output.empty()) {
    if (!wanted.inputs.empty()) throw InputError("--input", "", "is given without --output; add --output FILE");
    return;
  }
  if (wanted.inputs.size() != inputs) {
    throw InputError("--input", "",
                     fmt::format("{} for an operator of {}; give --input once for each",
                                 counted(wanted.inputs.size(), "file"), counted(inputs, "input")));
  }
}

/// What people do about a status; the operator itself says no more than its name.
std::string remedy_of(detent_operator_status status, std::uint32_t params) {
  static const std::map<int, const char*> kRemedies = {
      {DETENT_OPERATOR_DEVICE_TYPE_NOT_SUPPORTED, "the CPU alone calculates operators"},
      {DETENT_OPERATOR_BAD_TENSOR_DTYPE, "all tensors have one type: f16, bf16, f32 or f64"},
      {DETENT_OPERATOR_BAD_TENSOR_SHAPE, "all tensors have one shape of at most 8 dimensions, none negative"},
      {DETENT_OPERATOR_BAD_TENSOR_STRIDES,
       "each element of the output needs a place of its own, and an input in its memory the same strides"}};
  if (status == DETENT_OPERATOR_BAD_PARAM) {
    if (params == 0) return "; it takes no --params";
    return params == 1 ? "; it takes one number: --params X" : "; it takes numbers in order: --params LOWER,UPPER";
  }
  const auto found = kRemedies.find(status);
  return found == kRemedies.end() ? "" : std::string("; ") + found->second;
}

}  // namespace

std::vector<std::string> lists_of_words(const std::vector<std::string>& words, std::size_t rank) {
  const bool has_comma = std::ranges::any_of(words, [](const std::string& w) { return w.find(',') != w.npos; });
  if (has_comma || words.size() < 2 || rank == 1) return words;
  std::string list = words.front();
  for (const std::string& word : std::span(words).subspan(1)) list += "," + word;
  return {list};
}

OperatorAnswer run_operator(const OperatorRequest& wanted) {
  const std::int32_t elementwise = operator_of(wanted.name);
  const std::size_t count = detent_elementwise_inputs(elementwise);
  const Dtype& dtype = dtype_of("--dtype", wanted.dtype);
  const std::vector<std::string> shapes = lists_of_words(wanted.shape, wanted.shape.size());
  if (shapes.size() > 1) throw InputError("--shape", "", "is one list, such as 13,4");
  const Numbers dims = shapes.empty() ? Numbers{} : numbers_of("--shape", shapes.front());
  if (!wanted.in_dtypes.empty() && wanted.in_dtypes.size() != 1 && wanted.in_dtypes.size() != count) {
    throw InputError("--in-dtype", "", "give one type, or one for each input");
  }
  const std::vector<Numbers> in_dims = lists_for("--in-shape", wanted.in_shapes, dims.size(), count, dims);
  const std::vector<Numbers> in_strides = lists_for("--in-strides", wanted.in_strides, dims.size(), count, {});
  const Numbers out_strides = lists_for("--out-strides", wanted.out_strides, dims.size(), 1, {}).front();
  require_files(wanted, count);

  const OperandTensor output =
      tensor_of("--out-strides", dtype, dims, wanted.out_strides.empty() ? nullptr : &out_strides);
  std::vector<OperandTensor> inputs;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t word = wanted.in_dtypes.size() == 1 ? 0 : k;
    inputs.push_back(tensor_of("--in-strides",
                               wanted.in_dtypes.empty() ? dtype : dtype_of("--in-dtype", wanted.in_dtypes[word]),
                               in_dims[k], wanted.in_strides.empty() ? nullptr : &in_strides[k]));
  }
  const detent_tensor_desc output_desc = output.desc();
  std::vector<detent_tensor_desc> descs;
  for (const OperandTensor& input : inputs) descs.push_back(input.desc());
  std::vector<const detent_tensor_desc*> pointers;
  for (const detent_tensor_desc& desc : descs) pointers.push_back(&desc);

  OperatorAnswer made;
  detent_operator op = {};
  made.status = detent_operator_create(&op, elementwise, device_of(wanted.device), &output_desc, pointers.data(),
                                       static_cast<std::uint32_t>(count), wanted.params.data(),
                                       static_cast<std::uint32_t>(wanted.params.size()));
  Request request = wanted.request;
  request.model = wanted.name;
  Json& json = made.answer.json = json_header("op", request);
  std::string done = "valid";
  json["status"] = Json::object();  // its place in the answer
  json["dtype"] = wanted.dtype;
  json["shape"] = dims;
  if (made.status == DETENT_OPERATOR_SUCCESS) {
    Calculation calculation(wanted, op, dtype);
    if (!wanted.output.empty()) {
      made.status = calculation.run();
      done = "written to " + wanted.output;
    }
    std::uint64_t workspace = 0;
    if (detent_operator_workspace_bytes(&op, &workspace) == DETENT_OPERATOR_SUCCESS)
      json["workspace_bytes"] = workspace;
    json["inputs"] = Json::array();
    for (std::size_t k = 1; k <= count; ++k) json["inputs"].push_back({{"elements", calculation.storage(k).extent}});
    json["output"] = {{"elements", calculation.storage(0).extent}};
  }
  const char* const name = detent_operator_status_name(made.status);
  json["status"] = {{"name", name}, {"number", int(made.status)}};
  made.answer.lines.push_back(fmt::format(
      "{} {} [{}]: {} ({}){}", wanted.name, wanted.dtype, fmt::join(dims, ","), name, int(made.status),
      made.status == DETENT_OPERATOR_SUCCESS ? ", " + done
                                             : remedy_of(made.status, detent_elementwise_params(elementwise))));
  return made;
}

}  // namespace detent::app
