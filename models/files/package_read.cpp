// Package bytes -> Model. First the container (header, section table, checksums), then the records.
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "base/input_error.hpp"
#include "base/io.hpp"
#include "models/core/decisions.hpp"
#include "models/core/model_tables.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/package.hpp"
#include "models/files/package_layout.hpp"

namespace detent::models {
namespace {

using package::kSections;
using package::Section;

template <typename T>
T get(std::string_view bytes, std::size_t at) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i) {
    value =
        static_cast<T>(value | static_cast<T>(static_cast<T>(static_cast<unsigned char>(bytes[at + i])) << (8 * i)));
  }
  return value;
}

std::string swapped(std::string_view magic, std::size_t word) {
  std::string out(magic);
  for (auto at = out.begin(); at != out.end(); at += static_cast<std::ptrdiff_t>(word)) {
    std::reverse(at, at + static_cast<std::ptrdiff_t>(word));
  }
  return out;
}

bool is_swapped(std::string_view bytes) {
  const std::string_view magic = bytes.substr(0, kPackageMagic.size());
  return magic == swapped(kPackageMagic, 8) || magic == swapped(kPackageMagic, 4) || magic == swapped(kPackageMagic, 2);
}

using SectionBytes = std::array<std::string_view, kSections.size()>;

/// Checks everything about the container, so that the records behind it are at least what somebody wrote.
class Container {
 public:
  Container(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  SectionBytes open() {
    const std::size_t count = check_header();
    SectionBytes sections;
    std::uint64_t end = table_end(count);
    for (std::size_t i = 0; i < count; ++i) {
      sections[i] = open_section(i, end);
      end += sections[i].size();
    }
    if (end != bytes_.size()) fail("file", std::to_string(bytes_.size() - end) + " bytes after the last section");
    return sections;
  }

 private:
  static constexpr std::uint64_t table_end(std::size_t sections) {
    return package::kHeaderBytes + sections * package::kSectionEntryBytes;
  }

  /// @return how many sections there are
  std::size_t check_header() const {
    if (bytes_.empty()) fail("", "the file is empty");
    if (is_swapped(bytes_)) fail("magic", "the file is byte-swapped; packages are little-endian, make it again");
    if (bytes_.substr(0, kPackageMagic.size()) != kPackageMagic) {
      if (kPackageMagic.starts_with(bytes_)) fail_truncated();
      fail("magic", "not a package of Detent; make one with detent import");
    }
    if (bytes_.size() < package::kHeaderBytes) fail_truncated();
    const auto version = get<std::uint32_t>(bytes_, 8);
    if (version != kPackageVersion) {
      fail("version", "version " + std::to_string(version) + "; this program reads version " +
                          std::to_string(kPackageVersion) + ", import the model again");
    }
    const auto count = get<std::uint32_t>(bytes_, 12);
    if (count != package::section_count(false) && count != package::section_count(true)) {
      fail("section_count", fmt::format("{} sections; there must be {}, or {} where a deadline or a period is demanded",
                                        count, package::section_count(false), package::section_count(true)));
    }
    const auto size = get<std::uint64_t>(bytes_, 16);
    if (size != bytes_.size()) {
      fail("file_bytes",
           "the header says " + std::to_string(size) + " bytes, the file has " + std::to_string(bytes_.size()));
    }
    if (size < table_end(count)) fail_truncated();
    std::string summed(bytes_.substr(0, package::kHeaderSummedBytes));
    summed += bytes_.substr(package::kHeaderBytes, table_end(count) - package::kHeaderBytes);
    if (XXH3_64bits(summed.data(), summed.size()) != get<std::uint64_t>(bytes_, package::kHeaderSummedBytes)) {
      fail("header", "the checksum is wrong; the file was changed or damaged");
    }
    return count;
  }

  /// Section i, which must begin at the first aligned byte behind the one before; `end` moves over the padding.
  std::string_view open_section(std::size_t i, std::uint64_t& end) const {
    const std::string place = kSections[i].name;
    const std::size_t entry = package::kHeaderBytes + i * package::kSectionEntryBytes;
    const auto kind = get<std::uint32_t>(bytes_, entry);
    const auto record_bytes = get<std::uint32_t>(bytes_, entry + 4);
    const auto count = get<std::uint64_t>(bytes_, entry + 8);
    const auto offset = get<std::uint64_t>(bytes_, entry + 16);
    if (kind != i + 1) fail(place, "section kind " + std::to_string(kind) + " must be " + std::to_string(i + 1));
    if (record_bytes != kSections[i].record_bytes) {
      fail(place, "records of " + std::to_string(record_bytes) + " bytes; they have " +
                      std::to_string(kSections[i].record_bytes));
    }
    const std::uint64_t begin = (end + package::kSectionAlign - 1) / package::kSectionAlign * package::kSectionAlign;
    if (offset % package::kSectionAlign != 0) fail(place, "offset " + std::to_string(offset) + " is misaligned");
    if (offset < begin) fail(place, "overlaps the section before it: offset " + std::to_string(offset));
    if (offset > begin)
      fail(place, "offset " + std::to_string(offset) + " leaves a gap after byte " + std::to_string(end));
    if (offset > bytes_.size() || count > (bytes_.size() - offset) / record_bytes) {
      fail(place,
           std::to_string(count) + " records at offset " + std::to_string(offset) + " end past the end of the file");
    }
    for (; end < begin; ++end) {
      if (bytes_[end] != 0) fail(place, "the padding before it is not zero");
    }
    const std::string_view section = bytes_.substr(offset, count * record_bytes);
    if (XXH3_64bits(section.data(), section.size()) != get<std::uint64_t>(bytes_, entry + 24)) {
      fail(place, "the checksum is wrong; the file was changed or damaged");
    }
    return section;
  }

  [[noreturn]] void fail_truncated() const {
    fail("header", "the file ends after " + std::to_string(bytes_.size()) + " bytes, within its header");
  }
  [[noreturn]] void fail(const std::string& place, const std::string& what) const {
    throw InputError(file_, place, what);
  }

  std::string_view bytes_;
  const std::string& file_;
};

/// The sections of a package while they are used up: fields from the one that is being read, names and lists from
/// others.
class SectionReader {
 public:
  SectionReader(const SectionBytes& sections, const std::string& file, std::uint64_t file_bytes)
      : sections_(sections), file_(file), name_budget_(kNameSlackBytes + kNameBytesPerFileByte * file_bytes) {}

  std::size_t records_of(Section which) const {
    return sections_[static_cast<std::size_t>(which)].size() / info(which).record_bytes;
  }

  /// The file has no such section.
  bool is_missing(Section which) const { return sections_[static_cast<std::size_t>(which)].data() == nullptr; }

  void begin(Section which) {
    from_ = &section(which);
    table_ = which;
    index_ = 0;
  }
  void end_record() { ++index_; }

  void read_names() {
    std::string_view& text = section(Section::kNameText);
    names_.reserve(records_of(Section::kNames));
    begin(Section::kNames);
    for (std::size_t count = records_of(Section::kNames); count > 0; --count) {
      const auto length = take<std::uint32_t>();
      if (length > text.size()) fail("a name of " + std::to_string(length) + " bytes ends past the end of its section");
      names_.push_back(text.substr(0, length));
      if (const char* fault = name_fault(names_.back())) fail(fault);
      text.remove_prefix(length);
      ++index_;
    }
    if (!text.empty()) fail_at("name_text", std::to_string(text.size()) + " bytes that no name uses");
  }

  template <typename T>
  T take() {
    const T value = get<T>(*from_, 0);
    from_->remove_prefix(sizeof(T));
    return value;
  }

  std::string_view take_refs(std::uint64_t count, std::uint64_t max) {
    if (count > max) fail("a list of " + std::to_string(count) + "; at most " + std::to_string(max) + " are possible");
    return take_from(Section::kRefs, count, 4);
  }

  std::string_view take_from(Section which, std::uint64_t count, std::uint64_t element_bytes) {
    std::string_view& from = section(which);
    if (count > from.size() / element_bytes) {
      fail(std::to_string(count) + " elements, but section " + info(which).name + " has " +
           std::to_string(from.size() / element_bytes) + " left");
    }
    const std::string_view taken = from.substr(0, count * element_bytes);
    from.remove_prefix(taken.size());
    return taken;
  }

  std::string_view name_of(std::uint32_t id) {
    if (id == package::kNoName) return {};
    if (id >= names_.size()) {
      fail("name " + std::to_string(id) + " does not exist; there are " + std::to_string(names_.size()));
    }
    const std::uint64_t cost = sizeof(std::string) + names_[id].size();
    if (cost > name_budget_) fail("the names that records share add up to too many bytes");
    name_budget_ -= cost;
    return names_[id];
  }

  /// Nothing may be left of it.
  void check_used_up(Section which) {
    if (section(which).empty()) return;
    fail_at(info(which).name, std::to_string(section(which).size()) + " bytes that no record uses");
  }

  [[noreturn]] void fail(const std::string& what) const {
    fail_at(std::string(info(table_).name) + "[" + std::to_string(index_) + "]", what);
  }
  [[noreturn]] void fail_at(const std::string& place, const std::string& what) const {
    throw InputError(file_, place, what);
  }

 private:
  // One stored name may be used by many records; this bounds what they may add up to.
  static constexpr std::uint64_t kNameSlackBytes = std::uint64_t{16} << 20U;
  static constexpr std::uint64_t kNameBytesPerFileByte = 8;

  static constexpr const package::SectionInfo& info(Section which) {
    return kSections[static_cast<std::size_t>(which)];
  }
  std::string_view& section(Section which) { return sections_[static_cast<std::size_t>(which)]; }

  SectionBytes sections_;
  const std::string& file_;
  std::uint64_t name_budget_;
  std::vector<std::string_view> names_;
  std::string_view* from_ = nullptr;
  Section table_ = Section::kModel;
  std::size_t index_ = 0;
};

/// Takes fields from the section that is being read, and what hangs off them from names, refs, configs and weights,
/// each of which must be used up exactly.
class PackageDecoder {
 public:
  PackageDecoder(const SectionBytes& sections, const std::string& file, std::uint64_t file_bytes)
      : in_(sections, file, file_bytes) {}

  Model decode() {
    in_.read_names();
    Model model;
    if (in_.records_of(Section::kModel) != 1) in_.fail_at("model", "there must be one record");
    in_.begin(Section::kModel);
    package::code_model(*this, model);
    records(Section::kRegions, model.regions, [this](Region& r) { package::code_region(*this, r); });
    records(Section::kTensors, model.tensors, [this](Tensor& t) { package::code_tensor(*this, t); });
    records(Section::kOps, model.ops, [this](Op& o) { package::code_op(*this, o); });
    records(Section::kEdges, model.edges, [this](Edge& e) { package::code_edge(*this, e); });
    records(Section::kSources, model.sources, [this](SourceFile& s) { package::code_source(*this, s); });
    read_demands(model.demands);
    for (const Section which : {Section::kRefs, Section::kConfigs, Section::kWeights, Section::kSourceText}) {
      in_.check_used_up(which);
    }
    return model;
  }

  template <typename E>
  void enum8(E& value, E max) {
    set_enum(value, max, in_.take<std::uint8_t>());
  }
  template <typename E>
  void enum32(E& value, E max) {
    set_enum(value, max, in_.take<std::uint32_t>());
  }
  void u32(std::uint32_t& value) { value = in_.take<std::uint32_t>(); }
  void u64(std::uint64_t& value) { value = in_.take<std::uint64_t>(); }
  void i32(std::int32_t& value) { value = static_cast<std::int32_t>(in_.take<std::uint32_t>()); }
  void f32(float& value) { value = std::bit_cast<float>(in_.take<std::uint32_t>()); }
  void flags(std::uint32_t& value, std::uint32_t all) {
    value = in_.take<std::uint32_t>();
    if ((value & ~all) != 0) in_.fail("unknown flags " + std::to_string(value & ~all));
  }
  void at_most(std::uint32_t value, std::uint32_t most, const char* what) {
    if (value > most) in_.fail("unknown " + std::string(what) + " " + std::to_string(value));
  }
  void reserved16() { check_reserved(in_.take<std::uint16_t>()); }
  void reserved32() { check_reserved(in_.take<std::uint32_t>()); }
  template <typename T>
  static void set(T& value, T to) {
    value = to;
  }
  void span(std::optional<std::pair<std::uint64_t, std::uint64_t>>& ends, bool is_there) {
    const auto least = in_.take<std::uint64_t>();
    const auto most = in_.take<std::uint64_t>();
    if (!is_there && (least | most) != 0) in_.fail("a time without its flag");
    if (least > most) in_.fail("the least time, " + std::to_string(least) + ", is above the greatest");
    if (is_there) ends.emplace(least, most);
  }
  void name(std::string& text) { text = in_.name_of(in_.take<std::uint32_t>()); }
  void names(std::vector<std::string>& texts) {
    const std::string_view ids = in_.take_refs(in_.take<std::uint32_t>(), UINT32_MAX);
    for (std::size_t at = 0; at < ids.size(); at += 4) texts.emplace_back(in_.name_of(get<std::uint32_t>(ids, at)));
  }
  template <typename T>
  void list(std::vector<T>& values, std::uint32_t max) {
    fill(values, in_.take_refs(in_.take<std::uint32_t>(), max));
  }
  /// 0: none is demanded.
  void demanded_time(std::optional<std::uint64_t>& time_ps, const char* what) {
    const auto read = in_.take<std::uint64_t>();
    if (read > kMaxGraphTimePs) in_.fail(fmt::format("a {} of {} ps; it is at most 2^62 (53 days)", what, read));
    if (read != 0) time_ps = read;
  }
  void workers(std::uint32_t& mask, bool is_there) {
    if (!is_there) return;
    std::vector<std::uint32_t> words;
    fill(words, in_.take_refs(1, 1));
    mask = words.front();
    if (mask == 0) in_.fail("workers without any");
  }
  void class_times(std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>& times, bool is_there) {
    if (!is_there) return;
    std::vector<std::uint32_t> words;
    fill(words, in_.take_refs(1, 1));
    const std::uint32_t count = words.front();
    if (count == 0 || count > DETENT_MAX_CLASSES) in_.fail("times of " + std::to_string(count) + " classes of cores");
    constexpr std::uint32_t kWords = 5;  // a name, and two words for each end
    words.clear();
    fill(words, in_.take_refs(count * kWords, count * kWords));
    for (std::size_t at = 0; at < words.size(); at += kWords) {
      const auto end = [&](std::size_t i) { return words[at + i] | std::uint64_t{words[at + i + 1]} << 32U; };
      const std::string core_class(in_.name_of(words[at]));
      if (end(1) > end(3)) in_.fail("the least time, " + std::to_string(end(1)) + ", is above the greatest");
      if (core_class.empty() || !times.try_emplace(core_class, end(1), end(3)).second)
        in_.fail("two times on one class of cores, or one on none");
    }
  }
  void watchdog(std::uint64_t& time_ps, bool is_there, bool is_fallible) {
    if (!is_there) return;
    std::vector<std::uint32_t> words;
    fill(words, in_.take_refs(2, 2));
    time_ps = words[0] | std::uint64_t{words[1]} << 32U;
    if (time_ps == 0 || !is_fallible) in_.fail("a watchdog of 0, or of an op that may not fail");
  }
  void schedules(std::vector<WorkerLists>& schedules) {
    std::vector<std::uint32_t> words;
    list(words, UINT32_MAX);
    std::size_t at = 0;
    const auto take = [&](std::size_t limit) {
      if (at == words.size()) in_.fail("the schedules end within a list");
      if (words[at] > limit) in_.fail("the schedules have a count of " + std::to_string(words[at]));
      return words[at++];
    };
    while (at < words.size()) {
      WorkerLists& schedule = schedules.emplace_back();
      for (std::uint32_t lists = take(DETENT_MAX_WORKERS); lists > 0; --lists) {
        const std::uint32_t count = take(DETENT_MAX_OPS);
        if (count > words.size() - at) in_.fail("the schedules end within a list");
        schedule.lists.emplace_back(words.begin() + static_cast<std::ptrdiff_t>(at),
                                    words.begin() + static_cast<std::ptrdiff_t>(at + count));
        at += count;
      }
    }
  }
  template <typename T>
  void list8(std::vector<T>& values, std::uint32_t max) {
    fill(values, in_.take_refs(in_.take<std::uint8_t>(), max));
  }
  void config_bytes(std::vector<std::uint8_t>& bytes) { assign(bytes, Section::kConfigs, in_.take<std::uint32_t>()); }
  void weight_bytes(std::vector<std::uint8_t>& bytes) { assign(bytes, Section::kWeights, in_.take<std::uint64_t>()); }

  void source_text(std::string& text) { text = in_.take_from(Section::kSourceText, in_.take<std::uint64_t>(), 1); }

 private:
  template <typename T, typename F>
  void records(Section which, std::vector<T>& table, F code) {
    table.resize(in_.records_of(which));
    in_.begin(which);
    for (T& record : table) {
      code(record);
      in_.end_record();
    }
  }

  /// In a section of its own, which is there only where something is demanded.
  void read_demands(TimeDemands& demands) {
    if (in_.is_missing(Section::kDemands)) return;
    if (in_.records_of(Section::kDemands) != 1) in_.fail_at("demands", "there must be one record");
    in_.begin(Section::kDemands);
    package::code_demands(*this, demands);
    if (demands == TimeDemands{}) in_.fail_at("demands", "neither a deadline nor a period");
  }

  template <typename T>
  static void fill(std::vector<T>& values, std::string_view refs) {
    values.resize(refs.size() / 4);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(get<std::uint32_t>(refs, 4 * i));
  }

  void assign(std::vector<std::uint8_t>& bytes, Section which, std::uint64_t count) {
    const std::string_view taken = in_.take_from(which, count, 1);
    bytes.assign(taken.begin(), taken.end());
  }

  template <typename E>
  void set_enum(E& value, E max, std::uint32_t number) {
    if (number > static_cast<std::uint32_t>(max))
      in_.fail("enumeration value " + std::to_string(number) + " is not known");
    value = static_cast<E>(number);
  }

  void check_reserved(std::uint32_t value) const {
    if (value != 0) in_.fail("a reserved field is " + std::to_string(value) + "; it must be 0");
  }

  SectionReader in_;
};

}  // namespace

bool is_package(std::string_view bytes) {
  return bytes.starts_with(kPackageMagic) || (bytes.size() >= kPackageMagic.size() && is_swapped(bytes));
}

Model decode_package(std::string_view bytes, const std::string& file) {
  Model model = PackageDecoder(Container(bytes, file).open(), file, bytes.size()).decode();
  check_model_tables(model, file);
  derive_decisions(model);
  return model;
}

Model read_package(const std::string& path) { return decode_package(read_regular_file(path, kMaxPackageBytes), path); }

}  // namespace detent::models
