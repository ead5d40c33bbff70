// What every program of an instrumented build tells AddressSanitizer before main; ASAN_OPTIONS adds to it.
//
// A library loaded at run time (libclang, libarchive, compiled kernels) has its thread-local words in a block that the
// loader takes from malloc at the first touch. The sanitizer of gcc 12 guesses such a block's extent from the words
// before it where its address is 16 modulo 4096, as glibc before 2.25 laid them out; there it reads a chunk header of
// its own and the leak check dies at exit, one time in 64. Blocks that the loader allocated are roots of the leak check
// anyway (use_ld_allocations), so the guess is not needed.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "intercept_tls_get_addr=0"; }
