// Twenty entities by hand: a split, four lanes of four stages, two halves of a sum, and the total.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#define LANES 4
#define WIDTH 64

typedef int32_t (*entry_fn)(void *arguments);

typedef struct {
  entry_fn entry;
  void *arguments;
  const uint16_t *successors;
  uint16_t successor_count;
  uint16_t indegree;
  const char *name;
} entity_t;

struct stage {
  const float *in;
  float *out;
  int32_t count;
  float gain;
};
struct sum {
  const float *a, *b;
  float *out;
};

static float input[LANES * WIDTH], arena[3 * LANES * WIDTH], half[2 * WIDTH], total[WIDTH];

static int32_t split(void *arguments) {
  const struct stage *const s = (const struct stage *)arguments;
  for (int32_t i = 0; i < s->count; ++i) s->out[i] = s->in[i] * s->gain;
  return 0;
}

static void scale(const float *from, float *to, int32_t count, float gain) {
  for (int32_t i = 0; i < count; ++i) to[i] = from[i] * gain;
}

static int32_t stage(void *arguments) {
  struct stage *s = arguments;
  scale(s->in, s->out, s->count, s->gain);
  return 0;
}

static int32_t add(void *arguments) {
  struct sum *s = arguments;
  for (int i = 0; i < WIDTH; i++) s->out[i] = s->a[i] + s->b[i];
  return 0;
}

static struct stage args_split = {input, arena, LANES *WIDTH, 1.0f};
static struct stage args_0_0 = {arena + 0, arena + 256, WIDTH, 1.5f};
static struct stage args_1_0 = {arena + 256, arena + 512, WIDTH, 2.5f};
static struct stage args_2_0 = {arena + 512, arena + 0, WIDTH, 3.5f};
static struct stage args_3_0 = {arena + 0, arena + 256, WIDTH, 4.5f};
static struct stage args_0_1 = {arena + 64, arena + 320, WIDTH, 1.5f};
static struct stage args_1_1 = {arena + 320, arena + 576, WIDTH, 2.5f};
static struct stage args_2_1 = {arena + 576, arena + 64, WIDTH, 3.5f};
static struct stage args_3_1 = {arena + 64, arena + 320, WIDTH, 4.5f};
static struct stage args_0_2 = {arena + 128, arena + 384, WIDTH, 1.5f};
static struct stage args_1_2 = {arena + 384, arena + 640, WIDTH, 2.5f};
static struct stage args_2_2 = {arena + 640, arena + 128, WIDTH, 3.5f};
static struct stage args_3_2 = {arena + 128, arena + 384, WIDTH, 4.5f};
static struct stage args_0_3 = {arena + 192, arena + 448, WIDTH, 1.5f};
static struct stage args_1_3 = {arena + 448, arena + 704, WIDTH, 2.5f};
static struct stage args_2_3 = {arena + 704, arena + 192, WIDTH, 3.5f};
static struct stage args_3_3 = {arena + 192, arena + 448, WIDTH, 4.5f};
static struct sum args_left = {arena + 256, arena + 320, half};
static struct sum args_right = {arena + 384, &arena[448], &half[WIDTH]};
static struct sum args_total = {half, half + WIDTH, total};

static const uint16_t after_0[] = {1, 5, 9, 13};
static const uint16_t after_1[] = {2};
static const uint16_t after_2[] = {3};
static const uint16_t after_3[] = {4};
static const uint16_t after_4[] = {17};
static const uint16_t after_5[] = {6};
static const uint16_t after_6[] = {7};
static const uint16_t after_7[] = {8};
static const uint16_t after_8[] = {17};
static const uint16_t after_9[] = {10};
static const uint16_t after_10[] = {11};
static const uint16_t after_11[] = {12};
static const uint16_t after_12[] = {18};
static const uint16_t after_13[] = {14};
static const uint16_t after_14[] = {15};
static const uint16_t after_15[] = {16};
static const uint16_t after_16[] = {18};
static const uint16_t after_17[] = {19};
static const uint16_t after_18[] = {19};

static entity_t entities[] = {
    {split, &args_split, after_0, 4, 0, "split"},       {stage, &args_0_0, after_1, 1, 1, "lane0.stage0"},
    {stage, &args_1_0, after_2, 1, 1, "lane0.stage1"},  {stage, &args_2_0, after_3, 1, 1, "lane0.stage2"},
    {stage, &args_3_0, after_4, 1, 1, "lane0.stage3"},  {stage, &args_0_1, after_5, 1, 1, "lane1.stage0"},
    {stage, &args_1_1, after_6, 1, 1, "lane1.stage1"},  {stage, &args_2_1, after_7, 1, 1, "lane1.stage2"},
    {stage, &args_3_1, after_8, 1, 1, "lane1.stage3"},  {stage, &args_0_2, after_9, 1, 1, "lane2.stage0"},
    {stage, &args_1_2, after_10, 1, 1, "lane2.stage1"}, {stage, &args_2_2, after_11, 1, 1, "lane2.stage2"},
    {stage, &args_3_2, after_12, 1, 1, "lane2.stage3"}, {stage, &args_0_3, after_13, 1, 1, "lane3.stage0"},
    {stage, &args_1_3, after_14, 1, 1, "lane3.stage1"}, {stage, &args_2_3, after_15, 1, 1, "lane3.stage2"},
    {stage, &args_3_3, after_16, 1, 1, "lane3.stage3"}, {add, &args_left, after_17, 1, 2, "left"},
    {add, &args_right, after_18, 1, 2, "right"},        {add, &args_total, NULL, 0, 2, "total"},
};
#define COUNT (sizeof(entities) / sizeof(entities[0]))

static atomic_int open[COUNT];
static uint16_t ready[COUNT];
static uint32_t head, tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  while (tail < COUNT || head < tail) {
    if (head == tail) {
      pthread_cond_wait(&changed, &lock);
      continue;
    }
    const entity_t *const e = &entities[ready[head++]];
    pthread_mutex_unlock(&lock);
    const int32_t failed = e->entry(e->arguments);
    pthread_mutex_lock(&lock);
    for (uint16_t i = 0; failed == 0 && i < e->successor_count; ++i) {
      if (atomic_fetch_sub(&open[e->successors[i]], 1) == 1) ready[tail++] = e->successors[i];
    }
    pthread_cond_broadcast(&changed);
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int run(int workers) {
  pthread_t threads[8];
  head = tail = 0;
  for (uint16_t i = 0; i < COUNT; ++i) {
    open[i] = entities[i].indegree;
    if (entities[i].indegree == 0) ready[tail++] = i;
  }
  for (int i = 0; i < workers; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < workers; ++i) pthread_join(threads[i], 0);
  return 0;
}
