#include "tests/models/import/tvm/footprint/random_overwrite.hpp"

#include <vector>

#include "tests/support/xorshift.hpp"

namespace detent::models::tvm {
namespace {

class OverwriteGenerator {
 public:
  explicit OverwriteGenerator(std::uint64_t seed) : random_(seed) {}

  std::string run() {
    const int nests = 1 + static_cast<int>(pick(3));
    for (int i = 0; i < nests; ++i) nest();
    return "static inline float get(float* from, int32_t at) {\n  float value = from[at];\n  return value;\n}\n"
           "static inline float put(float* to, int32_t at, float value) {\n  to[at] = value;\n  return value;\n}\n"
           "int32_t op(float* p0, float* out, uint8_t* workspace) {\n  void* tmp_let = (&(workspace[0]));\n" +
           text_ + "  return 0;\n}\n";
  }

 private:
  struct Loop {
    std::string name;
    std::uint64_t trips;
  };

  std::uint64_t pick(std::uint64_t below) { return random_.below(below); }
  static std::string number(std::uint64_t value) { return std::to_string(value); }
  void add(const std::string& line) { text_ += std::string(2 * loops_.size() + 2, ' ') + line + "\n"; }

  /// As TVM writes it: row-major over the loops; or some other walk.
  std::string index() {
    std::string sum;
    std::uint64_t stride = 1;
    const std::uint64_t kind = pick(12);
    for (std::size_t i = loops_.size(); i > 0; --i) {
      const Loop& loop = loops_[i - 1];
      std::string term = loop.name;
      if (kind == 9 && i == 1) term = "(" + number(loop.trips - 1) + " - " + term + ")";
      if (kind == 10) term = "(" + term + " / " + number(1 + pick(3)) + ")";
      if (kind == 11) term = "(" + term + " % " + number(1 + pick(3)) + ")";
      const std::uint64_t scale = kind == 8 ? 1 + pick(5) : stride;
      sum = "(" + term + " * " + number(scale) + ")" + (sum.empty() ? "" : " + " + sum);
      stride *= loop.trips;
    }
    if (sum.empty()) sum = number(pick(4));
    const std::uint64_t shift = pick(4) == 0 ? 4 * pick(4) + pick(2) : 0;
    return sum + (shift == 0 ? "" : " + " + number(shift));
  }

  std::string condition() {
    if (loops_.empty()) return "1 < 2";
    const Loop& loop = loops_[pick(loops_.size())];
    return loop.name + " < " + number(1 + pick(loop.trips));
  }

  std::string source() {
    switch (pick(6)) {
      case 0:
        return "((float*)tmp_let)[" + index() + "]";
      case 1:
        return "((" + condition() + ") ? p0[" + index() + "] : 0.5f)";
      case 2:
        return "(p0[" + index() + "] + p0[" + index() + "])";
      case 3:
        return "get(p0, " + index() + ")";
      default:
        return "p0[" + index() + "]";
    }
  }

  void statement() {
    const std::string same = index();
    switch (pick(11)) {
      case 0:
        return add("((float*)tmp_let)[" + index() + "] = " + source() + ";");
      case 1:
        add("out[" + same + "] = 0.0f;");
        return add("out[" + same + "] = out[" + same + "] + " + source() + ";");
      case 2:
        return add("put(out, " + same + ", " + source() + ");");
      case 3: {
        const std::string name = "v_" + std::to_string(count_++);
        add("float " + name + " = " + source() + ";");
        return add("out[" + same + "] = " + name + ";");
      }
      case 4:
        add("if (" + condition() + ") {");
        add("  out[" + same + "] = " + source() + ";");
        add("} else {");
        add("  out[" + index() + "] = " + source() + ";");
        return add("}");
      case 5: {
        const std::string name = "w_" + std::to_string(count_++);
        add("float " + name + " = put(out, " + same + ", 2.0f) + get(p0, " + index() + ");");
        return add("out[" + same + "] = " + name + ";");
      }
      case 6:
        return add("out[" + same + "] = out[" + index() + "] = " + source() + ";");
      default:
        return add("out[" + same + "] = " + source() + ";");
    }
  }

  void nest() {
    const std::size_t depth = loops_.size();
    const std::string name = "i_" + std::to_string(count_++);
    const std::uint64_t trips = 1 + pick(7);
    const bool goes_down = pick(8) == 0;
    add(goes_down ? "for (int32_t " + name + " = " + number(trips - 1) + "; " + name + " >= 0; --" + name + ") {"
                  : "for (int32_t " + name + " = 0; " + name + " < " + number(trips) + "; ++" + name + ") {");
    loops_.push_back({name, trips});
    const int parts = 1 + static_cast<int>(pick(2));
    for (int i = 0; i < parts; ++i) {
      if (depth < 2 && pick(3) != 0) {
        nest();
      } else {
        statement();
      }
    }
    loops_.pop_back();
    add("}");
  }

  support::Xorshift random_;
  std::string text_;
  std::vector<Loop> loops_;
  int count_ = 0;
};

}  // namespace

std::string random_overwrite(std::uint64_t seed) { return OverwriteGenerator(seed).run(); }

}  // namespace detent::models::tvm
