#define str(a) #a
#define xstr(a) str(a)
#define cat(a, b) a ## b
#define v(a, ...) g(a, ## __VA_ARGS__)
#define w(rest...) rest
#define E
xstr(a E b "\"") cat(x, 1) v(1) v(1, 2) w(L'c', u8"d")
#undef E
__LINE__ __FILE__ _Pragma("pack(1)") \
 .5e+3 <: %> ...
