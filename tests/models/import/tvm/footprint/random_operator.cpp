#include "tests/models/import/tvm/footprint/random_operator.hpp"

#include <vector>

#include "tests/support/xorshift.hpp"

namespace detent::models::tvm {
namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  std::string run() {
    std::string body;
    line_ = &body;
    add("void* scratch_let = (&(workspace[" + number(16 * pick(20)) + "]));");
    if (pick(3) == 0) add("void* other_let = (&(workspace[" + number(16 * pick(40)) + "]));");
    has_other_ = body.find("other_let") != std::string::npos;
    const int nests = 1 + static_cast<int>(pick(3));
    for (int i = 0; i < nests; ++i) nest(2 + pick(2));
    return "static inline void helper(float* to, float* from, int32_t count, int32_t stride) {\n"
           "  for (int32_t k = 0; k < count; ++k) {\n    *to = from[k * stride];\n    to++;\n  }\n}\n"
           "int32_t op(float* p0, int32_t* p1, int8_t* p2, float* out, uint8_t* workspace) {\n" +
           body + "  return 0;\n}\n";
  }

 private:
  std::uint64_t pick(std::uint64_t below) { return random_.below(below); }
  static std::string number(std::uint64_t value) { return std::to_string(value); }
  void add(const std::string& text) { *line_ += std::string(2 * depth_, ' ') + text + "\n"; }
  std::string fresh(const std::string& stem) { return stem + "_" + number(count_++); }
  std::string any_variable() { return variables_[pick(variables_.size())]; }

  /// An integer over the variables in scope; small.
  std::string index(int depth) {
    if (depth == 0 || variables_.empty()) {
      return variables_.empty() || pick(4) == 0 ? number(pick(9)) : any_variable();
    }
    const std::string a = index(depth - 1);
    const std::string b = index(depth - 1);
    switch (pick(14)) {
      case 0:
        return "(" + a + " / " + number(1 + pick(6)) + ")";
      case 1:
        return "(" + a + " % " + number(1 + pick(6)) + ")";
      case 2:
        return "(" + a + " >> " + number(pick(3)) + ")";
      case 3:
        return "(" + a + " & " + number((std::uint64_t{1} << pick(4)) - 1) + ")";
      case 4:
        return "((" + condition(depth - 1) + ") ? " + a + " : " + b + ")";
      case 5:
        return "((" + a + ") < (" + b + ") ? (" + a + ") : (" + b + "))";
      case 6:
        return "((" + a + ") > (" + b + ") ? (" + a + ") : (" + b + "))";
      case 7:
        return "(" + a + " - " + b + ")";
      case 8:
      case 9:
        return "((" + a + " * " + number(1 + pick(8)) + ") + " + b + ")";
      case 10:
        return "(" + a + " * " + number(pick(7)) + ")";
      case 11:
        return "((int32_t)floorf(((float)" + a + ") * 0.5f + 0.25f))";
      default:
        return "(" + a + " + " + b + ")";
    }
  }

  std::string condition(int depth) {
    static const std::vector<std::string> kCompare = {"<", "<=", ">", ">=", "==", "!="};
    if (depth > 0 && pick(3) == 0) {
      return "(" + condition(depth - 1) + (pick(3) == 0 ? " || " : " && ") + condition(depth - 1) + ")";
    }
    if (pick(10) == 0) return "!(" + condition(0) + ")";
    if (depth > 0 && pick(40) == 0) return "(p1[" + place() + "] > " + number(pick(9)) + ")";
    return "(" + index(depth) + " " + kCompare[pick(kCompare.size())] + " " + number(pick(8)) + ")";
  }

  /// An index that is not negative and below a few thousand.
  std::string place() {
    const std::string i = index(1 + static_cast<int>(pick(3)));
    return "((" + i + ") + 600)";
  }

  std::string data_index() {
    const std::string raw = "p1[" + place() + "]";
    return pick(2) == 0 ? "((" + raw + " & 7) * 3)"
                        : "(((" + raw + ") < (9) ? ((" + raw + ") > (0) ? " + raw + " : 0) : (9)))";
  }

  std::string source() {
    switch (pick(8)) {
      case 0:
        return "((float)p1[" + place() + "])";
      case 1:
        return "((float)p2[" + place() + "])";
      case 2:
        return "((float*)scratch_let)[" + place() + "]";
      case 3:
        return "((" + condition(2) + ") ? p0[" + place() + "] : 0.000000e+00f)";
      case 4:
        return data_uses_++ < 1 ? "p0[" + data_index() + "]" : "0.5f";
      case 5:
        return "expf(p0[" + place() + "])";
      default:
        return "p0[" + place() + "]";
    }
  }

  void store() {
    const std::string value = source();
    switch (pick(8)) {
      case 0:
        return add("((float*)scratch_let)[" + place() + "] = " + value + ";");
      case 1:
        return add("((int16_t*)" + std::string(has_other_ ? "other_let" : "scratch_let") + ")[" + place() +
                   "] = (int16_t)1;");
      case 2:
        return add("out[" + place() + "] += " + value + ";");
      case 3: {
        const std::string name = fresh("cse_var");
        add("int32_t " + name + " = " + place() + ";");
        return add("out[" + name + "] = out[" + name + "] + " + value + ";");
      }
      case 4:
        return add("helper((&(out[" + place() + "])), p0 + " + place() + ", " + number(pick(4)) + ", " +
                   number(1 + pick(3)) + ");");
      case 5:
        return add("memcpy(out + " + place() + ", p0 + " + place() + ", " + number(pick(20)) + ");");
      case 6:
        add("if (" + condition(2) + ") {");
        add("  out[" + place() + "] = " + value + ";");
        add("} else {");
        add("  p2[" + place() + "] = (int8_t)3;");
        return add("}");
      default:
        return add("out[" + place() + "] = " + value + ";");
    }
  }

  void nest(std::uint64_t levels) {
    const std::string name = fresh("i");
    const std::uint64_t extent = 1 + pick(levels > 2 ? 24 : 9);
    std::string bound = number(extent);
    std::string first = "0";
    if (!variables_.empty() && pick(6) == 0) bound = "(" + any_variable() + " + " + number(pick(4)) + ")";
    if (!variables_.empty() && pick(6) == 0) first = any_variable();
    const std::string step = pick(6) == 0 ? name + " += " + number(1 + pick(3)) : "++" + name;
    const bool steps_pointer = pick(6) == 0;
    const std::string pointer = fresh("ptr");
    if (steps_pointer) add("float* " + pointer + " = out + " + place() + ";");
    add("for (int32_t " + name + " = " + first + "; " + name + " < " + bound + "; " + step + ") {");
    ++depth_;
    variables_.push_back(name);
    const std::size_t in_scope = variables_.size();
    if (pick(3) == 0) {
      const std::string cse = fresh("cse_var");
      add("int32_t " + cse + " = " + index(2) + ";");
      variables_.push_back(cse);
    }
    store();
    if (steps_pointer) {
      add("*" + pointer + (pick(2) == 0 ? "++" : "") + " = 1.0f;");
      if (pick(2) == 0) add(pointer + " += " + number(pick(4)) + ";");
    }
    if (levels > 1) nest(levels - 1);
    if (pick(2) == 0) store();
    variables_.resize(in_scope - 1);
    --depth_;
    add("}");
  }

  support::Xorshift random_;
  std::string* line_ = nullptr;
  std::size_t depth_ = 1;
  std::vector<std::string> variables_;
  std::uint64_t count_ = 0;
  int data_uses_ = 0;
  bool has_other_ = false;
};

}  // namespace

std::string random_operator(std::uint64_t seed) { return Generator(seed).run(); }

}  // namespace detent::models::tvm
