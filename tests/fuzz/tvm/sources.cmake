# The fuzz targets of this folder.
set(fuzz_tvm_targets archive c_numbers c_scan metadata params preprocess)
