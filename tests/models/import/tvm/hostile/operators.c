/* Operators that no generator writes. x_...: the footprint is exact; m_...: exact, a superset or opaque, never wrong.
 * Every function gets pointers into buffers with bytes before and behind them, and three numbers. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ARGS int8_t *a, int16_t *b, int32_t *c, float *d, int32_t n, uint32_t u, int8_t s

struct pair {
  int32_t first;
  float second;
};
struct __attribute__((packed)) tight {
  int8_t tag;
  int32_t value;
  int16_t rest;
};
struct nested {
  int8_t pad;
  struct pair pairs[3];
  union {
    int32_t whole;
    int8_t bytes[4];
  };
};
struct bits {
  unsigned low : 3, high : 7;
  int32_t after;
};
static int32_t counter;
static int32_t table_of_four[4] = {3, 1, 2, 0};
static const int32_t fixed_table[4] = {3, 1, 2, 0};
static const int kBound = 5;

/* Members. */
int32_t x_second_member(ARGS) { return d[0] = ((struct pair *)c)->second, 0; }
int32_t x_second_by_star(ARGS) { return (*(struct pair *)c).second = 1, 0; }
int32_t x_second_of_third(ARGS) { return ((struct pair *)c)[2].second = d[1], 0; }
int32_t x_address_of_second(ARGS) {
  float *p = &((struct pair *)c)->second;
  p[1] = 2;
  return 0;
}
int32_t x_packed_member(ARGS) { return c[0] = ((struct tight *)a)[1].value, 0; }
int32_t x_packed_rest(ARGS) { return ((struct tight *)a)->rest = 3, 0; }
int32_t x_nested_member(ARGS) { return ((struct nested *)a)->pairs[1].second = 4, 0; }
int32_t x_union_byte(ARGS) { return ((struct nested *)a)->bytes[2] = 4, 0; }
int32_t x_array_of_members(ARGS) {
  for (int32_t i = 0; i < 3; ++i) ((struct nested *)a)->pairs[i].first = i;
  return 0;
}
int32_t x_whole_record(ARGS) {
  struct pair *p = (struct pair *)c;
  p[3] = p[1];
  return 0;
}
int32_t m_bit_field(ARGS) { return ((struct bits *)c)->high = 5, 0; }
int32_t m_local_record(ARGS) {
  struct pair local = {2, 1.0f};
  local.first += 1;
  a[local.first] = 1;
  return 0;
}
int32_t m_record_with_pointer(ARGS) {
  struct {
    int8_t *to;
    int32_t at;
  } held = {a, 3};
  held.to[held.at] = 1;
  return 0;
}

/* Conversions. */
int32_t m_less_than_sizeof(ARGS) {
  for (int32_t i = -3; i < sizeof(int32_t); ++i) a[i + 8] = 1;
  return 0;
}
int32_t x_modulo_unsigned(ARGS) {
  for (int32_t i = -4; i < 4; ++i) a[i % 16u] = 1;
  return 0;
}
int32_t x_divide_unsigned(ARGS) {
  for (int32_t i = -4; i < 4; ++i) a[i / 2u & 15] = 1;
  return 0;
}
int32_t x_shift_signed(ARGS) {
  for (int32_t i = -4; i < 4; ++i) a[(i >> 1) + 8] = 1;
  return 0;
}
int32_t x_char_wraps(ARGS) {
  int8_t k = 126;
  k += 4;
  a[k + 200] = 1;
  return 0;
}
int32_t m_char_counter_wraps(ARGS) {
  uint8_t k = 250;
  for (int32_t i = 0; i < 12; ++i) a[k++] = 1;
  return 0;
}
int32_t x_uint16_product(ARGS) {
  uint16_t x = 300, y = 300;
  uint16_t z = x * y;
  a[z & 63] = 1;
  return 0;
}
int32_t m_unsigned_minus(ARGS) {
  uint32_t k = 0;
  if (k - 1 > 5) a[2] = 1;
  return 0;
}
int32_t m_size_t_minus(ARGS) {
  size_t k = 0;
  if (k - 1 > 5) a[2] = 1;
  if (k - 1 < 5) a[3] = 1;
  return 0;
}
int32_t m_negative_against_size_t(ARGS) {
  int32_t k = -1;
  if (k < (size_t)5) a[2] = 1;
  if (k > (size_t)5) a[3] = 1;
  return 0;
}
int32_t x_compound_unsigned(ARGS) {
  int32_t k = -8;
  k /= 4u;
  a[k & 31] = 1;
  return 0;
}
int32_t x_compound_char(ARGS) {
  uint8_t k = 200;
  k /= -3;
  a[k & 31] = 1;
  return 0;
}
int32_t x_complement(ARGS) {
  uint8_t k = 5;
  a[(~k) + 20] = 1;
  a[(uint8_t)~k & 127] = 1;
  return 0;
}
int32_t m_bool_of_two(ARGS) {
  _Bool k = 2;
  a[k] = 1;
  return 0;
}
int32_t m_half_way(ARGS) {
  float k = 16777217;
  a[(int32_t)(k - 16777216.0f)] = 1;
  return 0;
}
int32_t m_long_double(ARGS) {
  long double k = 0.1L;
  a[(int32_t)(k * 10)] = 1;
  return 0;
}
int32_t m_huge_constant(ARGS) {
  uint64_t k = 0x9E3779B97F4A7C15ULL;
  a[k >> 60] = 1;
  a[(k * 3) & 15] = 1;
  return 0;
}
int32_t m_float_index(ARGS) {
  for (int32_t i = 0; i < 10; ++i) a[(int32_t)(i * 0.3f)] = 1;
  return 0;
}
int32_t x_char_literal(ARGS) { return a['\x05'] = 1, 0; }
int32_t x_signed_char_argument(ARGS) {
  for (int8_t i = -2; i < 3; ++i) a[(uint8_t)i & 7] = 1;
  return 0;
}

/* Order of evaluation and side effects. */
int32_t m_choice_assigns(ARGS) {
  int32_t k = 0;
  n > 3 ? (k = 15) : (k = 2);
  a[k] = 1;
  return 0;
}
int32_t x_known_choice_assigns(ARGS) {
  int32_t k = 0;
  kBound > 3 ? (k = 15) : (k = 2);
  a[k] = 1;
  return 0;
}
int32_t m_and_assigns(ARGS) {
  int32_t k = 1;
  if (n > 3 && (k = 9)) k += 1;
  a[k] = 1;
  return 0;
}
int32_t x_post_increment(ARGS) {
  int32_t k = 0;
  a[k++] = 1;
  a[k++] = 1;
  b[k--] = 1;
  b[k] = 1;
  return 0;
}
int32_t m_twice_in_one(ARGS) {
  int32_t k = 2;
  a[k] = (k = 5, 1);
  return 0;
}
int32_t m_statement_expression(ARGS) {
  a[0] = ({
    a[9] = 1;
    2;
  });
  return 0;
}
int32_t x_comma(ARGS) {
  int32_t k = (a[7] = 1, 3);
  a[k] = 1;
  return 0;
}

/* Pointers. */
int32_t m_changes_base(ARGS) {
  int8_t *p = a;
  for (int32_t i = 0; i < 4; ++i) {
    p[i] = 1;
    p = (int8_t *)b;
  }
  return 0;
}
int32_t x_steps_pointer(ARGS) {
  int16_t *p = b;
  for (int32_t i = 0; i < 4; ++i) *p++ = 1;
  *p = 2;
  return 0;
}
int32_t m_either_pointer(ARGS) {
  int8_t *p = n > 3 ? a : (int8_t *)b;
  p[1] = 1;
  return 0;
}
int32_t m_either_or_hidden(ARGS) {
  int8_t *held[2] = {a, (int8_t *)b};
  int8_t *p = n > 3 ? held[1] : (int8_t *)c;
  p[1] = 1;
  return 0;
}
int32_t m_pointer_by_number(ARGS) {
  uintptr_t where = (uintptr_t)a;
  *(int8_t *)(where + 4) = 1;
  return 0;
}
int32_t m_pointer_in_memory(ARGS) {
  int8_t *held[2];
  held[0] = a;
  held[1] = (int8_t *)b;
  held[n & 1][3] = 1;
  return 0;
}
int32_t m_pointer_to_index(ARGS) {
  int32_t i = 0;
  int32_t *p = &i;
  for (i = 0; i < 4; ++i) {
    a[i] = 1;
    if (i == 1) *p = 2;
  }
  return 0;
}
int32_t m_address_within_the_loop(ARGS) {
  for (int32_t i = 0; i < 6; ++i) {
    a[i] = 1;
    int32_t *p = &i;
    *p += 1;
  }
  return 0;
}
int32_t m_base_changed_by_address(ARGS) {
  int8_t *q = a;
  for (int32_t i = 0; i < 3; ++i) {
    q[i] = 1;
    int8_t **p = &q;
    *p = (int8_t *)b;
  }
  return 0;
}
int32_t m_pointer_to_bound(ARGS) {
  int32_t last = 2;
  int32_t *p = &last;
  *p = 9;
  for (int32_t i = 0; i < last; ++i) a[i] = 1;
  return 0;
}
int32_t m_parameter_by_address(ARGS) {
  int8_t **p = &a;
  *p = (int8_t *)b;
  a[2] = 1;
  return 0;
}
int32_t m_pointer_by_memcpy(ARGS) {
  int8_t *p = a, *q = (int8_t *)b;
  memcpy(&p, &q, sizeof p);
  p[2] = 1;
  return 0;
}
int32_t m_end_pointer(ARGS) {
  for (int8_t *p = a, *end = a + 5; p != end; ++p) *p = 1;
  return 0;
}
int32_t x_other_element_type(ARGS) {
  int32_t *p = (int32_t *)a;
  p[1] = 1;
  return 0;
}
int32_t m_two_dimensions(ARGS) {
  int16_t(*rows)[5] = (int16_t(*)[5])b;
  for (int32_t i = 0; i < 3; ++i) rows[i][2] = 1;
  return 0;
}
int32_t x_index_before_array(ARGS) { return 3 [a] = 1, 0; }

/* Loops. */
int32_t x_do_while(ARGS) {
  int32_t i = 0;
  do {
    a[i] = 1;
    ++i;
  } while (i < 0);
  return 0;
}
int32_t x_backwards(ARGS) {
  for (int32_t i = 7; i >= 2; i -= 2) a[i] = 1;
  return 0;
}
int32_t m_unsigned_backwards(ARGS) {
  for (uint32_t i = 3; i < 4; --i) a[i] = 1;
  return 0;
}
int32_t m_leaves_early(ARGS) {
  for (int32_t i = 0; i < 9; ++i) {
    if (c[i] > 40) break;
    a[i] = 1;
  }
  return 0;
}
int32_t m_continues(ARGS) {
  for (int32_t i = 0; i < 9; ++i) {
    if (i == n) continue;
    a[i] = 1;
  }
  return 0;
}
int32_t m_bound_from_memory(ARGS) {
  for (int32_t i = 0; i < (c[0] & 7); ++i) a[i] = 1;
  return 0;
}
int32_t m_changes_counter(ARGS) {
  for (int32_t i = 0; i < 9; ++i) {
    a[i] = 1;
    if (i == 3) i = 6;
  }
  return 0;
}
int32_t m_steps_twice(ARGS) {
  for (int32_t i = 0; i < 9; ++i) {
    a[i] = 1;
    i += 1;
  }
  return 0;
}
int32_t m_shadowed_counter(ARGS) {
  for (int32_t i = 0; i < 3; ++i) {
    int32_t k = i;
    for (int32_t i = 5; i < 7; ++i) a[i + k] = 1;
  }
  return 0;
}
int32_t m_goto_back(ARGS) {
  int32_t i = 0;
again:
  a[i] = 1;
  if (++i < 4) goto again;
  return 0;
}
int32_t m_switch(ARGS) {
  switch (n & 3) {
    case 1:
      a[1] = 1;
    case 2:
      a[2] = 1;
      break;
    default:
      a[5] = 1;
  }
  return 0;
}
int32_t m_variable_length(ARGS) {
  int32_t k = 4;
  int8_t local[k++];
  local[0] = 1;
  a[k] = local[0];
  return 0;
}
int32_t m_returns_early(ARGS) {
  a[0] = 1;
  if (n > 3) return 0;
  a[1] = 1;
  return 0;
}

/* What it reads of its own. */
int32_t x_reads_its_own(ARGS) {
  for (int32_t i = 0; i < 4; ++i) {
    c[i] = 1;
    for (int32_t k = 0; k < 3; ++k) c[i] = c[i] + a[i + k];
  }
  return 0;
}
int32_t x_reads_row_of_its_own(ARGS) {
  for (int32_t i = 0; i < 4; ++i) {
    for (int32_t k = 0; k < 5; ++k) c[k] = a[i];
    for (int32_t k = 0; k < 5; ++k) b[i] += (int16_t)c[k];
  }
  return 0;
}
int32_t x_reads_first_then_writes(ARGS) {
  for (int32_t i = 0; i < 4; ++i) c[i] = c[i] + 1;
  return 0;
}
int32_t m_writes_own_sometimes(ARGS) {
  for (int32_t i = 0; i < 4; ++i) {
    if (a[i] > 3) c[i] = 1;
    d[i] = (float)c[i];
  }
  return 0;
}
int32_t x_reads_what_comes_later(ARGS) {
  for (int32_t i = 0; i < 4; ++i) {
    d[i] = (float)c[i + 1];
    c[i] = 1;
  }
  return 0;
}
int32_t x_writes_part_then_reads(ARGS) {
  a[0] = 1;
  c[2] = *(int16_t *)a;
  return 0;
}
int32_t m_own_unless_aliased(ARGS) {
  int8_t *p = a, *q = a + 2;
  p[2] = 1;
  c[0] = q[0];
  return 0;
}
int32_t m_own_behind_a_break(ARGS) {
  for (int32_t i = 0; i < 4; ++i) {
    if (a[i] > 20) break;
    c[0] = 1;
  }
  d[0] = (float)c[0];
  return 0;
}
int32_t x_loop_that_never_runs(ARGS) {
  for (int32_t i = 0; i < 0; ++i) c[0] = 1;
  d[0] = (float)c[0];
  return 0;
}
int32_t m_loop_that_may_not_run(ARGS) {
  for (int32_t i = 0; i < n; ++i) c[0] = 1;
  d[0] = (float)c[0];
  return 0;
}
int32_t x_inner_loop_may_not_run(ARGS) {
  for (int32_t i = 0; i < 3; ++i) {
    for (int32_t k = 0; k < i; ++k) c[5] = 1;
    d[i] = (float)c[5];
  }
  return 0;
}

/* Calls and hidden state. */
static int32_t add_one(int32_t x) { return x + 1; }
static void fill(int8_t *p, int32_t count) {
  for (int32_t i = 0; i < count; ++i) p[i] = 1;
}
static int32_t next_of(int32_t *k) { return (*k)++; }
static void memory_memset(int8_t *p, int32_t value, int32_t at) { p[at] = (int8_t)value; }
static int32_t returns_early(int8_t *p, int32_t k) {
  if (k > 3) return 1;
  p[20] = 1;
  return 0;
}
int32_t m_helper_returns_early(ARGS) {
  for (int32_t i = 0; i < 6; ++i) {
    returns_early(a, i);
    b[i] = 1;
  }
  returns_early(a, n);
  c[0] = 1;
  return 0;
}
static int32_t one_deeper(int8_t *p) { return (p[0] = 1, 0); }
static int32_t two_deeper(int8_t *p) { return one_deeper(p + 1); }
static int32_t three_deeper(int8_t *p) { return two_deeper(p + 1); }
static int32_t four_deeper(int8_t *p) { return three_deeper(p + 1); }
static int32_t five_deeper(int8_t *p) { return four_deeper(p + 1); }
int32_t x_returns_a_call(ARGS) { return five_deeper(a); }
int32_t x_calls_helper(ARGS) { return a[add_one(3)] = 1, 0; }
int32_t x_calls_filler(ARGS) { return fill(a + 2, 5), 0; }
int32_t m_helper_steps(ARGS) {
  int32_t k = 2;
  a[next_of(&k)] = 1;
  a[k] = 1;
  return 0;
}
int32_t x_own_memset(ARGS) { return memory_memset(a, 1, 9), 0; }
int32_t x_library_memset(ARGS) { return memset(a + 3, 0, 5), 0; }
int32_t x_library_memmove(ARGS) { return memmove(a + 3, a, 5), 0; }
int32_t m_memcpy_length(ARGS) { return memcpy(a, b, (size_t)(c[0] & 7)), 0; }
int32_t m_string_length(ARGS) {
  a[12] = 0;
  return c[0] = (int32_t)strlen((const char *)a), 0;
}
int32_t m_through_function_pointer(ARGS) {
  void (*call)(int8_t *, int32_t) = fill;
  call(a, 3);
  return 0;
}
int32_t m_static_counter(ARGS) {
  a[(counter++) & 3] = 1;
  return 0;
}
int32_t m_static_local(ARGS) {
  const static int32_t start = 3;
  static int32_t k;
  k = (k + 1) & 3;
  a[k + start] = 1;
  return 0;
}
int32_t m_changing_table(ARGS) {
  a[table_of_four[n & 3]] = 1;
  table_of_four[0] = 2;
  return 0;
}
int32_t m_fixed_table(ARGS) {
  for (int32_t i = 0; i < 4; ++i) a[fixed_table[i]] = 1;
  return 0;
}
int32_t x_element_of_a_table(ARGS) {
  const static int32_t start = 3, ends[3] = {4, 6};
  const int32_t last = ends[1];
  for (int32_t i = start; i < last; ++i) a[i + fixed_table[0] + ends[2]] = 1;
  return 0;
}
int32_t m_table_as_bytes(ARGS) {
  a[((const int8_t *)fixed_table)[4]] = 1;
  a[20 + *(const int16_t *)(fixed_table + 1)] = 1;
  a[40 + *(const int32_t *)((const int8_t *)fixed_table + 4)] = 1;
  return 0;
}
int32_t m_table_between_elements(ARGS) {
  a[60 + (*(const int32_t *)((const int8_t *)fixed_table + 1) >> 24)] = 1;
  return 0;
}
int32_t m_table_with_zeros(ARGS) {
  static const int16_t sparse[6] = {5, 7};
  for (int32_t i = 0; i < 6; ++i) a[sparse[i] + 8] = 1;
  return 0;
}
int32_t m_random(ARGS) { return a[rand() & 7] = 1, 0; }
int32_t m_volatile(ARGS) {
  volatile int32_t k = 3;
  a[k] = 1;
  return 0;
}
int32_t m_inline_assembly(ARGS) {
  int32_t k = 3;
  __asm__("" : "+r"(k));
  a[k] = 1;
  return 0;
}
int32_t m_builtin(ARGS) {
  if (__builtin_expect(n > 3, 0)) a[1] = 1;
  a[__builtin_ctz(8)] = 1;
  return 0;
}
int32_t m_atomic(ARGS) { return __sync_fetch_and_add(c + 2, 1) & 0; }
int32_t m_builtin_memset(ARGS) { return __builtin_memset(a, 0, (size_t)(3 + (n & 1))), 0; }
static void on_leaving(int32_t *k) { counter = *k; }
int32_t m_cleanup(ARGS) {
  __attribute__((cleanup(on_leaving))) int32_t k = 3;
  a[k] = 1;
  return 0;
}
int32_t m_compound_literal(ARGS) {
  int32_t *p = (int32_t[]){2, 5};
  a[p[1]] = 1;
  return 0;
}
int32_t m_generic(ARGS) { return a[_Generic(n, int32_t : 4, default : 5)] = 1, 0; }
int32_t m_vector(ARGS) {
  typedef int32_t four __attribute__((vector_size(16)));
  four x = *(four *)(c + 4);
  *(four *)c = x + x;
  return 0;
}

/* Conditions of the preprocessor that another compiler would answer differently. */
int32_t m_says_which_compiler(ARGS) {
#ifdef __clang__
  a[1] = 1;
#else
  a[2] = 1;
#endif
  return 0;
}
int32_t m_says_how_optimised(ARGS) {
#ifdef __OPTIMIZE__
  a[1] = 1;
#else
  a[2] = 1;
#endif
#if __GNUC__ > 9
  b[1] = 1;
#endif
#if !defined(__arm__) && __SIZEOF_POINTER__ == 8
  c[1] = 1;
#endif
  return 0;
}
