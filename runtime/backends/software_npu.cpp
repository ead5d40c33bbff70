// Software NPU: a command queue, a worker and a scratchpad; ops reach its memory and leave it by copies of their
// blocks.
#include <detent/device.h>

#include "runtime/backends/npu_layout.h"
#include "runtime/backends/npu_prepared.h"
#include "runtime/base/arena.h"
#include "runtime/base/atomic.h"
#include "runtime/base/compiler.h"
#include "runtime/base/float_environment.h"
#include "runtime/base/freestanding.h"

namespace detent::npu {
namespace {

constexpr std::uint32_t kWorkerSlot = 1;
constexpr std::uint32_t kSlots = 2;  // one op is executed, the next one waits in the queue

struct Npu;

/// An op of the device: its arguments over the scratchpad, and its command while it is in the queue.
struct DeviceOp {
  Npu *npu;
  detent_kernel_fn run;
  detent_kernel_args args;
  detent_buffer *buffers;  ///< inputs, outputs, weights, scratch
  detent_context *context;
  const detent_entity *entity;
  DeviceOp *next;
};

/// The place of an op of the Desc.
struct OpPlace {
  DeviceOp *op;  ///< null: not resolved yet, or not the device's
};

struct Npu {
  detent_device_config config;
  detent_port port;
  const detent_desc *desc;
  Arena arena;
  OpPlace *ops;  ///< [op_count]
  std::uint8_t *scratchpad;
  Constants constants;         ///< of the prepared form, or none
  std::uint32_t is_executing;  ///< shared: 1 = a thread uses the scratchpad
  // Under the port's lock:
  DeviceOp *first, *last;
  std::uint32_t command_count;  ///< in the queue or executed by the worker
  bool is_closing;
  detent_device_counters counters;
};

Npu &npu_of(void *memory) {
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(memory);
  return *reinterpret_cast<Npu *>((at + kAlign - 1) / kAlign * kAlign);
}

DeviceOp *take_op(Arena &arena, std::uint32_t buffer_count) {
  auto *op = arena.take_array<DeviceOp>(1);
  auto *buffers = arena.take_array<detent_buffer>(buffer_count);
  if (op == nullptr || (buffers == nullptr && buffer_count != 0)) return nullptr;
  *op = DeviceOp{};
  op->buffers = buffers;
  return op;
}

/// The parts of a device whose size is known before its ops are resolved.
Npu *take_npu(Arena &arena, const detent_desc &desc, std::uint64_t scratchpad_bytes) {
  auto *npu = arena.take_array<Npu>(1, kAlign);
  auto *ops = arena.take_array<OpPlace>(desc.op_count);
  auto *scratchpad = static_cast<std::uint8_t *>(arena.take(scratchpad_bytes, kAlign));
  if (npu == nullptr || ops == nullptr || (scratchpad == nullptr && scratchpad_bytes != 0)) return nullptr;
  memset(static_cast<void *>(npu), 0, sizeof *npu);
  memset(static_cast<void *>(ops), 0, sizeof *ops * desc.op_count);
  npu->ops = ops;
  npu->scratchpad = scratchpad;
  return npu;
}

std::uint64_t scratchpad_of(const detent_device_config &config, const detent_device_needs &needs) {
  return config.scratchpad_bytes != 0 ? config.scratchpad_bytes : needs.scratchpad_bytes;
}

detent_status measure(const detent_desc *desc, const detent_device_config *config, detent_device_needs *needs) {
  if (desc == nullptr || needs == nullptr || !is_complete(config)) return DETENT_INVALID_ARGUMENT;
  *needs = {0, 0, DETENT_NONE, 0};
  for (std::uint32_t id = 0; id < desc->op_count; ++id) {
    const detent_op &op = desc->ops[id];
    if (!is_for_device(*desc, op, *config->kernels)) continue;
    ++needs->op_count;
    const std::uint64_t bytes = place(TensorsOfOp(*desc, op), nullptr, nullptr);
    if (needs->largest_op != DETENT_NONE && bytes <= needs->scratchpad_bytes) continue;
    needs->scratchpad_bytes = bytes;
    needs->largest_op = id;
  }
  const std::uint64_t scratchpad_bytes = scratchpad_of(*config, *needs);
  if (needs->scratchpad_bytes > scratchpad_bytes) return DETENT_NO_SPACE;
  Arena arena = Arena::measuring();
  take_npu(arena, *desc, scratchpad_bytes);
  for (std::uint32_t id = 0; id < desc->op_count; ++id) {
    const detent_op &op = desc->ops[id];
    if (is_for_device(*desc, op, *config->kernels)) take_op(arena, TensorsOfOp(*desc, op).count());
  }
  needs->memory_bytes = arena.needed();
  return needs->memory_bytes != 0 ? DETENT_OK : DETENT_NO_SPACE;
}

// --- execution ---------------------------------------------------------------------------------------------------

std::uint64_t copy_blocks(const detent_tensor &tensor, const void *from, void *to) {
  const auto *source = static_cast<const std::uint8_t *>(from);
  auto *target = static_cast<std::uint8_t *>(to);
  for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
    const auto at = static_cast<std::size_t>(block * tensor.stride_bytes);
    memcpy(target + at, source + at, static_cast<std::size_t>(tensor.block_bytes));
  }
  return tensor.block_bytes * tensor.block_count;
}

/// What the op reads; but constants of the prepared form are read where they are.
std::uint64_t read_all(const Npu &npu, const detent_buffer *from, const detent_buffer *to, std::uint32_t count) {
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (npu.constants.is_there() && is_constant(*npu.desc, *from[i].tensor)) continue;
    bytes += copy_blocks(*from[i].tensor, from[i].data, to[i].data);
  }
  return bytes;
}

std::uint64_t copy_all(const detent_buffer *from, const detent_buffer *to, std::uint32_t count) {
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < count; ++i) bytes += copy_blocks(*from[i].tensor, from[i].data, to[i].data);
  return bytes;
}

/// Copy in, compute, copy out. One op at a time has the scratchpad.
std::int32_t execute(DeviceOp &op, const detent_kernel_args &outside) {
  Npu &npu = *op.npu;
  const AccessSite site{&npu.port, &npu, DETENT_NONE};
  while (exchange_seq_cst(site, npu.is_executing, std::uint32_t{1}) != 0) npu.port.pause(npu.port.self);
  const detent_kernel_args &inside = op.args;
  const std::uint64_t read = read_all(npu, outside.inputs, inside.inputs, inside.input_count) +
                             read_all(npu, outside.weights, inside.weights, inside.weight_count);
  const std::int32_t code = op.run(&inside);
  const std::uint64_t written = code == 0 ? copy_all(inside.outputs, outside.outputs, inside.output_count) : 0;
  store_release(site, npu.is_executing, std::uint32_t{0});
  npu.port.lock(npu.port.self);
  ++npu.counters.ops;
  npu.counters.read_bytes += read;
  npu.counters.written_bytes += written;
  npu.port.unlock(npu.port.self);
  return code;
}

/// entity->run: `args` lies in its entity.
std::int32_t run_here(const detent_kernel_args *args) {
  const auto *at = reinterpret_cast<const std::uint8_t *>(args) - offsetof(detent_entity, args);
  const auto *entity = reinterpret_cast<const detent_entity *>(at);
  return execute(*static_cast<DeviceOp *>(const_cast<void *>(entity->backend_data)), *args);
}

detent_dispatch give_command(void *self, detent_context *context, const detent_entity *entity, std::uint32_t,
                             std::int32_t *) {
  Npu &npu = *static_cast<Npu *>(self);
  DeviceOp &op = *static_cast<DeviceOp *>(const_cast<void *>(entity->backend_data));
  op.context = context;
  op.entity = entity;
  op.next = nullptr;
  npu.port.lock(npu.port.self);
  (npu.last != nullptr ? npu.last->next : npu.first) = &op;
  npu.last = &op;
  ++npu.command_count;
  if (npu.command_count > npu.counters.most_commands) npu.counters.most_commands = npu.command_count;
  npu.port.unlock(npu.port.self);
  npu.port.notify(npu.port.self, kWorkerSlot);
  return DETENT_DISPATCH_PENDING;
}

/// The oldest command; null: there is none. @param is_closing  gets whether no more will come
DeviceOp *take_command(Npu &npu, bool *is_closing) {
  npu.port.lock(npu.port.self);
  DeviceOp *const op = npu.first;
  if (op != nullptr) npu.first = op->next;
  if (npu.first == nullptr) npu.last = nullptr;
  *is_closing = npu.is_closing;
  npu.port.unlock(npu.port.self);
  return op;
}

/// Before the op is completed: then its place in the queue may be used anew.
void end_command(Npu &npu) {
  npu.port.lock(npu.port.self);
  --npu.command_count;
  npu.port.unlock(npu.port.self);
}

void serve(void *arg) {
  Npu &npu = *static_cast<Npu *>(arg);
  const FloatEnvironment found = set_float_environment();
  for (bool is_closing = false; !is_closing;) {
    DeviceOp *const op = take_command(npu, &is_closing);
    if (op == nullptr) {
      if (!is_closing) npu.port.wait(npu.port.self, kWorkerSlot, UINT64_MAX);
      continue;
    }
    is_closing = false;
    detent_context *const context = op->context;
    const std::uint32_t id = op->entity->args.op;
    const std::int32_t code = execute(*op, op->entity->args);
    end_command(npu);
    npu.config.complete(context, id, code);
  }
  restore_float_environment(found);
}

// --- binding -----------------------------------------------------------------------------------------------------

/// Point the op's arguments at the scratchpad, whose size is that of the largest op at least (measure), and at the
/// prepared form.
void bind_op(const Npu &npu, const detent_kernel_args &outside, DeviceOp &op) {
  const TensorsOfOp tensors(*npu.desc, npu.desc->ops[outside.op]);
  place(tensors, npu.scratchpad, op.buffers);
  for (std::uint32_t i = 0; npu.constants.is_there() && i < tensors.count(); ++i) {
    if (is_constant(*npu.desc, tensors[i])) op.buffers[i].data = npu.constants.data(tensors.id(i));
  }
  op.args = outside;
  op.args.inputs = op.buffers;
  op.args.outputs = op.args.inputs + outside.input_count;
  op.args.weights = op.args.outputs + outside.output_count;
  op.args.scratch = op.args.weights + outside.weight_count;
}

detent_status resolve(void *self, const char *name, detent_entity *entity) {
  Npu &npu = *static_cast<Npu *>(self);
  const detent_kernel_args &args = entity->args;
  if (args.op >= npu.desc->op_count) return DETENT_INVALID_ARGUMENT;
  const detent_op &row = npu.desc->ops[args.op];
  if (!is_for_device(*npu.desc, row, *npu.config.kernels)) return DETENT_UNKNOWN_KERNEL;
  const std::uint32_t count = args.input_count + args.output_count + args.weight_count + args.scratch_count;
  if (count != TensorsOfOp(*npu.desc, row).count()) return DETENT_INVALID_ARGUMENT;
  const detent_kernel &kernel = *find_kernel(*npu.config.kernels, name);
  const detent_status status = kernel.check == nullptr ? DETENT_OK : kernel.check(&args);
  if (status != DETENT_OK) return status;
  DeviceOp *&op = npu.ops[args.op].op;
  if (op == nullptr) op = take_op(npu.arena, count);
  if (op == nullptr) return DETENT_NO_SPACE;
  bind_op(npu, args, *op);
  op->npu = &npu;
  op->run = kernel.run;
  entity->run = run_here;
  entity->backend_data = op;
  return DETENT_OK;
}

detent_status open(void *memory, std::uint64_t memory_bytes, const detent_desc *desc,
                   const detent_device_config *config, detent_backend *backend) {
  detent_device_needs needs;
  const detent_status status = measure(desc, config, &needs);
  if (status != DETENT_OK) return status;
  if (memory == nullptr || backend == nullptr) return DETENT_INVALID_ARGUMENT;
  if (reinterpret_cast<std::uintptr_t>(memory) % kAlign != 0) return DETENT_ALIGNMENT;
  if (memory_bytes < needs.memory_bytes) return DETENT_NO_SPACE;
  Constants constants;
  const detent_status fits = find_constants(*desc, *config, constants);
  if (fits != DETENT_OK) return fits;
  Arena arena(memory, static_cast<std::size_t>(memory_bytes), kAlign);
  Npu *const npu = take_npu(arena, *desc, scratchpad_of(*config, needs));
  if (npu == nullptr) return DETENT_NO_SPACE;
  npu->config = *config;
  npu->port = *config->port;
  npu->desc = desc;
  npu->constants = constants;
  npu->arena = arena;
  if (npu->port.claim != nullptr && npu->port.claim(npu->port.self) != DETENT_OK) return DETENT_BUSY;
  if (npu->port.start(npu->port.self, kWorkerSlot, serve, npu) != DETENT_OK) {
    if (npu->port.release != nullptr) npu->port.release(npu->port.self);
    return DETENT_WORKER_FAILED;
  }
  *backend = {npu, kClass, resolve, give_command};
  return DETENT_OK;
}

void close(void *memory) {
  Npu &npu = npu_of(memory);
  npu.port.lock(npu.port.self);
  npu.is_closing = true;
  npu.port.unlock(npu.port.self);
  npu.port.notify(npu.port.self, kWorkerSlot);
  npu.port.join(npu.port.self, kWorkerSlot);
  if (npu.port.release != nullptr) npu.port.release(npu.port.self);
}

void count(const void *memory, detent_device_counters *counters) {
  const Npu &npu = npu_of(const_cast<void *>(memory));
  npu.port.lock(npu.port.self);
  *counters = npu.counters;
  npu.port.unlock(npu.port.self);
}

constexpr detent_device_module kModule{DETENT_DEVICE_VERSION,
                                       DETENT_DEVICE_NPU,
                                       kName,
                                       kRelease,
                                       kClass,
                                       kSlots,
                                       nullptr,
                                       0,
                                       nullptr,
                                       0,
                                       measure,
                                       open,
                                       close,
                                       count,
                                       sizeof(detent_device_module),
                                       0,
                                       nullptr,
                                       identify,
                                       prepare};

}  // namespace
}  // namespace detent::npu

extern "C" const detent_device_module *detent_software_npu(void) { return &detent::npu::kModule; }
