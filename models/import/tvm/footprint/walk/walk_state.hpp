// WalkState: what the parts that walk over one function share.
#pragma once

#include "models/import/tvm/footprint/memory/access_log.hpp"
#include "models/import/tvm/footprint/memory/arithmetic.hpp"
#include "models/import/tvm/footprint/memory/findings.hpp"
#include "models/import/tvm/footprint/memory/memory.hpp"
#include "models/import/tvm/footprint/memory/objects.hpp"
#include "models/import/tvm/footprint/memory/scope.hpp"
#include "models/import/tvm/footprint/walk/unit_facts.hpp"

namespace detent::models::tvm::footprint {

struct WalkState {
  WalkState(const CUnit& a_unit, Terms& the_terms) : unit(a_unit), terms(the_terms) {}
  WalkState(const WalkState&) = delete;
  WalkState& operator=(const WalkState&) = delete;

  const CUnit& unit;
  Terms& terms;
  UnitFacts facts{unit};
  Scope scope;
  Findings findings{scope};
  Objects objects;
  AccessLog log{terms};
  Arithmetic arithmetic{terms, objects, findings};
  Memory memory{unit, terms, scope, objects, arithmetic, log, findings};
};

/// After a statement: the next one of its list follows, or none does.
enum class Flow : std::uint8_t { kNext, kStops };

/// Walks statements; the seam by which calls and loops reach the bodies they have.
class StatementWalk {
 public:
  virtual ~StatementWalk() = default;
  virtual Flow execute(StmtId id) = 0;
  virtual Flow execute_all(const std::vector<StmtId>& body) = 0;
};

}  // namespace detent::models::tvm::footprint
