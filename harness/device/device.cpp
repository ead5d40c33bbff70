#include "harness/device/device.hpp"

#include <cstring>
#include <new>
#include <stdexcept>

#include <detent/detent.h>

#include "base/ids.hpp"
#include "base/words/quantity.hpp"

namespace detent::harness {
namespace {

std::string what_is_missing(const detent_desc& desc, const detent_device_needs& needs, std::uint64_t there) {
  const char* const name = needs.largest_op < desc.op_count ? desc.ops[needs.largest_op].name : nullptr;
  return "op " + std::to_string(needs.largest_op) + (name != nullptr ? " (" + std::string(name) + ")" : "") +
         " needs " + std::to_string(needs.scratchpad_bytes) + " bytes of its memory, which has " +
         std::to_string(there) + "; give it more, split the op into bands, or keep it on the CPU";
}

}  // namespace

DeviceSpec read_device(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  DeviceSpec spec{.module = text};
  if (const auto bytes = colon == std::string::npos ? std::nullopt : read_bytes(text.substr(colon + 1))) {
    if (*bytes == 0) throw std::invalid_argument(text + ": a device without memory computes nothing; give it some");
    spec = {.module = text.substr(0, colon), .scratchpad_bytes = *bytes};
  }
  if (spec.module.empty()) throw std::invalid_argument("\"" + text + "\" names no device; give software or a file");
  return spec;
}

std::string device_text(const DeviceSpec& spec) {
  return spec.module + (spec.scratchpad_bytes != 0 ? ":" + std::to_string(spec.scratchpad_bytes) : "");
}

detent_status Device::open(const detent_device_config& config) {
  return module_.table().open(memory_.get(), needs_.memory_bytes, &desc_, &config, &opened_);
}

detent_status Device::open_prepared(detent_device_config& config, const std::string& folder) {
  const detent_device_module& table = module_.table();
  PreparedForm& form = prepared_.emplace(table, desc_, config, folder);
  const auto open_with = [&] {
    config.prepared = form.data();
    config.prepared_bytes = form.bytes();
    return open(config);
  };
  const detent_status status = form.is_there() ? open_with() : DETENT_STALE;
  if (status != DETENT_STALE) return status;
  form.compile(table, desc_, config);
  form.save();
  return open_with();
}

Device::Device(const DeviceSpec& spec, const detent_desc& desc) : module_(spec.module), desc_(desc) {
  if (check_desc(desc).status != DETENT_OK) return;  // detent_init will say the same
  const detent_device_module& table = module_.table();
  detent_device_config config{
      &port_.port(), spec.scratchpad_bytes, detent_builtin_kernels(), detent_complete, nullptr, 0};
  const auto refuse = [&](const char* what, detent_status status) {
    const bool is_too_large = status == DETENT_NO_SPACE && spec.scratchpad_bytes != 0;
    throw std::invalid_argument(spec.module + ": " +
                                (is_too_large ? what_is_missing(desc, needs_, spec.scratchpad_bytes)
                                              : std::string(what) + detent_status_name(status)));
  };
  if (const detent_status status = table.measure(&desc, &config, &needs_); status != DETENT_OK) {
    refuse("the device cannot say what the network needs: ", status);
  }
  memory_ = allocate_aligned(needs_.memory_bytes);
  const bool is_prepared = !spec.prepared_folder.empty() && table.prepare != nullptr;
  const detent_status status = is_prepared ? open_prepared(config, spec.prepared_folder) : open(config);
  if (status != DETENT_OK) {
    memory_.reset();
    refuse("the device cannot be opened: ", status);
  }
  if (opened_.resolve == nullptr || opened_.dispatch == nullptr) {
    table.close(memory_.get());
    throw std::invalid_argument(spec.module + ": its back end lacks resolve or dispatch; repair the module");
  }
}

Device::~Device() {
  if (memory_ != nullptr) module_.table().close(memory_.get());
}

/// Ops of other classes are not the device's, whatever its module says.
detent_status Device::resolve(const char* name, detent_entity* entity) const {
  const OpId op = entity->args.op;
  if (memory_ == nullptr || op >= desc_.op_count) return DETENT_UNKNOWN_KERNEL;
  const char* const class_name = desc_.classes[desc_.ops[op].core_class].name;
  if (std::strcmp(class_name, module_.table().class_name) != 0) return DETENT_UNKNOWN_KERNEL;
  const detent_status status = opened_.resolve(opened_.self, name, entity);
  return status == DETENT_OK && entity->run == nullptr ? DETENT_UNSUPPORTED : status;
}

detent_backend Device::backend(bool has_dispatch) {
  detent_backend made{};
  made.self = this;
  made.class_name = module_.table().class_name;
  made.resolve = [](void* self, const char* name, detent_entity* entity) {
    return static_cast<const Device*>(self)->resolve(name, entity);
  };
  if (!has_dispatch) return made;
  made.dispatch = [](void* self, detent_context* context, const detent_entity* entity, std::uint32_t worker,
                     std::int32_t* code) {
    const detent_backend& opened = static_cast<const Device*>(self)->opened_;
    return opened.dispatch(opened.self, context, entity, worker, code);
  };
  return made;
}

detent_backend Device::inline_backend() { return backend(false); }

void Device::serve(InstanceOptions& options) {
  options.backends.insert(options.backends.begin(), backend(true));
  const bool has_choice = options.mode == DETENT_MODE_CLOSED_LOOP || options.mode == DETENT_MODE_LAYERED;
  if (!has_choice || options.worker_count == 0 || options.worker_pool != nullptr || needs_.op_count == 0) return;
  const char* const own_class = module_.table().class_name;
  std::uint32_t own = 0;
  for (std::uint32_t i = 0; i < desc_.class_count; ++i) {
    if (desc_.classes[i].kind == DETENT_CLASS_ASYNC) continue;
    if (std::strcmp(desc_.classes[i].name, own_class) == 0) {
      own = i;
    } else if (i != 0) {
      return;  // a class that no worker would serve
    }
  }
  if (own == 0 || !options.worker_classes.empty()) return;
  const std::uint32_t slots = module_.table().slots;
  if (options.worker_count + slots > DETENT_MAX_WORKERS) return;
  options.worker_classes.assign(options.worker_count, 0);
  options.worker_classes.insert(options.worker_classes.end(), slots, own);
  options.worker_count += slots;
}

detent_device_counters Device::counters() const {
  detent_device_counters counters{};
  if (memory_ != nullptr) module_.table().count(memory_.get(), &counters);
  return counters;
}

}  // namespace detent::harness
