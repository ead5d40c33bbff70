/* A library with a thread-local word, to be loaded many times. */
__thread char detent_test_block[48];
char *detent_test_touch(void) { return detent_test_block; }
