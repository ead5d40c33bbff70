# Portable kernels.
target_sources(detent_runtime PRIVATE
  ops/builtin.cpp
  ops/check.cpp
  ops/copy.cpp
  ops/elementwise.cpp
  ops/mix.cpp
)
