#include "models/import/tvm/program/main_memory.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace detent::models::tvm {
namespace {

/// "struct DLTensor", "const TVMValue *" -> "DLTensor", "TVMValue"
std::string record_name(std::string spelling) {
  while (!spelling.empty() && (spelling.back() == '*' || spelling.back() == ' ')) spelling.pop_back();
  for (const std::string_view prefix : {"const ", "volatile ", "struct ", "union "}) {
    if (spelling.starts_with(prefix)) spelling.erase(0, prefix.size());
  }
  return spelling;
}

}  // namespace

void MainMemory::leave() {
  for (const std::string& name : scopes_.back()) {
    locals_.erase(name);
    cells_.erase(name);
  }
  scopes_.pop_back();
}

bool MainMemory::declare(const std::string& name, bool is_array, bool fixed, std::uint64_t size_bytes) {
  if (!locals_.try_emplace(name, Local{.is_array = is_array, .fixed = fixed, .size_bytes = size_bytes}).second)
    return false;
  scopes_.back().push_back(name);
  return true;
}

bool MainMemory::is_inside(const MainPlace& place) const {
  const std::uint64_t size = locals_.at(place.variable).size_bytes;
  return place.offset_bytes >= 0 &&
         (size == 0 || static_cast<std::uint64_t>(place.offset_bytes) + place.size_bytes <= size);
}

void MainMemory::store(const MainPlace& place, MainValue value) {
  std::map<std::int64_t, Cell>& cells = cells_[place.variable];
  const std::int64_t end = place.offset_bytes + place.size_bytes;
  std::erase_if(cells, [&](const auto& entry) {
    return entry.first < end && place.offset_bytes < entry.first + entry.second.size_bytes;
  });
  cells[place.offset_bytes] = {.size_bytes = place.size_bytes, .value = std::move(value)};
}

const MainValue* MainMemory::load(const MainPlace& place) const {
  const auto cells = cells_.find(place.variable);
  if (cells == cells_.end()) return nullptr;
  const auto cell = cells->second.find(place.offset_bytes);
  if (cell == cells->second.end()) return nullptr;
  const MainValue& value = cell->second.value;
  if (cell->second.size_bytes == place.size_bytes) return &value;
  // Any part of zero is zero: the null pointer that TVM makes of a uint64_t.
  const bool is_zero = value.tag == MainValue::Tag::kInt && value.number == 0;
  return is_zero && place.size_bytes < cell->second.size_bytes ? &value : nullptr;
}

std::optional<std::uint32_t> bytes_of(const CType& type) {
  if (type.pointers != 0 && !type.extents.empty()) return std::nullopt;  // array of pointers or pointer to array
  std::uint64_t bytes = type.pointers != 0 ? type.pointer_bytes : type.scalar_bytes;
  for (const std::uint64_t extent : type.extents) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return std::nullopt;
  }
  if (bytes == 0 || bytes > INT32_MAX) return std::nullopt;
  return static_cast<std::uint32_t>(bytes);
}

std::optional<std::int64_t> field_offset(const CUnit& unit, const CType& record, const std::string& field) {
  struct Row {
    std::string_view record, field;
    std::int64_t offset;
  };
  const TensorLayout& tensor = unit.tensor;
  const std::array<Row, 24> rows = {{{"DLTensor", "data", 0},
                                     {"DLTensor", "device", tensor.device},
                                     {"DLTensor", "ctx", tensor.device},
                                     {"DLTensor", "", tensor.device},
                                     {"DLTensor", "ndim", tensor.ndim},
                                     {"DLTensor", "dtype", tensor.dtype},
                                     {"DLTensor", "shape", tensor.shape},
                                     {"DLTensor", "strides", tensor.strides},
                                     {"DLTensor", "byte_offset", tensor.byte_offset},
                                     {"DLDevice", "device_type", 0},
                                     {"DLDevice", "device_id", 4},
                                     {"DLDataType", "code", 0},
                                     {"DLDataType", "bits", 1},
                                     {"DLDataType", "lanes", 2},
                                     {"TVMValue", "v_int64", 0},
                                     {"TVMValue", "v_float64", 0},
                                     {"TVMValue", "v_handle", 0},
                                     {"TVMValue", "v_str", 0},
                                     {"TVMValue", "v_type", 0},
                                     {"TVMValue", "v_device", 0},
                                     {"TVMValue", "v_ctx", 0},
                                     {"TVMByteArray", "data", 0},
                                     {"TVMByteArray", "size", tensor.pointer_bytes},
                                     {"DLManagedTensor", "dl_tensor", 0}}};
  const std::string name = record_name(record.spelling);
  // TVM's types have no tag: a struct with the tag DLTensor is another one.
  const bool has_tag =
      record.spelling.find("struct ") != std::string::npos || record.spelling.find("union ") != std::string::npos;
  for (const Record& own : unit.records) {
    if (own.name != name || own.name.empty() || !has_tag) continue;
    for (std::size_t i = 0; i < own.fields.size(); ++i) {
      if (own.fields[i].name == field) return static_cast<std::int64_t>(own.field_offsets[i]);
    }
    return std::nullopt;
  }
  if (has_tag) return std::nullopt;
  // The member without a name in which a DLTensor holds its device.
  if ((field == "device" || field == "ctx") && name != "DLTensor") return 0;
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.record == name && row.field == field; });
  if (found == rows.end()) return std::nullopt;
  return found->offset;
}

}  // namespace detent::models::tvm
