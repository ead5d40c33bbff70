#include "harness/device/prepared_form.hpp"

#include <cstring>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string_view>

#include <detent/limits.h>

#include "base/input_error.hpp"
#include "base/io.hpp"

namespace detent::harness {
namespace {

namespace fs = std::filesystem;

constexpr std::align_val_t kCacheLine{DETENT_CACHE_LINE};

[[noreturn]] void refuse_network(const detent_device_module& table, const char* what, detent_status status) {
  throw std::invalid_argument(std::string(table.name) + ": the device cannot " + what +
                              " the network: " + detent_status_name(status) + "; leave out --prepared");
}

std::string hex_of(const std::uint8_t* token) {
  std::string text;
  for (std::uint32_t i = 0; i < DETENT_TOKEN_BYTES; ++i) {
    text += "0123456789abcdef"[token[i] >> 4];
    text += "0123456789abcdef"[token[i] & 15];
  }
  return text;
}

}  // namespace

const char* prepared_origin_name(PreparedOrigin origin) {
  switch (origin) {
    case PreparedOrigin::kCompiled:
      return "compiled";
    case PreparedOrigin::kReused:
      return "reused";
    case PreparedOrigin::kRecompiled:
      break;
  }
  return "recompiled";
}

void AlignedDelete::operator()(void* memory) const { ::operator delete(memory, kCacheLine); }

AlignedMemory allocate_aligned(std::uint64_t bytes) { return AlignedMemory(::operator new(bytes, kCacheLine)); }

PreparedForm::PreparedForm(const detent_device_module& table, const detent_desc& desc,
                           const detent_device_config& config, const std::string& folder)
    : folder_(folder) {
  detent_device_identity identity{};
  const detent_status status = table.identify(&desc, &config, &identity);
  if (status != DETENT_OK) refuse_network(table, "identify", status);
  token_ = hex_of(identity.token);
  most_bytes_ = identity.memory_bytes;
  std::error_code error;
  if (fs::exists(fs::symlink_status(path(), error))) read();
}

std::string PreparedForm::path() const { return (fs::path(folder_) / (token_ + ".prepared")).string(); }

/// A file that is none of ours is as good as a damaged one: whoever opens the form finds that out.
void PreparedForm::read() {
  origin_ = PreparedOrigin::kRecompiled;
  std::string file;
  try {
    file = read_regular_file(path(), most_bytes_);
  } catch (const InputError&) {
    return;
  }
  if (file.empty()) return;
  memory_ = allocate_aligned(file.size());
  bytes_ = file.size();
  std::memcpy(memory_.get(), file.data(), file.size());
  origin_ = PreparedOrigin::kReused;
}

void PreparedForm::compile(const detent_device_module& table, const detent_desc& desc,
                           const detent_device_config& config) {
  if (origin_ == PreparedOrigin::kReused) origin_ = PreparedOrigin::kRecompiled;
  memory_ = allocate_aligned(most_bytes_);
  const detent_status status = table.prepare(&desc, &config, memory_.get(), most_bytes_, &bytes_);
  if (status != DETENT_OK) refuse_network(table, "prepare", status);
  if (bytes_ > most_bytes_) refuse_network(table, "prepare", DETENT_NO_SPACE);
  AlignedMemory form = allocate_aligned(bytes_);
  std::memcpy(form.get(), memory_.get(), bytes_);
  memory_ = std::move(form);
}

void PreparedForm::save() const {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (!fs::is_directory(folder_, error)) {
    throw std::invalid_argument(folder_ + ": is no folder and cannot be made; give --prepared one that can be written");
  }
  write_file_atomically(path(), std::string_view(static_cast<const char*>(memory_.get()), bytes_));
}

}  // namespace detent::harness
