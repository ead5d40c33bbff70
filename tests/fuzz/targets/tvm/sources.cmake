# Targets that give bytes to readers of TVM artifacts.
set(fuzz_tvm_targets archive c_numbers c_scan metadata params preprocess)
