# The readers that fuzz targets give bytes to, and nothing else: the preset fuzz compiles these alone.
include(${CMAKE_CURRENT_LIST_DIR}/tvm/sources.cmake)
set(fuzz_targets answer bundle campaign costs explore_part failure graph identity jitter json layers lists log memory_problem npy order package plan_case
  platform replay requirements schedule settings task_set text ${fuzz_tvm_targets})
set(fuzz_base assert.cpp byte_ranges.cpp files/below.cpp hash/sha256.cpp interrupt.cpp io.cpp json.cpp arrays/csv.cpp arrays/npy.cpp toml.cpp units.cpp wanted_file.cpp words/file_kind.cpp words/near.cpp words/pattern.cpp words/quantity.cpp words/quote.cpp)
set(fuzz_models builder/winograd.cpp devices/fallbacks.cpp devices/memories.cpp core/core_class.cpp core/dag.cpp core/decisions.cpp core/model_tables.cpp core/thunks.cpp core/weights.cpp files/graph_buffers.cpp files/graph_demands.cpp files/graph_file.cpp files/graph_kernels.cpp files/graph_operator.cpp files/graph_order.cpp files/graph_sources.cpp files/graph_values.cpp
  files/graph_write.cpp files/op_table.cpp
  files/package_read.cpp files/package_write.cpp partition/op_values.cpp partition/plan.cpp partition/plan_case.cpp
  plan/bound.cpp plan/cut.cpp plan/handover.cpp plan/local.cpp plan/memory_plan.cpp plan/options.cpp plan/place.cpp plan/precedence.cpp plan/timeline.cpp plan/windows.cpp plan/problem/greedy.cpp
  plan/problem/parts.cpp plan/problem/problem.cpp plan/problem/search.cpp plan/problem/solution_check.cpp plan/problem/solve.cpp)
set(fuzz_tvm artifact/tables.cpp c/code_copy.cpp c/dialect.cpp c/guard.cpp c/macros.cpp c/scan.cpp
  c/scan_directives.cpp c/scan_doubts.cpp c/scan_lists.cpp c/scanned_text.cpp c/scanner.cpp c/text.cpp
  artifact/values.cpp files/artifact_archive.cpp files/artifact_files.cpp files/include_path.cpp files/libarchive.cpp
  files/module_support.cpp files/names.cpp files/ndarray.cpp files/shared_library.cpp preprocess/condition.cpp
  preprocess/file.cpp preprocess/file_conditions.cpp preprocess/file_text.cpp preprocess/lines.cpp
  preprocess/macros.cpp preprocess/preprocess.cpp preprocess/token.cpp tree/operators.cpp)
set(fuzz_sim campaign/campaign_file.cpp cost/cost_table.cpp npu/topology.cpp platform/cores.cpp platform/loads.cpp
  platform/numbers.cpp platform/reader.cpp)
set(fuzz_app answer/answer.cpp answer/device_lines.cpp bundle/bundle_file.cpp bundle/folder.cpp bundle/requirements.cpp bundle/tool.cpp check/check_summary.cpp explore/part_file.cpp settings/fallbacks.cpp settings/kernels.cpp settings/memories.cpp settings/op_settings.cpp settings/transfers.cpp model/order_file.cpp settings/lists_file.cpp settings/schedule_file.cpp replay/failure_file.cpp replay/replay_line.cpp
  simulate/campaign_identity.cpp simulate/jitter_text.cpp tasks/task_file.cpp)
set(fuzz_reports data/bound_budget.cpp text/budget_text.cpp text/text.cpp text/report_text.cpp text/wrap.cpp)
set(fuzz_harness engine_spec.cpp faults/faults.cpp log_file.cpp)
set(fuzz_verify verdict/property.cpp verdict/verdict.cpp)
