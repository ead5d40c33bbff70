#include "models/import/tvm/footprint/walk/labels.hpp"

#include "models/import/tvm/footprint/walk/syntax.hpp"

namespace detent::models::tvm::footprint {

void refuse_labels(WalkState& walk, const std::vector<StmtId>& body) {
  for (const StmtId id : body) {
    const Stmt& stmt = walk.unit.stmt(id);
    if (stmt.kind == StmtKind::kLabel && !is_labelled_return(walk.unit, stmt))
      walk.findings.fail(stmt.line, kStrayLabel);
    if (stmt.kind == StmtKind::kUnknown)
      walk.findings.fail(stmt.line, "a statement that is not understood: " + stmt.word);
    refuse_labels(walk, stmt.body);
    refuse_labels(walk, stmt.else_body);
  }
}

}  // namespace detent::models::tvm::footprint
