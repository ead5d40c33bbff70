// detent verify: the static laws, without a run.
#pragma once

#include "app/answer/verdicts.hpp"
#include "app/ci/ci_outputs.hpp"
#include "app/model/loaded_model.hpp"
#include "app/static/repair.hpp"
#include "app/static/smt_checks.hpp"

namespace detent::app {

struct VerifyRequest {
  Request request{};
  ModelOptions model{};
  SmtOptions smt{};
  RepairOptions fix{};
  CiOptions ci{};
};

/// @param on_progress  of the proofs by Z3
/// @param on_step      told of the steps that take long with very many ops
/// @return  `detent.verify/1`; with `fix` its outcome is that of the mended model: holds where one was written
/// @throws std::invalid_argument  no such model; a `fix` with only one of kind and file; InputError  an SMT-LIB file
/// cannot be written
Answer verify_model(VerifyRequest options, const OnProgress& on_progress, const OnStep& on_step = {});

}  // namespace detent::app
