// Table: the entities of a hand-parallelised C file: entry functions, successors, initial indegrees.
//
// The members of the record are recognised by their types. Which number counts successors and which predecessors, where
// names do not say it, is found out: the edges that one choice gives must be those that the other counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/import/tvm/entities/static_data.hpp"

namespace detent::models::tvm::entities {

/// A member of the record, or of a record in it.
struct Member {
  std::string name;  ///< "entry", "node.succ"
  std::int64_t offset = 0;
  CType type;
};

struct Entity {
  DataPlace place;
  std::string entry;  ///< function
  std::string label;  ///< that a string of the record gives; "": none does
  std::uint32_t line = 0;
  std::vector<std::uint32_t> successors;  ///< as listed: a successor may stand there twice
  std::int64_t indegree = 0;              ///< as the table says
};

struct Table {
  std::string name;    ///< of the variable
  std::string record;  ///< "struct entity"
  std::uint32_t line = 0;
  std::vector<Member> members;
  std::size_t entry = 0;          ///< of members
  std::vector<std::size_t> used;  ///< of members: entry, successors, their count, indegree
  std::vector<Entity> entities;
  std::vector<DataPlace> read;  ///< places of all cells that tell edges and entries
  std::vector<std::string> notes;
};

/// @param wanted  name of the table's variable where the file has several; "": the only one
/// @throws InputError  no table, several of them, a row that is broken, or rows that contradict each other; the message
///                     names the entity and its line
Table read_table(const CUnit& unit, const StaticData& data, const std::string& wanted);

}  // namespace detent::models::tvm::entities
