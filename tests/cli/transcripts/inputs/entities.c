// Three entities: the last two share half of a buffer, and nothing orders them.
static float in[16], mid[16], out[24];
struct copy {
  const float *from;
  float *to;
};
static int run_copy(void *arguments) {
  const struct copy *c = arguments;
  for (int i = 0; i < 16; ++i) c->to[i] = c->from[i];
  return 0;
}
static struct copy first = {in, mid}, left = {mid, out}, right = {mid, out + 8};
static const int both[] = {1, 2};
static struct {
  int (*entry)(void *);
  void *arguments;
  const int *successors;
  int successor_count, indegree;
} table[] = {{run_copy, &first, both, 2, 0}, {run_copy, &left, 0, 0, 1}, {run_copy, &right, 0, 0, INDEGREE}};
void run(void) {
  for (int i = 0; i < 3; ++i) table[i].entry(table[i].arguments);
}
