#include "harness/log_write.hpp"

#include <bit>
#include <cstdint>
#include <vector>

#include "harness/log_file.hpp"

namespace detent::harness {
namespace {

static_assert(std::endian::native == std::endian::little, "log files and records in memory have one byte order");

void put_u32(std::string& text, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) text += static_cast<char>((value >> shift) & 0xffU);
}
void put_u64(std::string& text, std::uint64_t value) {
  put_u32(text, static_cast<std::uint32_t>(value));
  put_u32(text, static_cast<std::uint32_t>(value >> 32U));
}

std::string names_of(const detent_desc& desc) {
  std::string names = desc.name == nullptr ? "" : desc.name;
  names += '\0';
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    names += desc.ops[op].name == nullptr ? "" : desc.ops[op].name;
    names += '\0';
  }
  for (std::uint32_t i = 0; i < desc.class_count; ++i) {
    names += desc.classes[i].name;
    names += '\0';
  }
  return names;
}

}  // namespace

std::string format_log(const detent_desc& desc, const detent_context& context) {
  std::vector<const detent_log*> logs;
  for (std::uint32_t ring = 0; detent_context_log(&context, ring) != nullptr; ++ring) {
    logs.push_back(detent_context_log(&context, ring));
  }
  std::string names = names_of(desc);
  names.append((8 - names.size() % 8) % 8, '\0');
  std::string file(kLogMagic);
  put_u32(file, kLogVersion);
  put_u32(file, logs.empty() ? 0 : static_cast<std::uint32_t>(logs.size()) - 2);
  put_u32(file, static_cast<std::uint32_t>(logs.size()));
  put_u32(file, desc.op_count);
  put_u32(file, static_cast<std::uint32_t>(names.size()));
  put_u32(file, desc.class_count);
  file += names;
  for (std::size_t ring = 0; ring < logs.size(); ++ring) {
    const std::uint32_t count = detent_log_size(logs[ring]);
    put_u32(file, static_cast<std::uint32_t>(ring));
    put_u32(file, count);
    put_u64(file, logs[ring]->dropped);
    for (std::uint32_t i = 0; i < count; ++i) {
      file.append(reinterpret_cast<const char*>(detent_log_at(logs[ring], i)), sizeof(detent_log_record));
    }
  }
  return file;
}

}  // namespace detent::harness
