// Model -> package bytes.
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/input_error.hpp"
#include "base/io.hpp"
#include "models/core/model_tables.hpp"
#include "models/files/package.hpp"
#include "models/files/package_layout.hpp"

namespace detent::models {
namespace {

using package::kSections;
using package::Section;

template <typename T>
void put(std::string& out, T value) {
  char bytes[sizeof value];
  for (std::size_t i = 0; i < sizeof value; ++i) bytes[i] = static_cast<char>(value >> (8 * i) & 0xFFU);
  out.append(bytes, sizeof value);
}

/// The sections of a package while they grow: fields go to the one that is being written, names and lists to others.
class SectionWriter {
 public:
  explicit SectionWriter(const Model& model) : model_name_(model.name) {
    name_ids_.reserve(model.ops.size() + model.tensors.size());
  }

  std::string& section(Section which) { return sections_[static_cast<std::size_t>(which)]; }
  const std::string& section(Section which) const { return sections_[static_cast<std::size_t>(which)]; }

  void begin(Section which, const std::string& place) {
    out_ = &section(which);
    place_ = place;
  }

  /// Of the section that is being written.
  void reserve(std::size_t bytes) { out_->reserve(bytes); }
  template <typename T>
  void add(T value) {
    put(*out_, value);
  }

  void check_count(std::size_t count, std::uint32_t max) const {
    if (count > max) {
      fail("a list of " + std::to_string(count) + "; at most " + std::to_string(max) + " are possible");
    }
  }

  template <typename T>
  void put_refs(const std::vector<T>& values) {
    for (const T value : values) put(section(Section::kRefs), static_cast<std::uint32_t>(value));
  }

  /// Each different name is stored once, in order of first use.
  std::uint32_t name_id(const std::string& text) {
    if (text.empty()) return package::kNoName;
    const auto [it, is_new] = name_ids_.try_emplace(text, static_cast<std::uint32_t>(name_ids_.size()));
    if (is_new) {
      if (const char* fault = name_fault(text)) fail(fault);
      section(Section::kNameText) += text;
      put(section(Section::kNames), static_cast<std::uint32_t>(text.size()));
    }
    return it->second;
  }

  std::string assemble() const {
    std::string table, payload;
    const std::size_t count = package::section_count(!section(Section::kDemands).empty());
    const std::size_t payload_at = package::kHeaderBytes + count * package::kSectionEntryBytes;
    for (std::size_t i = 0; i < count; ++i) {
      payload.resize((payload.size() + package::kSectionAlign - 1) / package::kSectionAlign * package::kSectionAlign);
      put(table, static_cast<std::uint32_t>(i + 1));
      put(table, kSections[i].record_bytes);
      put(table, std::uint64_t{sections_[i].size() / kSections[i].record_bytes});
      put(table, std::uint64_t{payload_at + payload.size()});
      put(table, XXH3_64bits(sections_[i].data(), sections_[i].size()));
      payload += sections_[i];
    }
    std::string head(kPackageMagic);
    put(head, kPackageVersion);
    put(head, static_cast<std::uint32_t>(count));
    put(head, std::uint64_t{payload_at + payload.size()});
    const std::string summed = head + table;
    put(head, XXH3_64bits(summed.data(), summed.size()));
    return head + table + payload;
  }

  [[noreturn]] void fail(const std::string& what) const { throw InputError(model_name_, place_, what); }

 private:
  const std::string& model_name_;
  std::array<std::string, kSections.size()> sections_;
  std::unordered_map<std::string_view, std::uint32_t> name_ids_;  ///< keys stand in the model
  std::string* out_ = nullptr;
  std::string place_;
};

/// Appends fields to the section that is being written and what hangs off them to names, refs, configs and weights.
class PackageEncoder {
 public:
  explicit PackageEncoder(const Model& model) : model_(model), out_(model) {}

  std::string encode() {
    out_.begin(Section::kModel, "model");
    package::code_model(*this, model_);
    records(Section::kRegions, model_.regions, [this](const Region& r) { package::code_region(*this, r); });
    records(Section::kTensors, model_.tensors, [this](const Tensor& t) { package::code_tensor(*this, t); });
    records(Section::kOps, model_.ops, [this](const Op& o) { package::code_op(*this, o); });
    records(Section::kEdges, model_.edges, [this](const Edge& e) { package::code_edge(*this, e); });
    records(Section::kSources, model_.sources, [this](const SourceFile& s) { package::code_source(*this, s); });
    out_.begin(Section::kDemands, "demands");
    if (model_.demands != TimeDemands{}) package::code_demands(*this, model_.demands);
    return out_.assemble();
  }

  void enum8(auto value, auto) { out_.add(static_cast<std::uint8_t>(value)); }
  void enum32(auto value, auto) { out_.add(static_cast<std::uint32_t>(value)); }
  void u32(std::uint32_t value) { out_.add(value); }
  void u64(std::uint64_t value) { out_.add(value); }
  void i32(std::int32_t value) { out_.add(static_cast<std::uint32_t>(value)); }
  void f32(float value) { out_.add(std::bit_cast<std::uint32_t>(value)); }
  void flags(std::uint32_t value, std::uint32_t) { out_.add(value); }
  void at_most(std::uint32_t, std::uint32_t, const char*) {}
  void reserved16() { out_.add(std::uint16_t{0}); }
  void reserved32() { out_.add(std::uint32_t{0}); }
  template <typename T>
  void set(T, T) {}
  void span(const std::optional<std::pair<std::uint64_t, std::uint64_t>>& ends, bool) {
    if (ends && ends->first > ends->second) out_.fail("a time range ends before it begins");
    u64(ends ? ends->first : 0);
    u64(ends ? ends->second : 0);
  }
  void demanded_time(const std::optional<std::uint64_t>& time_ps, const char*) {
    if (time_ps && *time_ps == 0) out_.fail("a time of 0, in which no run can end");
    u64(time_ps.value_or(0));
  }
  void workers(std::uint32_t mask, bool is_there) {
    if (is_there) put(out_.section(Section::kRefs), mask);
  }
  void class_times(const std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>& times, bool is_there) {
    if (!is_there) return;
    put(out_.section(Section::kRefs), static_cast<std::uint32_t>(times.size()));
    for (const auto& [core_class, time] : times) {
      if (time.first > time.second) out_.fail("a time range ends before it begins");
      put(out_.section(Section::kRefs), out_.name_id(core_class));
      for (const std::uint64_t end : {time.first, time.second}) {
        put(out_.section(Section::kRefs), static_cast<std::uint32_t>(end));
        put(out_.section(Section::kRefs), static_cast<std::uint32_t>(end >> 32U));
      }
    }
  }
  void watchdog(std::uint64_t time_ps, bool is_there, bool is_fallible) {
    if (!is_there) return;
    if (!is_fallible) out_.fail("a watchdog of an op that may not fail");
    put(out_.section(Section::kRefs), static_cast<std::uint32_t>(time_ps));
    put(out_.section(Section::kRefs), static_cast<std::uint32_t>(time_ps >> 32U));
  }
  void name(const std::string& text) { u32(out_.name_id(text)); }
  void names(const std::vector<std::string>& texts) {
    put_count(texts.size(), UINT32_MAX);
    for (const std::string& text : texts) put(out_.section(Section::kRefs), out_.name_id(text));
  }
  template <typename T>
  void list(const std::vector<T>& values, std::uint32_t max) {
    put_count(values.size(), max);
    out_.put_refs(values);
  }
  /// As words: for each schedule the number of its lists, then each list's length and its ops.
  void schedules(const std::vector<WorkerLists>& schedules) {
    std::vector<std::uint32_t> words;
    for (const WorkerLists& schedule : schedules) {
      words.push_back(static_cast<std::uint32_t>(schedule.lists.size()));
      for (const std::vector<std::uint32_t>& ops : schedule.lists) {
        words.push_back(static_cast<std::uint32_t>(ops.size()));
        words.insert(words.end(), ops.begin(), ops.end());
      }
    }
    list(words, UINT32_MAX);
  }
  template <typename T>
  void list8(const std::vector<T>& values, std::uint32_t max) {
    out_.check_count(values.size(), max);
    out_.add(static_cast<std::uint8_t>(values.size()));
    out_.put_refs(values);
  }
  void config_bytes(const std::vector<std::uint8_t>& bytes) {
    put_count(bytes.size(), UINT32_MAX);
    out_.section(Section::kConfigs).append(bytes.begin(), bytes.end());
  }
  void weight_bytes(const std::vector<std::uint8_t>& bytes) {
    u64(bytes.size());
    out_.section(Section::kWeights).append(bytes.begin(), bytes.end());
  }

  void source_text(const std::string& text) {
    u64(text.size());
    out_.section(Section::kSourceText) += text;
  }

 private:
  template <typename T, typename F>
  void records(Section which, const std::vector<T>& table, F code) {
    out_.begin(which, kSections[static_cast<std::size_t>(which)].name);
    out_.reserve(table.size() * kSections[static_cast<std::size_t>(which)].record_bytes);
    for (const T& record : table) code(record);
  }

  void put_count(std::size_t count, std::uint32_t max) {
    out_.check_count(count, max);
    u32(static_cast<std::uint32_t>(count));
  }

  const Model& model_;
  SectionWriter out_;
};

}  // namespace

std::string encode_package(const Model& model) {
  check_model_tables(model, model.name);
  const auto is_given = [](const Decision& decision) { return decision.tensor == kNone; };
  if (std::ranges::any_of(model.decisions, is_given)) {
    throw InputError(
        model.name, "",
        "a package cannot hold guards that no tensor decides; keep the op graph file, which every command reads");
  }
  return PackageEncoder(model).encode();
}

void write_package(const Model& model, const std::string& path) { write_file_atomically(path, encode_package(model)); }

}  // namespace detent::models
