# The readers that fuzz targets give bytes to, and nothing else: the preset fuzz compiles these alone.
set(fuzz_targets answer archive c_numbers c_scan campaign costs failure graph identity jitter json layers metadata order
  package params platform replay text)
set(fuzz_models graph_file.cpp graph_order.cpp graph_write.cpp io.cpp json.cpp model_tables.cpp package_read.cpp
  package_write.cpp)
set(fuzz_tvm artifact_archive.cpp artifact_files.cpp artifact_tables.cpp c_dialect.cpp c_guard.cpp c_macros.cpp c_scan.cpp
  c_scan_directives.cpp c_scan_doubts.cpp c_scan_lists.cpp c_text.cpp
  c_values.cpp libarchive.cpp names.cpp ndarray.cpp shared_library.cpp)
set(fuzz_sim campaign_file.cpp cost_table.cpp npu/topology.cpp platform_cores.cpp platform_loads.cpp platform_numbers.cpp
  platform_reader.cpp toml_reader.cpp)
set(fuzz_cli campaign_identity.cpp failure_file.cpp jitter_text.cpp order_file.cpp output.cpp replay_line.cpp screen.cpp)
set(fuzz_reports text.cpp)
set(fuzz_harness faults.cpp)
