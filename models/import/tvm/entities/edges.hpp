// Which members of an entity's record tell its edges: every choice that the types allow is tried against the numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/import/tvm/entities/static_data.hpp"
#include "models/import/tvm/entities/table.hpp"

namespace detent::models::tvm::entities {

/// What members tell.
struct EdgeChoice {
  std::size_t list = SIZE_MAX;      ///< successors; SIZE_MAX: a range of `pool`
  std::uint32_t pool = UINT32_MAX;  ///< an object, the successors of all entities
  std::size_t first = SIZE_MAX;     ///< of `pool`: index of the first one
  std::size_t count = SIZE_MAX;     ///< how many; SIZE_MAX: to the end of the list, or to an index that no entity has
  bool is_end = false;              ///< `count` is the index behind the last one
  std::size_t indegree = SIZE_MAX;
  int score = 0;  ///< names that say what the choice takes them for
};

/// The edges that one choice gives.
struct EdgeReading {
  EdgeChoice choice;
  std::vector<std::vector<std::uint32_t>> successors;  ///< by entity
  std::vector<std::int64_t> indegrees;                 ///< by entity, as the table says
  std::vector<DataPlace> read;                         ///< places of the cells that tell it
  std::string fault;                                   ///< the first contradiction; "": none
  std::uint32_t fault_line = 0;
  std::size_t faults = 0;

  [[nodiscard]] std::size_t edge_count() const;
};

class EdgeFinder {
 public:
  /// @param table  with members, entry and the places of entities; outlives this
  EdgeFinder(const StaticData& data, const Table& table, std::vector<DataPlace> order)
      : data_(data), table_(table), order_(std::move(order)) {}
  /// The reading that the numbers agree with. @throws InputError  none, or several that differ
  EdgeReading find(const std::string& file) const;

 private:
  [[nodiscard]] std::vector<EdgeChoice> choices() const;
  void add_ranges(std::vector<EdgeChoice>& choices, const std::vector<std::size_t>& numbers) const;
  [[nodiscard]] EdgeReading read(const EdgeChoice& choice) const;
  void read_entity(std::size_t entity, EdgeReading& reading) const;
  void read_list(std::size_t entity, DataPlace at, std::int64_t count, bool is_told, const CType& element,
                 EdgeReading& reading) const;
  void check_indegrees(EdgeReading& reading) const;
  [[nodiscard]] std::optional<std::int64_t> number_of(std::size_t entity, std::size_t member,
                                                      EdgeReading& reading) const;
  [[nodiscard]] std::string name_of(std::size_t entity) const;
  void fail(EdgeReading& reading, std::size_t entity, const std::string& what) const;
  [[nodiscard]] std::optional<std::uint32_t> entity_at(const DataPlace& place) const;

  const StaticData& data_;
  const Table& table_;
  std::vector<DataPlace> order_;  ///< of entities, for finding one by its place: index in it is the entity
};

/// A pointer to, or an array of, indices or pointers to entities.
bool may_list_successors(const Member& member, const std::string& record);

}  // namespace detent::models::tvm::entities
