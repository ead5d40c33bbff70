# Fails when the runtime library needs a symbol that is neither its own nor on the list: the gate against heap,
# exceptions, RTTI, C++ threads and streams in target code. What an operating system offers is for the objects of a host
# alone (runtime/sources.cmake): firmware without threads links none of them.
# Usage: cmake -D NM=nm -D LIBRARY=libdetent_runtime.a -P symbols_gate.cmake
cmake_minimum_required(VERSION 3.25)
set(allowed
  memcpy memmove memset strcmp
  _GLOBAL_OFFSET_TABLE_ __stack_chk_fail
  # gcc's own processor detection on x86
  __cpu_model __cpu_features2 __cpu_indicator_init
)
set(host_objects posix host_workers pool_file single_host)
set(allowed_of_host
  clock_gettime getenv sysconf sched_getaffinity __sched_cpucount
  pthread_create pthread_join pthread_mutex_init pthread_mutex_lock pthread_mutex_unlock
  pthread_cond_init pthread_cond_signal pthread_cond_wait pthread_cond_timedwait
  pthread_getaffinity_np pthread_setaffinity_np sched_getcpu
  open fstat pread close
  pthread_condattr_init pthread_condattr_setclock pthread_condattr_destroy
)

execute_process(COMMAND ${NM} -P -A ${LIBRARY} OUTPUT_VARIABLE listing RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${NM} ${LIBRARY} failed: ${status}")
endif()
string(REPLACE ";" "," listing "${listing}")
string(REPLACE "[" "(" listing "${listing}")
string(REPLACE "]" ")" listing "${listing}")
string(REPLACE "\n" ";" lines "${listing}")
set(defined "")
set(needed "")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "\\(([^()]*)\\): ([^ ]+) ([A-Za-z])")
    continue()
  endif()
  set(object ${CMAKE_MATCH_1})
  set(symbol ${CMAKE_MATCH_2})
  if(NOT CMAKE_MATCH_3 STREQUAL "U")
    list(APPEND defined ${symbol})
    continue()
  endif()
  string(REGEX REPLACE "\\.cpp\\.o$" "" stem ${object})
  if(NOT (stem IN_LIST host_objects AND symbol IN_LIST allowed_of_host))
    list(APPEND needed ${symbol})
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
