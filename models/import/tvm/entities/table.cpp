#include "models/import/tvm/entities/table.hpp"

#include <algorithm>
#include <map>

#include "base/input_error.hpp"
#include "models/import/tvm/entities/edges.hpp"
#include "models/import/tvm/footprint/memory/value.hpp"

namespace detent::models::tvm::entities {
namespace {

constexpr std::size_t kMostEntities = 4096;
constexpr std::size_t kMostMembers = 256;

bool is_record(const CType& type) { return type.pointers == 0 && type.scalar == CType::Scalar::kRecord; }

std::string record_of(const CType& type) {
  std::string name = type.spelling;
  if (name.starts_with("const ")) name = name.substr(6);
  name = name.substr(0, name.find_first_of("[*"));
  while (name.ends_with(' ')) name.pop_back();
  return name;
}

/// An array, or one, of records with an entry function.
struct Candidate {
  std::uint32_t object = 0;
  std::string record;
};

class TableReader {
 public:
  TableReader(const CUnit& unit, const StaticData& data, const std::string& wanted)
      : unit_(unit), data_(data), wanted_(wanted) {}

  Table read() {
    const std::vector<std::uint32_t> objects = choose(candidates());
    table_.line = data_.objects()[objects[0]].line;
    place_entities(objects);
    read_entries();
    if (table_.entities.empty())
      fail(table_.line, table_.name + " has no entity: each of its entry functions is null; fill them in statically");
    if (table_.entities.size() > kMostEntities)
      fail(table_.line, std::to_string(table_.entities.size()) + " entities; at most " + std::to_string(kMostEntities) +
                            " are possible");
    std::vector<DataPlace> order;
    for (const Entity& entity : table_.entities) order.push_back(entity.place);
    EdgeReading edges = EdgeFinder(data_, table_, std::move(order)).find(unit_.file);
    for (std::size_t i = 0; i < table_.entities.size(); ++i) {
      table_.entities[i].successors = std::move(edges.successors[i]);
      table_.entities[i].indegree = edges.indegrees[i];
    }
    // The initial indegree itself is what a run counts down.
    for (const DataPlace& place : edges.read) {
      if (!is_indegree(place, edges.choice.indegree)) table_.read.push_back(place);
    }
    for (const std::size_t member :
         {edges.choice.list, edges.choice.first, edges.choice.count, edges.choice.indegree}) {
      if (member != SIZE_MAX) table_.used.push_back(member);
    }
    refuse_cycle();
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(std::uint32_t line, const std::string& what) const {
    throw InputError(unit_.file, line == 0 ? "" : std::to_string(line), what);
  }

  [[nodiscard]] bool is_indegree(const DataPlace& place, std::size_t member) const {
    return std::any_of(table_.entities.begin(), table_.entities.end(), [&](const Entity& entity) {
      return place.object == entity.place.object && place.offset == entity.place.offset + table_.members[member].offset;
    });
  }

  /// Members of a record and of the records in it. @return  false: a union, a bit field, or too many
  bool add_members(const std::string& record, const std::string& prefix, std::int64_t at, std::vector<Member>& members,
                   std::uint32_t depth) const {
    constexpr std::uint32_t kMostNested = 8;
    const auto layout = unit_.layouts.find(record);
    if (layout == unit_.layouts.end() || layout->second.members.empty() || depth > kMostNested) return false;
    for (const RecordLayout::Member& one : layout->second.members) {
      const std::int64_t offset = at + static_cast<std::int64_t>(one.offset);
      if (members.size() >= kMostMembers) return false;
      if (is_record(one.type) && one.type.extents.empty()) {
        std::vector<Member> inner;
        if (add_members(name_of_record(one.type), prefix + one.name + ".", offset, inner, depth + 1))
          members.insert(members.end(), inner.begin(), inner.end());
        continue;
      }
      members.push_back({prefix + one.name, offset, one.type});
    }
    return true;
  }

  [[nodiscard]] std::vector<std::size_t> entries_in(const std::vector<Member>& members) const {
    std::vector<std::size_t> entries;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (is_function_pointer(members[i].type)) entries.push_back(i);
    }
    return entries;
  }

  /// Variables of records with a function, a number and what may list successors.
  std::vector<Candidate> candidates() const {
    std::vector<Candidate> found;
    for (std::uint32_t object = 0; object < data_.objects().size(); ++object) {
      const DataObject& one = data_.objects()[object];
      if (!is_record(one.type) || one.type.extents.size() > 1 || one.variables.empty()) continue;
      const std::string record = record_of(one.type);
      std::vector<Member> members;
      if (!add_members(record, "", 0, members, 0) || entries_in(members).empty()) continue;
      const bool has_number =
          std::any_of(members.begin(), members.end(), [](const Member& m) { return is_whole_number(m.type); });
      if (has_number) found.push_back({object, record});
    }
    return found;
  }

  /// One array, or all single variables of one record.
  std::vector<std::uint32_t> choose(std::vector<Candidate> found) {
    if (!wanted_.empty()) {
      const auto object = data_.object_named(wanted_);
      if (!object) fail(0, "has no variable " + wanted_ + "; --table names that of the entities");
      const bool is_other =
          std::none_of(found.begin(), found.end(), [&](const Candidate& c) { return c.object == *object; });
      if (is_other && !is_pointer_list(*object))
        fail(data_.objects()[*object].line,
             wanted_ + " is no table of records with an entry function and a number of predecessors");
      if (is_other) return take_pointer_list(*object, found);
      std::erase_if(found, [&](const Candidate& c) { return c.object != *object; });
    }
    std::vector<Candidate> arrays;
    for (const Candidate& one : found) {
      if (!data_.objects()[one.object].type.extents.empty()) arrays.push_back(one);
    }
    if (arrays.size() > 1) {
      std::string names;
      for (const Candidate& one : arrays) {
        names += (names.empty() ? "" : ", ") + data_.objects()[one.object].name + " (line " +
                 std::to_string(data_.objects()[one.object].line) + ")";
      }
      fail(0, "several tables of entities: " + names.substr(0, 200) + "; name one with --table NAME");
    }
    if (arrays.size() == 1) return take({arrays[0].object}, arrays[0].record);
    if (found.empty()) fail_without_table();
    std::vector<std::uint32_t> lists;
    for (std::uint32_t object = 0; object < data_.objects().size(); ++object) {
      if (is_pointer_list(object) && wanted_.empty() && record_of(data_.objects()[object].type) == found[0].record)
        lists.push_back(object);
    }
    // Lists of successors are such lists, too; the table is the one that names every entity.
    for (const std::uint32_t list : lists) {
      if (listed_in(list).size() >= found.size()) return take_pointer_list(list, found);
    }
    std::vector<std::uint32_t> objects;
    for (const Candidate& one : found) {
      if (one.record == found[0].record) objects.push_back(one.object);
    }
    return take(std::move(objects), found[0].record);
  }

  std::vector<std::uint32_t> take(std::vector<std::uint32_t> objects, const std::string& record) {
    table_.record = record;
    table_.name = data_.objects()[objects[0]].name;
    add_members(record, "", 0, table_.members, 0);
    return objects;
  }

  [[nodiscard]] bool is_pointer_list(std::uint32_t object) const {
    const CType& type = data_.objects()[object].type;
    return type.extents.size() == 1 && type.pointers == 1 && type.scalar == CType::Scalar::kRecord;
  }

  [[nodiscard]] std::vector<DataPlace> listed_in(std::uint32_t list) const {
    std::vector<DataPlace> places;
    for (auto at = data_.cells().lower_bound({list, INT64_MIN}); at != data_.cells().end() && at->first.object == list;
         ++at) {
      if (at->second.kind != Cell::Kind::kAddress) continue;
      const DataPlace place{at->second.object, at->second.number};
      if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
    }
    return places;
  }

  std::vector<std::uint32_t> take_pointer_list(std::uint32_t list, const std::vector<Candidate>& found) {
    const std::string record = record_of(data_.objects()[list].type);
    const std::vector<DataPlace> places = listed_in(list);
    for (const DataPlace& place : places) {
      const bool is_entity = place.offset == 0 && std::any_of(found.begin(), found.end(), [&](const Candidate& one) {
                               return one.object == place.object && one.record == record;
                             });
      if (!is_entity) fail(data_.objects()[list].line, data_.objects()[list].name + " points to what is no entity");
    }
    if (places.empty()) fail(data_.objects()[list].line, data_.objects()[list].name + " names no entity statically");
    std::vector<std::uint32_t> objects;
    for (const DataPlace& place : places) objects.push_back(place.object);
    take(objects, record);
    table_.name = data_.objects()[list].name;
    return objects;
  }

  [[noreturn]] void fail_without_table() const {
    std::string errors;
    if (!unit_.errors.empty())
      errors = "; its text has errors, the first in line " + std::to_string(unit_.errors.front().line) + ": " +
               unit_.errors.front().text;
    fail(0,
         "has no table of entities: an array of records with an entry function, successors and an initial indegree, "
         "initialised where it is defined" +
             errors);
  }

  void place_entities(const std::vector<std::uint32_t>& objects) {
    for (const std::uint32_t object : objects) {
      const DataObject& one = data_.objects()[object];
      if (!one.doubt.empty()) fail(one.line, one.name + " is not understood: " + one.doubt);
      if (!one.is_defined)
        fail(one.line, one.name + " is declared and not defined here; give the file that defines it");
      const std::uint64_t count = one.type.extents.empty() ? 1 : one.type.extents[0];
      const std::uint64_t bytes = count == 0 ? 0 : one.size_bytes / count;
      all_rows_ += count;
      const std::uint64_t used = std::min(count, bytes == 0 ? 0 : rows_of(object, bytes));
      if (used > kMostEntities)
        fail(one.line, std::to_string(used) + " entities; at most " + std::to_string(kMostEntities) + " are possible");
      for (std::uint64_t i = 0; i < used; ++i) {
        Entity entity;
        entity.place = {object, static_cast<std::int64_t>(i * bytes)};
        entity.line = one.line;
        table_.entities.push_back(std::move(entity));
      }
    }
  }

  /// Up to the last row of which an initialiser names anything.
  [[nodiscard]] std::uint64_t rows_of(std::uint32_t object, std::uint64_t bytes) const {
    auto last = data_.cells().upper_bound({object, INT64_MAX});
    if (last == data_.cells().begin()) return 0;
    --last;
    const bool is_here = last->first.object == object && last->first.offset >= 0;
    return is_here ? static_cast<std::uint64_t>(last->first.offset) / bytes + 1 : 0;
  }

  void read_entries() {
    const std::uint64_t used = table_.entities.size();
    if (used < all_rows_)
      table_.notes.push_back(unit_.file + ":" + std::to_string(table_.line) + ": the last " +
                             std::to_string(all_rows_ - used) + " of " + std::to_string(all_rows_) + " rows of " +
                             table_.name + " are empty; they are no entities");
    if (table_.entities.empty()) return;
    table_.entry = choose_entry();
    table_.used.push_back(table_.entry);
    for (std::size_t i = 0; i < table_.entities.size(); ++i) read_entry(i);
  }

  /// Of several functions, the one that every entity has.
  std::size_t choose_entry() const {
    const std::vector<std::size_t> entries = entries_in(table_.members);
    std::vector<std::size_t> filled;
    for (const std::size_t entry : entries) {
      const bool is_filled = std::all_of(table_.entities.begin(), table_.entities.end(), [&](const Entity& entity) {
        const Cell* const cell = data_.find({entity.place.object, entity.place.offset + table_.members[entry].offset});
        return cell != nullptr && cell->kind == Cell::Kind::kFunction;
      });
      if (is_filled) filled.push_back(entry);
    }
    if (entries.size() == 1) return entries[0];
    if (filled.size() == 1) return filled[0];
    fail(table_.line, table_.record + " has " + std::to_string(entries.size()) +
                          " functions; which of them runs an entity is not clear: one of them must be there for every "
                          "entity, and only one");
  }

  void read_entry(std::size_t id) {
    Entity& entity = table_.entities[id];
    const DataPlace place{entity.place.object, entity.place.offset + table_.members[table_.entry].offset};
    const Cell* const cell = data_.find(place);
    if (cell != nullptr && cell->line != 0) entity.line = cell->line;
    const std::string name = "entity " + std::to_string(id) + " of " + table_.name;
    if (cell == nullptr || cell->kind == Cell::Kind::kNull) fail(entity.line, name + " has no entry function");
    if (cell->kind != Cell::Kind::kFunction)
      fail(entity.line, name + " has an entry that is no function of this file" +
                            (cell->text.empty() ? "; name one, without a cast" : ": " + cell->text));
    entity.entry = cell->text;
    table_.read.push_back(place);
    for (const Member& member : table_.members) {
      const Cell* const text = data_.find({entity.place.object, entity.place.offset + member.offset});
      if (text != nullptr && text->kind == Cell::Kind::kString && entity.label.empty()) entity.label = text->text;
    }
  }

  void refuse_cycle() const {
    std::vector<std::uint32_t> open(table_.entities.size(), 0);
    for (const Entity& entity : table_.entities) {
      for (const std::uint32_t to : entity.successors) ++open[to];
    }
    std::vector<std::uint32_t> ready;
    for (std::uint32_t i = 0; i < open.size(); ++i) {
      if (open[i] == 0) ready.push_back(i);
    }
    std::size_t done = 0;
    for (; done < ready.size(); ++done) {
      for (const std::uint32_t to : table_.entities[ready[done]].successors) {
        if (--open[to] == 0) ready.push_back(to);
      }
    }
    if (done == open.size()) return;
    // Backwards along entities that never start, until one comes again.
    std::vector<std::uint32_t> before(open.size(), UINT32_MAX);
    for (std::uint32_t i = 0; i < open.size(); ++i) {
      for (const std::uint32_t to : table_.entities[i].successors) {
        if (open[i] != 0 && open[to] != 0) before[to] = i;
      }
    }
    std::uint32_t at = 0;
    while (open[at] == 0) ++at;
    for (std::size_t i = 0; i < open.size(); ++i) at = before[at];
    std::vector<std::uint32_t> cycle = {at};
    for (std::uint32_t i = before[at]; i != at; i = before[i]) cycle.push_back(i);
    std::reverse(cycle.begin(), cycle.end());
    std::string text;
    for (const std::uint32_t id : cycle)
      text += "entity " + std::to_string(id) + " (" + table_.entities[id].entry + ") -> ";
    fail(table_.entities[at].line, "successors close a cycle: " + text.substr(0, 400) + "entity " +
                                       std::to_string(cycle.front()) + "; none of them ever starts");
  }

  const CUnit& unit_;
  const StaticData& data_;
  const std::string& wanted_;
  std::uint64_t all_rows_ = 0;  ///< of the table, the empty ones too
  Table table_;
};

}  // namespace

Table read_table(const CUnit& unit, const StaticData& data, const std::string& wanted) {
  return TableReader(unit, data, wanted).read();
}

}  // namespace detent::models::tvm::entities
