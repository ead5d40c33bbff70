# Hash of the runtime's sources, for failure files (its first 16 digits) and bundles: cmake -DROOT=... -DOUTPUT=... -P engine_hash.cmake
# What it covers: path and content of every source and header below runtime/; not the compiler or its options.
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/*.h ${ROOT}/*.hpp ${ROOT}/*.c ${ROOT}/*.cpp ${ROOT}/*.inc)
list(SORT files)
set(text "")
foreach(file IN LISTS files)
  file(SHA256 ${ROOT}/${file} hash)
  string(APPEND text "${file} ${hash}\n")
endforeach()
string(SHA256 whole "${text}")
string(SUBSTRING ${whole} 0 16 hash)
if(OUTPUT)
  file(WRITE ${OUTPUT} "// The hash of the runtime's sources.\n#pragma once\n\nnamespace detent::app {\n"
    "inline constexpr const char* kEngineHash = \"${hash}\";\n"
    "inline constexpr const char* kEngineSha256 = \"${whole}\";\n}  // namespace detent::app\n")
else()
  message(${hash})
endif()
