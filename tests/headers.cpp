// Nothing: its options are those with which the headers of all tests are compiled (CMakeLists.txt).
