# Portable kernels: checks and byte movers once, arithmetic once per instruction set (runtime/kernels/isa).
target_sources(detent_runtime PRIVATE
  kernels/builtin.cpp
  kernels/check.cpp
  kernels/conv2d.cpp
  kernels/copy.cpp
  kernels/elementwise.cpp
  kernels/matrix.cpp
  kernels/mix.cpp
  kernels/pool.cpp
  kernels/transpose.cpp
)

set(detent_ops_isa_sources
  kernels/isa/conv2d.cpp
  kernels/isa/elementwise.cpp
  kernels/isa/gemm.cpp
  kernels/isa/pool.cpp
  kernels/isa/reorder.cpp
  kernels/isa/softmax.cpp
  kernels/isa/table.cpp
)

# Register tiles need full optimisation; sanitizers and coverage some, or tests take minutes.
set(detent_ops_optimise -O1)
if(NOT detent_instrumented)
  set(detent_ops_optimise -O3)
endif()

function(detent_ops_variant name)
  add_library(detent_ops_${name} OBJECT ${detent_ops_isa_sources})
  target_link_libraries(detent_ops_${name} PRIVATE detent::options)
  target_compile_definitions(detent_ops_${name} PRIVATE DETENT_OPS_ISA=${name})
  target_compile_options(detent_ops_${name} PRIVATE ${ARGN} ${detent_ops_optimise} ${detent_atomic_counters} -fno-exceptions -fno-rtti
    -fno-threadsafe-statics -fno-asynchronous-unwind-tables)
  set_target_properties(detent_ops_${name} PROPERTIES
    POSITION_INDEPENDENT_CODE $<TARGET_PROPERTY:detent_runtime,POSITION_INDEPENDENT_CODE>)
  target_sources(detent_runtime PRIVATE $<TARGET_OBJECTS:detent_ops_${name}>)
endfunction()

detent_ops_variant(base)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  detent_ops_variant(v3 -mavx2 -mfma)
  detent_ops_variant(v4 -mavx2 -mfma -mavx512f -mavx512dq -mavx512bw -mavx512vl)
  target_compile_definitions(detent_runtime PRIVATE DETENT_OPS_X86=1)
endif()
