#include "runtime/backends/npu_prepared.h"

#include "runtime/backends/npu_layout.h"
#include "runtime/base/fingerprint.h"

namespace detent::npu {
namespace {

constexpr std::uint64_t kMagic = 0x01554e5445440a8fU;  // version 1 of the form
constexpr std::uint64_t kTable = sizeof(FormHeader);
/// No form is as large: sums below it do not wrap.
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 62;

const std::uint8_t *bytes_of(const detent_desc &desc, const detent_tensor &tensor) {
  return static_cast<const std::uint8_t *>(desc.regions[tensor.region].data) + tensor.offset_bytes;
}

std::uint64_t constants_begin(const detent_desc &desc) {
  return round_up(kTable + std::uint64_t{desc.tensor_count} * sizeof(std::uint64_t));
}

void add_tensor(Fingerprint &print, const detent_tensor &tensor) {
  print.add(tensor.region);
  print.add(tensor.flags);
  print.add(tensor.offset_bytes);
  print.add(tensor.size_bytes);
  print.add(tensor.block_bytes);
  print.add(tensor.stride_bytes);
  print.add(tensor.block_count);
  print.add(tensor.align_bytes);
  print.add(std::uint64_t{tensor.dtype} << 32 | std::uint64_t{tensor.layout} << 16 | tensor.rank);
  for (std::uint32_t i = 0; i < tensor.rank; ++i) print.add(static_cast<std::uint32_t>(tensor.dims[i]));
}

void add_blocks(Fingerprint &print, const detent_desc &desc, const detent_tensor &tensor) {
  const std::uint8_t *const first = bytes_of(desc, tensor);
  for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
    print.add_bytes(first + static_cast<std::size_t>(block * tensor.stride_bytes), tensor.block_bytes);
  }
}

void add_op(Fingerprint &print, const detent_desc &desc, const detent_op &op) {
  print.add(op.id);
  print.add_text(desc.kernels[op.kernel]);
  print.add(op.flags);
  print.add(op.config_size);
  print.add_bytes(desc.config_bytes + op.config_offset, op.config_size);
  print.add(op.inputs.count);
  print.add(op.outputs.count);
  print.add(op.weights.count);
  print.add(op.scratch.count);
  const TensorsOfOp tensors(desc, op);
  for (std::uint32_t i = 0; i < tensors.count(); ++i) {
    print.add(tensors.id(i));
    add_tensor(print, tensors[i]);
    print.add(is_constant(desc, tensors[i]) ? 1 : 0);
    if (is_constant(desc, tensors[i])) add_blocks(print, desc, tensors[i]);
  }
  print.add(op.successors.count);
  for (std::uint32_t i = 0; i < op.successors.count; ++i) print.add(desc.successors[op.successors.first + i]);
}

void token_of(const detent_desc &desc, const detent_kernel_table &kernels, std::uint8_t *token) {
  Fingerprint print;
  print.add(kMagic);
  print.add_text(kName);
  print.add_text(kRelease);
  print.add(desc.tensor_count);
  for (std::uint32_t id = 0; id < desc.op_count; ++id) {
    if (is_for_device(desc, desc.ops[id], kernels)) add_op(print, desc, desc.ops[id]);
  }
  print.get(token);
}

/// Bytes that are enough for the form: a constant counts for each op that reads it, with less than a cache line before
/// it and less than one for its place in one. 0: more than kMaxBytes.
std::uint64_t enough_bytes(const detent_desc &desc, const detent_kernel_table &kernels) {
  std::uint64_t bytes = constants_begin(desc);
  for (std::uint32_t id = 0; id < desc.op_count; ++id) {
    if (!is_for_device(desc, desc.ops[id], kernels)) continue;
    const TensorsOfOp tensors(desc, desc.ops[id]);
    for (std::uint32_t i = 0; i < tensors.count(); ++i) {
      if (is_constant(desc, tensors[i])) bytes += round_up(tensors[i].size_bytes) + 2 * kAlign;
      if (bytes > kMaxBytes) return 0;
    }
  }
  return bytes;
}

std::uint64_t read_word(const std::uint8_t *at) {
  std::uint64_t word = 0;
  memcpy(&word, at, sizeof word);
  return word;
}

std::uint64_t place_of(const std::uint8_t *form, std::uint32_t tensor) {
  return read_word(form + kTable + std::size_t{tensor} * sizeof(std::uint64_t));
}

/// Writes constants one after the other.
class Packer {
 public:
  Packer(const detent_desc &desc, std::uint8_t *form) : desc_(desc), form_(form), used_(constants_begin(desc)) {
    memset(form, 0, static_cast<std::size_t>(used_));
  }
  /// Once, however often it is asked for.
  void add(std::uint32_t id) {
    const detent_tensor &tensor = desc_.tensors[id];
    if (!is_constant(desc_, tensor) || place_of(form_, id) != 0) return;
    const std::uint64_t begin = round_up(used_) + tensor.offset_bytes % kAlign;
    const std::uint64_t end = begin + tensor.size_bytes;
    memset(form_ + used_, 0, static_cast<std::size_t>(end - used_));
    const std::uint8_t *const from = bytes_of(desc_, tensor);
    for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
      const auto at = static_cast<std::size_t>(block * tensor.stride_bytes);
      memcpy(form_ + begin + at, from + at, static_cast<std::size_t>(tensor.block_bytes));
    }
    memcpy(form_ + kTable + std::size_t{id} * sizeof begin, &begin, sizeof begin);
    used_ = end;
  }
  /// @return  bytes of the form
  std::uint64_t finish() {
    const std::uint64_t end = round_up(used_);
    memset(form_ + used_, 0, static_cast<std::size_t>(end - used_));
    return end;
  }

 private:
  const detent_desc &desc_;
  std::uint8_t *form_;
  std::uint64_t used_;
};

void fingerprint_contents(const std::uint8_t *form, std::uint64_t bytes, std::uint8_t *contents) {
  Fingerprint print;
  print.add_bytes(form + sizeof(FormHeader), bytes - sizeof(FormHeader));
  print.get(contents);
}

bool are_equal(const std::uint8_t *a, const std::uint8_t *b) {
  for (std::uint32_t i = 0; i < DETENT_TOKEN_BYTES; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

/// Does the form hold the tensor, inside of it and aligned as in its region?
bool holds(const std::uint8_t *form, std::uint64_t bytes, std::uint64_t first, std::uint32_t id,
           const detent_tensor &tensor) {
  const std::uint64_t at = place_of(form, id);
  return at >= first && at <= bytes && tensor.size_bytes <= bytes - at && at % kAlign == tensor.offset_bytes % kAlign;
}

bool holds_all(const detent_desc &desc, const detent_kernel_table &kernels, const std::uint8_t *form,
               std::uint64_t bytes) {
  const std::uint64_t first = constants_begin(desc);
  for (std::uint32_t id = 0; id < desc.op_count; ++id) {
    if (!is_for_device(desc, desc.ops[id], kernels)) continue;
    const TensorsOfOp tensors(desc, desc.ops[id]);
    for (std::uint32_t i = 0; i < tensors.count(); ++i) {
      if (is_constant(desc, tensors[i]) && !holds(form, bytes, first, tensors.id(i), tensors[i])) return false;
    }
  }
  return true;
}

}  // namespace

void *Constants::data(std::uint32_t tensor) const {
  return const_cast<std::uint8_t *>(form_) + place_of(form_, tensor);
}

detent_status identify(const detent_desc *desc, const detent_device_config *config, detent_device_identity *identity) {
  if (desc == nullptr || identity == nullptr || !is_complete(config)) return DETENT_INVALID_ARGUMENT;
  const std::uint64_t bytes = enough_bytes(*desc, *config->kernels);
  if (bytes == 0) return DETENT_NO_SPACE;
  identity->memory_bytes = bytes;
  token_of(*desc, *config->kernels, identity->token);
  return DETENT_OK;
}

detent_status prepare(const detent_desc *desc, const detent_device_config *config, void *memory,
                      std::uint64_t memory_bytes, std::uint64_t *form_bytes) {
  detent_device_identity identity;
  const detent_status status = identify(desc, config, &identity);
  if (status != DETENT_OK) return status;
  if (memory == nullptr || form_bytes == nullptr) return DETENT_INVALID_ARGUMENT;
  if (reinterpret_cast<std::uintptr_t>(memory) % kAlign != 0) return DETENT_ALIGNMENT;
  if (memory_bytes < identity.memory_bytes) return DETENT_NO_SPACE;
  auto *const form = static_cast<std::uint8_t *>(memory);
  Packer packer(*desc, form);
  for (std::uint32_t id = 0; id < desc->op_count; ++id) {
    if (!is_for_device(*desc, desc->ops[id], *config->kernels)) continue;
    const TensorsOfOp tensors(*desc, desc->ops[id]);
    for (std::uint32_t i = 0; i < tensors.count(); ++i) packer.add(tensors.id(i));
  }
  FormHeader header{kMagic, packer.finish(), desc->tensor_count, {}, {}};
  memcpy(header.token, identity.token, sizeof header.token);
  fingerprint_contents(form, header.bytes, header.contents);
  memcpy(form, &header, sizeof header);
  *form_bytes = header.bytes;
  return DETENT_OK;
}

detent_status find_constants(const detent_desc &desc, const detent_device_config &config, Constants &constants) {
  if (config.prepared == nullptr) {
    constants = Constants();
    return DETENT_OK;
  }
  if (reinterpret_cast<std::uintptr_t>(config.prepared) % kAlign != 0) return DETENT_ALIGNMENT;
  const auto *const form = static_cast<const std::uint8_t *>(config.prepared);
  if (config.prepared_bytes < constants_begin(desc)) return DETENT_STALE;
  FormHeader header;
  memcpy(&header, form, sizeof header);
  if (header.magic != kMagic || header.bytes != config.prepared_bytes || header.tensor_count != desc.tensor_count) {
    return DETENT_STALE;
  }
  std::uint8_t expected[DETENT_TOKEN_BYTES];
  token_of(desc, *config.kernels, expected);
  if (!are_equal(header.token, expected)) return DETENT_STALE;
  fingerprint_contents(form, header.bytes, expected);
  if (!are_equal(header.contents, expected)) return DETENT_STALE;
  if (!holds_all(desc, *config.kernels, form, header.bytes)) return DETENT_STALE;
  constants = Constants(form);
  return DETENT_OK;
}

}  // namespace detent::npu
