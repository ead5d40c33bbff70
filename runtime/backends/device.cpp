// The table of a device module, of whatever version, as one of this header; and what callers ask of it.
#include <detent/device.h>

#include "runtime/base/compiler.h"
#include "runtime/base/freestanding.h"

namespace detent::devices {
namespace {

/// A table of version 1 ends here.
constexpr std::size_t kVersion1Bytes = offsetof(detent_device_module, table_bytes);

bool has_text(const char *text) { return text != nullptr && text[0] != '\0'; }

bool are_named(const char *const *names, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!has_text(names[i])) return false;
  }
  return true;
}

bool is_among(const char *const *names, std::uint32_t count, const char *name) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (strcmp(names[i], name) == 0) return true;
  }
  return false;
}

/// Above 0 and finite.
bool is_ratio(float value) { return value > 0 && value <= 3.402823466e+38F; }

bool are_sound(const detent_device_performance *claims, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (claims[i].dtype > DETENT_BF16 || !is_ratio(claims[i].time) || !is_ratio(claims[i].power)) return false;
  }
  return true;
}

/// Is kernel `index` of extension `at` the first of its name in the table?
bool is_first(const detent_device_module &table, std::uint32_t at, std::uint32_t index) {
  const char *const name = table.extensions[at].kernels[index];
  if (is_among(table.kernels, table.kernel_count, name)) return false;
  for (std::uint32_t i = 0; i < at; ++i) {
    if (is_among(table.extensions[i].kernels, table.extensions[i].kernel_count, name)) return false;
  }
  return !is_among(table.extensions[at].kernels, index, name);
}

bool are_sound(const detent_device_module &table) {
  for (std::uint32_t i = 0; i < table.extension_count; ++i) {
    const detent_device_extension &one = table.extensions[i];
    if (!has_text(one.name) || one.version == 0 || one.kernels == nullptr || one.kernel_count == 0) return false;
    if (!are_named(one.kernels, one.kernel_count)) return false;
    for (std::uint32_t k = 0; k < one.kernel_count; ++k) {
      if (!is_first(table, i, k)) return false;
    }
    for (std::uint32_t other = 0; other < i; ++other) {
      if (strcmp(table.extensions[other].name, one.name) == 0) return false;
    }
  }
  return true;
}

bool lacks_list(const void *list, std::uint32_t count) { return list == nullptr && count != 0; }

detent_device_fault fault_of(const detent_device_module &table) {
  if (static_cast<std::uint32_t>(table.kind) > DETENT_DEVICE_OTHER) return DETENT_DEVICE_FAULT_KIND;
  if (!has_text(table.name) || !has_text(table.release)) return DETENT_DEVICE_FAULT_NAME;
  if (!has_text(table.class_name)) return DETENT_DEVICE_FAULT_CLASS;
  if (table.slots == 0 || table.slots > DETENT_MAX_WORKERS) return DETENT_DEVICE_FAULT_SLOTS;
  if (table.measure == nullptr || table.open == nullptr || table.close == nullptr || table.count == nullptr) {
    return DETENT_DEVICE_FAULT_FUNCTION;
  }
  if (lacks_list(table.kernels, table.kernel_count) || lacks_list(table.performance, table.performance_count) ||
      lacks_list(table.extensions, table.extension_count)) {
    return DETENT_DEVICE_FAULT_LIST;
  }
  if (!are_sound(table.performance, table.performance_count)) return DETENT_DEVICE_FAULT_PERFORMANCE;
  if (!are_named(table.kernels, table.kernel_count)) return DETENT_DEVICE_FAULT_KERNEL;
  if (!are_sound(table)) return DETENT_DEVICE_FAULT_EXTENSION;
  if ((table.identify == nullptr) != (table.prepare == nullptr)) return DETENT_DEVICE_FAULT_PREPARE;
  return DETENT_DEVICE_FAULT_NONE;
}

struct Phrase {
  detent_device_fault fault;
  const char *text;
};

constexpr Phrase kPhrases[] = {
#define DETENT_PHRASE(name, number, text) {DETENT_DEVICE_FAULT_##name, text},
    DETENT_DEVICE_FAULT_LIST(DETENT_PHRASE)
#undef DETENT_PHRASE
};

constexpr const char *kKinds[] = {"cpu", "gpu", "npu", "other"};

}  // namespace
}  // namespace detent::devices

extern "C" {

detent_device_fault detent_device_read(const detent_device_module *module, detent_device_module *table) {
  using namespace detent::devices;
  if (module == nullptr) return DETENT_DEVICE_FAULT_TABLE;
  // Of an older table the members behind its end are not there: it is not looked at as a whole before it is copied.
  if (module->version == 0 || module->version > DETENT_DEVICE_VERSION) return DETENT_DEVICE_FAULT_VERSION;
  const bool is_version_1 = module->version == 1;
  if (!is_version_1 && module->table_bytes < sizeof *table) return DETENT_DEVICE_FAULT_SIZE;
  detent_device_module read;
  memset(static_cast<void *>(&read), 0, sizeof read);
  memcpy(static_cast<void *>(&read), module, is_version_1 ? kVersion1Bytes : sizeof read);
  const detent_device_fault fault = fault_of(read);
  if (fault == DETENT_DEVICE_FAULT_NONE) *table = read;
  return fault;
}

const char *detent_device_fault_text(detent_device_fault fault) {
  for (const detent::devices::Phrase &phrase : detent::devices::kPhrases) {
    if (phrase.fault == fault) return phrase.text;
  }
  return "?";
}

const char *detent_device_kind_name(detent_device_kind kind) {
  const auto index = static_cast<std::uint32_t>(kind);
  return index <= DETENT_DEVICE_OTHER ? detent::devices::kKinds[index] : "?";
}

bool detent_device_has_kernel(const detent_device_module *table, const detent_kernel_table *host, const char *name) {
  using detent::devices::is_among;
  if (is_among(table->kernels, table->kernel_count, name)) return true;
  for (std::uint32_t i = 0; table->kernel_count == 0 && i < host->count; ++i) {
    if (strcmp(host->kernels[i].name, name) == 0) return true;
  }
  for (std::uint32_t i = 0; i < table->extension_count; ++i) {
    if (is_among(table->extensions[i].kernels, table->extensions[i].kernel_count, name)) return true;
  }
  return false;
}

const detent_device_extension *detent_device_find_extension(const detent_device_module *table, const char *name) {
  for (std::uint32_t i = 0; i < table->extension_count; ++i) {
    if (strcmp(table->extensions[i].name, name) == 0) return &table->extensions[i];
  }
  return nullptr;
}

const detent_device_performance *detent_device_find_performance(const detent_device_module *table, detent_dtype dtype) {
  for (std::uint32_t i = 0; i < table->performance_count; ++i) {
    if (table->performance[i].dtype == static_cast<std::uint32_t>(dtype)) return &table->performance[i];
  }
  return nullptr;
}
}
