// ObservedRun: a context in serial mode whose one back end hands each op to the observer.
#include "harness/access/observed_run.hpp"

#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#include "harness/fill.hpp"

namespace detent::harness {
namespace {

constexpr std::int32_t kObserverThrew = -1;

bool serves(const detent_backend& backend, const char* class_name) {
  return std::strcmp(backend.class_name, "*") == 0 || std::strcmp(backend.class_name, class_name) == 0;
}

/// The back end of the run: resolves as the engine would, dispatches to the observer.
class Hub {
 public:
  Hub(const detent_desc& desc, const std::vector<detent_backend>& backends, const Observer& observer)
      : desc_(desc), backends_(backends), observer_(observer), backend_of_(desc.op_count, 0) {
    backends_.push_back(detent_cpu_backend("*", detent_builtin_kernels()));
  }
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  detent_backend backend() { return {.self = this, .class_name = "*", .resolve = resolve, .dispatch = dispatch}; }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  static detent_status resolve(void* self, const char* name, detent_entity* entity) {
    auto& hub = *static_cast<Hub*>(self);
    const detent_op& op = hub.desc_.ops[entity->args.op];
    for (std::size_t i = 0; i < hub.backends_.size(); ++i) {
      const detent_backend& backend = hub.backends_[i];
      if (!serves(backend, hub.desc_.classes[op.core_class].name)) continue;
      const detent_status status = backend.resolve(backend.self, name, entity);
      if (status == DETENT_UNKNOWN_KERNEL) continue;
      hub.backend_of_[op.id] = i;
      // What only its own back end can dispatch cannot be called by an observer.
      return status == DETENT_OK && entity->run == nullptr ? DETENT_UNSUPPORTED : status;
    }
    return DETENT_UNKNOWN_KERNEL;
  }

  static detent_dispatch dispatch(void* self, detent_context* /*context*/, const detent_entity* entity,
                                  std::uint32_t /*worker*/, std::int32_t* code) {
    auto& hub = *static_cast<Hub*>(self);
    try {
      *code = hub.observer_(*entity, hub.backend_of_[entity->args.op]);
    } catch (...) {  // no exception may cross the engine
      hub.thrown_ = std::current_exception();
      *code = kObserverThrew;
    }
    return DETENT_DISPATCH_DONE;
  }

  const detent_desc& desc_;
  std::vector<detent_backend> backends_;
  const Observer& observer_;
  std::vector<std::size_t> backend_of_;
  std::exception_ptr thrown_;
};

/// Replaces the seeded bytes of the INPUT regions.
void copy_input(const ProbedMemory& memory, const std::vector<std::uint8_t>& bytes) {
  const detent_desc& desc = memory.desc();
  std::uint64_t position = 0;
  for (std::uint32_t i = 0; i < desc.region_count; ++i) {
    const detent_region& region = desc.regions[i];
    if (region.kind != DETENT_REGION_INPUT) continue;
    if (bytes.size() - position >= region.size_bytes) {
      std::memcpy(memory.region_bases()[i], bytes.data() + position, region.size_bytes);
    }
    position += region.size_bytes;
    if (position > bytes.size()) break;
  }
  if (position != bytes.size()) {
    throw std::invalid_argument("input: " + std::to_string(bytes.size()) +
                                " bytes do not fill the input regions; give all of them in region order");
  }
}

struct Deinit {
  void operator()(detent_context* context) const { static_cast<void>(detent_deinit(context)); }
};

}  // namespace

detent_error run_observed(const ProbedMemory& memory, const ObserveOptions& options, const Observer& observer) {
  Hub hub(memory.desc(), options.backends, observer);
  const detent_backend backend = hub.backend();
  const detent_port port = detent_port_single();
  detent_config config = detent_default_config(&port);
  config.backends = &backend;
  config.backend_count = 1;
  config.mode = DETENT_MODE_SERIAL;
  config.worker_count = 0;
  config.region_bases = memory.region_bases();
  const std::size_t bytes = detent_arena_bytes(&memory.desc(), &config);
  const std::unique_ptr<std::uint8_t[]> arena(new std::uint8_t[bytes]);
  detent_context* bound = nullptr;
  detent_result result{};
  if (detent_init(arena.get(), bytes, &memory.desc(), &config, &bound, &result.error) != DETENT_OK) return result.error;
  const std::unique_ptr<detent_context, Deinit> context(bound);
  fill_regions(memory.desc(), *context, options.seed);
  if (!options.input_bytes.empty()) copy_input(memory, options.input_bytes);
  const detent_status status = detent_run(context.get(), &result);
  hub.rethrow();
  result.error.status = status;
  return result.error;
}

}  // namespace detent::harness
