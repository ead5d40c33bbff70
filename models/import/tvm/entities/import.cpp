#include "models/import/tvm/entities/import.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <detent/op_config.h>

#include "base/input_error.hpp"
#include "base/io.hpp"
#include "base/wanted_file.hpp"
#include "models/core/op_graph.hpp"
#include "models/import/tvm/entities/arguments.hpp"
#include "models/import/tvm/entities/changes.hpp"
#include "models/import/tvm/entities/source_file.hpp"
#include "models/import/tvm/entities/static_data.hpp"
#include "models/import/tvm/entities/table.hpp"
#include "models/import/tvm/footprint/footprint.hpp"
#include "models/import/tvm/footprint/memory/value.hpp"
#include "models/import/tvm/footprint/walk/syntax.hpp"
#include "models/import/tvm/model/model_parts.hpp"

namespace detent::models::tvm::entities {
namespace {

constexpr std::uint64_t kMostFileBytes = std::uint64_t{64} << 20U;
constexpr std::uint32_t kMostRounds = 8;  ///< in which fields that entities write are taken away

/// Functions of the file that a body names.
std::set<std::string> named_functions(const CUnit& unit, const Function& function) {
  std::set<std::string> names;
  const std::function<void(ExprId)> visit = [&](ExprId id) {
    const Expr& expr = unit.expr(id);
    if (expr.kind == ExprKind::kName && unit.find(expr.text) != nullptr) names.insert(expr.text);
    for (const ExprId part : expr.args) visit(part);
  };
  footprint::each_expression(unit, function.body, visit);
  return names;
}

class EntityImporter {
 public:
  EntityImporter(CUnit unit, const EntityOptions& options)
      : unit_(std::move(unit)), data_(unit_), table_(read_checked_table(options)) {}

  EntityImport run() {
    out_.table = table_.name;
    out_.record = table_.record;
    out_.notes = table_.notes;
    const Changes changes(unit_, data_, functions_of_entities());
    require_fixed_table(changes);
    find_arguments(changes);
    bind(changes);
    analyse();
    build_model();
    add_notes();
    return std::move(out_);
  }

 private:
  /// What one entity does to one object.
  struct EntityAccess {
    std::uint32_t object = 0;
    ByteSet reads, writes;
  };

  Table read_checked_table(const EntityOptions& options) {
    for (const Diagnostic& error : unit_.errors) {
      const bool is_inside = std::any_of(unit_.functions.begin(), unit_.functions.end(), [&](const Function& function) {
        return function.body != kNoNode && function.range.begin <= error.at && error.at < function.range.end;
      });
      if (!is_inside)
        throw InputError(unit_.file, std::to_string(error.line),
                         error.text + "; a table is read only from declarations that compile");
    }
    return read_table(unit_, data_, options.table);
  }

  [[nodiscard]] std::set<std::string> reached(std::set<std::string> names) const {
    std::vector<std::string> open(names.begin(), names.end());
    while (!open.empty()) {
      const Function* const function = unit_.find(open.back());
      open.pop_back();
      if (function == nullptr) continue;
      for (const std::string& name : named_functions(unit_, *function)) {
        if (names.insert(name).second) open.push_back(name);
      }
    }
    return names;
  }

  /// Those that nothing but entities calls.
  [[nodiscard]] std::set<std::string> functions_of_entities() const {
    std::set<std::string> entries, others;
    for (const Entity& entity : table_.entities) entries.insert(entity.entry);
    const std::set<std::string> parts = reached(entries);
    for (const Function& function : unit_.functions) {
      if (function.body != kNoNode && !parts.contains(function.name)) others.insert(function.name);
    }
    std::set<std::string> own;
    const std::set<std::string> outside = reached(others);
    std::set_difference(parts.begin(), parts.end(), outside.begin(), outside.end(), std::inserter(own, own.end()));
    for (const Function& function : unit_.functions) {
      if (function.damaged && !own.contains(function.name)) damaged_ = &function;
    }
    return own;
  }

  void require_fixed_table(const Changes& changes) const {
    for (const DataPlace& place : table_.read) {
      const Cell* const cell = data_.find(place);
      CType type;
      if (cell != nullptr) type = cell->type;
      const std::uint32_t line = changes.line_of(place, type);
      if (line == 0) continue;
      throw InputError(unit_.file, std::to_string(line),
                       "may change " + data_.objects()[place.object].name +
                           ", which tells entries and successors; a table is read as its initialisers say: make it "
                           "const, or fill it in statically");
    }
  }

  BoundValue bound(const Cell& cell) const {
    BoundValue value;
    if (cell.kind == Cell::Kind::kInt) {
      value = {.kind = BoundValue::Kind::kInt, .number = cell.number};
    } else if (cell.kind == Cell::Kind::kNull) {
      value.kind = BoundValue::Kind::kNull;
    } else if (cell.kind == Cell::Kind::kAddress) {
      const DataObject& target = data_.objects()[cell.object];
      value = {.kind = BoundValue::Kind::kAddress, .number = cell.number, .object = cell.object};
      if (target.is_constant)
        value = {.kind = BoundValue::Kind::kConstant,
                 .number = cell.number,
                 .object = 0,
                 .variable = target.variables.back()};
    }
    return value;
  }

  void find_arguments(const Changes& changes) {
    EntryArguments reader(unit_, data_, table_);
    for (std::uint32_t id = 0; id < table_.entities.size(); ++id) {
      const Entity& entity = table_.entities[id];
      out_.entities.push_back({.op = id, .function = entity.entry, .line = entity.line, .why = {}});
      std::vector<std::pair<DataPlace, CType>> places;
      std::vector<Cell> cells = reader.of(entity, places);
      for (const auto& [place, type] : places) {
        const std::uint32_t line = changes.line_of(place, type);
        if (line == 0) continue;
        cells.clear();
        refuse(id, "its arguments may change in line " + std::to_string(line));
        break;
      }
      std::vector<BoundValue> values;
      for (const Cell& cell : cells) {
        values.push_back(bound(cell));
        const bool is_open = cell.kind == Cell::Kind::kUnknown || cell.kind == Cell::Kind::kFunction;
        if (is_open) open_[id] = cell.kind == Cell::Kind::kFunction ? "an argument is a function" : cell.text;
      }
      arguments_.push_back(std::move(values));
    }
  }

  void refuse(std::uint32_t entity, const std::string& why) {
    if (out_.entities[entity].why.empty()) out_.entities[entity].why = why;
  }

  void bind(const Changes& changes) {
    binding_.object_count = static_cast<std::uint32_t>(data_.objects().size());
    for (std::uint32_t object = 0; object < data_.objects().size(); ++object) {
      const DataObject& one = data_.objects()[object];
      for (const Variable* variable : one.variables) {
        if (!one.is_constant && !variable->is_thread_local) binding_.variables.emplace(variable, object);
      }
    }
    for (const auto& [place, cell] : data_.cells()) {
      const DataObject& one = data_.objects()[place.object];
      const bool is_number = cell.kind == Cell::Kind::kInt;
      const bool is_told = is_number || cell.kind == Cell::Kind::kAddress || cell.kind == Cell::Kind::kNull;
      const bool holds_arguments = one.type.scalar == CType::Scalar::kRecord || one.type.extents.empty();
      if (!is_told || one.is_constant || !one.doubt.empty() || (is_number && !holds_arguments)) continue;
      const std::uint32_t line = changes.line_of(place, cell.type);
      if (line == 0) {
        binding_.fields.emplace(std::pair(place.object, place.offset), BoundField{cell.type, bound(cell)});
      } else {
        changed_.emplace(place, line);
      }
    }
  }

  void analyse() {
    accesses_.assign(table_.entities.size(), {});
    const std::vector<EntityNote> start = out_.entities;
    for (std::uint32_t round = 0;; ++round) {
      out_.entities = start;
      for (std::uint32_t id = 0; id < table_.entities.size(); ++id) analyse_entity(id);
      if (!drop_written_fields()) return;
      if (round < kMostRounds) continue;
      for (std::uint32_t id = 0; id < table_.entities.size(); ++id) refuse(id, "entities write what holds arguments");
      return;
    }
  }

  /// Members that entities write are not those of the initialisers. @return  there were any
  bool drop_written_fields() {
    std::map<std::uint32_t, ByteSet> written;
    for (const auto& accesses : accesses_) {
      for (const EntityAccess& access : accesses) written[access.object].unite(access.writes);
    }
    return std::erase_if(binding_.fields, [&](const auto& entry) {
             const auto found = written.find(entry.first.first);
             if (found == written.end()) return false;
             const auto bytes = static_cast<std::int64_t>(footprint::bytes_of(entry.second.type));
             return found->second.intersects(
                 ByteSet({entry.first.second, entry.first.second + std::max<std::int64_t>(bytes, 1)}));
           }) > 0;
  }

  void analyse_entity(std::uint32_t id) {
    std::vector<EntityAccess>& accesses = accesses_[id];
    accesses.clear();
    const Function* const function = unit_.find(table_.entities[id].entry);
    if (function == nullptr) return refuse(id, "its body is not here");
    binding_.arguments = arguments_[id];
    FootprintOptions options;
    options.binding = &binding_;
    const FunctionFootprint found = analyse_function(unit_, *function, options);
    if (!found.understood) {
      const auto open = open_.find(id);
      const bool is_argument = open != open_.end() && found.why.find("pointer") != std::string::npos;
      return refuse(id, (found.line != 0 ? "line " + std::to_string(found.line) + ": " : "") + found.why +
                            (is_argument ? " (" + open->second + ")" : changed_argument()));
    }
    if (!found.state.empty())
      refuse(id, "line " + std::to_string(found.state_line) + ": it uses " + found.state +
                     ", of which this file does not tell what it touches");
    for (std::uint32_t object = 0; object < found.params.size(); ++object) take(id, object, found.params[object]);
  }

  /// Where pointers are set while the program runs, that is the likely reason.
  [[nodiscard]] std::string changed_argument() const {
    if (changed_.empty()) return "";
    const auto& [place, line] = *changed_.begin();
    return "; line " + std::to_string(line) + " may change " + data_.objects()[place.object].name;
  }

  void take(std::uint32_t id, std::uint32_t object, const AccessSets& sets) {
    const DataObject& one = data_.objects()[object];
    if (sets.reads_unbounded || sets.writes_unbounded)
      refuse(id, "it may touch any byte of " + one.name + " and what lies around it");
    EntityAccess access{.object = object, .reads = sets.reads, .writes = sets.writes};
    if (access.reads.empty() && access.writes.empty()) return;
    const auto end = static_cast<std::int64_t>(one.size_bytes == 0 ? kMostBytes : one.size_bytes);
    const ByteSet inside({0, end});
    for (ByteSet* bytes : {&access.reads, &access.writes}) {
      const ByteSet outside = bytes->difference(inside);
      if (outside.empty()) continue;
      refuse(id, "it touches bytes [" + std::to_string(outside.hull().begin) + ", " +
                     std::to_string(outside.hull().end) + ") of " + one.name + ", which has " + std::to_string(end) +
                     " bytes");
      *bytes = bytes->intersection(inside);
    }
    out_.entities[id].is_superset = out_.entities[id].is_superset || !sets.reads_exact || !sets.writes_exact;
    if (!access.reads.empty() || !access.writes.empty()) accesses_[id].push_back(std::move(access));
  }

  void add_regions() {
    std::map<std::uint32_t, std::uint64_t> sizes;
    for (const auto& accesses : accesses_) {
      for (const EntityAccess& access : accesses) {
        const std::int64_t end = std::max({access.reads.hull().end, access.writes.hull().end, std::int64_t{1}});
        std::uint64_t& size = sizes[access.object];
        size = std::max({size, static_cast<std::uint64_t>(end), data_.objects()[access.object].size_bytes});
      }
    }
    for (const auto& [object, size] : sizes) {
      const DataObject& one = data_.objects()[object];
      if (size > kMostBytes)
        throw InputError(unit_.file, std::to_string(one.line),
                         one.name + " has " + std::to_string(size) + " bytes; at most 2^40 are possible");
      regions_[object] = static_cast<std::uint32_t>(out_.model.regions.size());
      out_.model.regions.push_back({.name = one.name, .kind = DETENT_REGION_WORKSPACE, .size_bytes = size});
    }
  }

  void add_ranges(std::uint32_t id, std::uint32_t region, const ByteSet& bytes, std::size_t most,
                  std::vector<std::uint32_t>& list) {
    const ByteSet kept = coarsened(bytes, most);
    if (kept != bytes) out_.entities[id].is_superset = true;
    for (const ByteInterval& part : kept.intervals()) {
      const auto begin = static_cast<std::uint64_t>(part.begin),
                 size = static_cast<std::uint64_t>(part.end - part.begin);
      const auto [place, is_new] =
          ranges_.try_emplace({region, begin, size}, static_cast<std::uint32_t>(out_.model.tensors.size()));
      if (is_new) out_.model.tensors.push_back(range_tensor(out_.model, region, begin, size, {}));
      list.push_back(place->second);
    }
  }

  [[nodiscard]] std::string op_name(std::uint32_t id) const {
    const Entity& entity = table_.entities[id];
    const bool is_plain = entity.label.find('\\') == std::string::npos && name_fault(entity.label) == nullptr;
    if (!entity.label.empty() && is_plain) return entity.label;
    const auto same = std::count_if(table_.entities.begin(), table_.entities.end(),
                                    [&](const Entity& other) { return other.entry == entity.entry; });
    return same == 1 ? entity.entry : entity.entry + "#" + std::to_string(id);
  }

  void build_model() {
    out_.model.name = table_.name;
    add_regions();
    for (std::uint32_t id = 0; id < table_.entities.size(); ++id) {
      Op op;
      op.name = op_name(id);
      op.kernel = "mix";
      op.in_place = true;
      op.config.resize(sizeof(detent_mix_config));
      op.time_ps = {0, 0};
      const std::size_t most = DETENT_MAX_OP_TENSORS / std::max<std::size_t>(accesses_[id].size(), 1);
      for (const EntityAccess& access : accesses_[id]) {
        add_ranges(id, regions_.at(access.object), access.reads, std::max<std::size_t>(most, 1), op.inputs);
        add_ranges(id, regions_.at(access.object), access.writes, std::max<std::size_t>(most, 1), op.outputs);
      }
      if (op.inputs.size() > DETENT_MAX_OP_TENSORS || op.outputs.size() > DETENT_MAX_OP_TENSORS)
        throw InputError(unit_.file, std::to_string(table_.entities[id].line),
                         "entity " + std::to_string(id) + " touches more than " +
                             std::to_string(DETENT_MAX_OP_TENSORS) + " variables");
      if (!out_.entities[id].why.empty() || damaged_ != nullptr) op.footprint = Footprint::kUnknown;
      out_.model.ops.push_back(std::move(op));
      add_edges(id);
    }
  }

  void add_edges(std::uint32_t id) {
    std::set<std::uint32_t> seen;
    for (const std::uint32_t to : table_.entities[id].successors) {
      if (seen.insert(to).second) out_.model.edges.push_back({.from = id, .to = to});
    }
    if (seen.size() < table_.entities[id].successors.size())
      out_.notes.push_back(place_of(id) + ": lists a successor more than once");
  }

  [[nodiscard]] std::string place_of(std::uint32_t id) const {
    return unit_.file + ":" + std::to_string(table_.entities[id].line) + ": entity " + std::to_string(id) + " (" +
           table_.entities[id].entry + ")";
  }

  void add_notes() {
    if (damaged_ != nullptr)
      out_.notes.push_back(unit_.file + ":" + std::to_string(damaged_->line) + ": " + damaged_->name +
                           " does not compile, so that what it writes is not known; no footprint counts");
    for (const EntityNote& note : out_.entities) {
      if (!note.why.empty()) {
        out_.notes.push_back(place_of(note.op) + ": its footprint is unknown: " + note.why);
      } else if (note.is_superset) {
        out_.notes.push_back(place_of(note.op) + ": may touch fewer bytes than are listed, by data");
      }
    }
  }

  static constexpr std::uint64_t kMostBytes = DETENT_MAX_BYTES;

  CUnit unit_;
  StaticData data_;
  Table table_;
  EntityImport out_;
  mutable const Function* damaged_ = nullptr;  ///< one that is no entity's
  Binding binding_;
  std::vector<std::vector<BoundValue>> arguments_;   ///< by entity
  std::map<std::uint32_t, std::string> open_;        ///< by entity: an argument that is not known
  std::map<DataPlace, std::uint32_t> changed_;       ///< places that a line may change
  std::vector<std::vector<EntityAccess>> accesses_;  ///< by entity
  std::map<std::uint32_t, std::uint32_t> regions_;   ///< by object
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>, std::uint32_t> ranges_;
};

EntityImport import_of(std::string text, const std::string& file, const std::string& path,
                       const EntityOptions& options) {
  return EntityImporter(parse_source(std::move(text), file, path, options), options).run();
}

}  // namespace

std::size_t EntityImport::unknown_count() const {
  return static_cast<std::size_t>(std::count_if(model.ops.begin(), model.ops.end(),
                                                [](const Op& op) { return op.footprint == Footprint::kUnknown; }));
}

EntityImport import_entities(const std::string& path, const EntityOptions& options) {
  static const WantedFile kSource = {
      "a C source", {FileKind::kC, FileKind::kText}, "give the file that defines the table of entities"};
  return import_of(read_wanted_file(path, kMostFileBytes, kSource), path, path, options);
}

EntityImport import_entities_text(const std::string& text, const std::string& file, const EntityOptions& options) {
  return import_of(text, file, "", options);
}

}  // namespace detent::models::tvm::entities
