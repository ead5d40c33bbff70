# Fails when the runtime library needs a symbol that is neither its own nor on the list: the gate against heap,
# exceptions, RTTI, C++ threads and streams in target code.
# Usage: cmake -D NM=nm -D LIBRARY=libdetent_runtime.a -P symbols_gate.cmake
set(allowed
  memcpy memmove memset memcmp strcmp strlen strtol getenv abort
  _GLOBAL_OFFSET_TABLE_ __stack_chk_fail
  # posix port
  clock_gettime sysconf sched_yield
  pthread_create pthread_join pthread_mutex_init pthread_mutex_lock pthread_mutex_unlock
  pthread_cond_init pthread_cond_signal pthread_cond_wait pthread_cond_timedwait
  pthread_condattr_init pthread_condattr_setclock pthread_condattr_destroy
  # kernels: libm, and gcc's own processor detection
  expf exp tanhf sqrtf floorf ceilf roundf fmaf fmaxf fminf logf powf
  __cpu_model __cpu_indicator_init
)

execute_process(COMMAND ${NM} -P ${LIBRARY} OUTPUT_VARIABLE listing RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${NM} ${LIBRARY} failed: ${status}")
endif()
string(REPLACE ";" "," listing "${listing}")
string(REPLACE "\n" ";" lines "${listing}")
set(defined "")
set(needed "")
foreach(line IN LISTS lines)
  if(line MATCHES "^([^ ]+) U")
    list(APPEND needed ${CMAKE_MATCH_1})
  elseif(line MATCHES "^([^ ]+) [A-TV-Za-z]")
    list(APPEND defined ${CMAKE_MATCH_1})
  endif()
endforeach()
list(REMOVE_DUPLICATES needed)
list(REMOVE_DUPLICATES defined)
if(NOT needed OR NOT defined)
  message(FATAL_ERROR "no symbols read from ${LIBRARY}")
endif()
list(REMOVE_ITEM needed ${defined} ${allowed})
if(needed)
  list(JOIN needed "\n  " text)
  message(FATAL_ERROR "the runtime library needs symbols that target code may not use:\n  ${text}")
endif()
list(LENGTH defined count)
message(STATUS "${count} symbols of the runtime library need nothing that is not allowed")
