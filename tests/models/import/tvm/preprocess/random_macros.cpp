#include "tests/models/import/tvm/preprocess/random_macros.hpp"

#include <random>

namespace detent::models::tvm {
namespace {

using Words = std::vector<std::string>;

const Words kObjects = {"A", "B", "C", "D", "AB", "x1"};
const Words kCallables = {"f", "g", "h", "v", "w", "z", "cat", "str", "xstr"};
const Words kParams = {"a", "b", "c"};
const Words kSigns = {"+", "-", "*", "<", "<<", "=",  "==", "&", "&&", ";",
                      "[", "]", "?", ":", ".",  "->", "++", "!", "%"};
const Words kPlain = {"x",   "y",     "1",    "0x1f", "2.5e+3",  ".5f", "1u", "a", "\"s\"", "\"q\\\"//\"",
                      "'c'", "'\\''", "'\"'", "L'w'", "u8\"t\"", "L",   "_x", "e", "E1"};
const Words kBlanks = {" ", " ", " ", "", "  ", "\t", " /* * ' */ ", "/**/", " \\\n ", "\\\n"};
const Words kNumbers = {"0",    "1",          "2",  "3",    "7",     "-1",
                        "0x7f", "4294967295", "1u", "3UL",  "010",   "0x7fffffffffffffff",
                        "'a'",  "'\\n'",      "63", "0b11", "'\\0'", "0xffffffffffffffffu",
                        "5ll",  "2147483648"};
const Words kOperators = {
    "+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "&", "|", "^", "&&", "=="};

class MacroProgram {
 public:
  explicit MacroProgram(std::uint64_t seed) : random_(seed) {}

  std::map<std::string, std::string> run() {
    for (const char* name : {"sub/deep.h", "sub/h1.h", "h0.h"}) {
      text_.clear();
      file_ = name;
      header();
      files_[name] = text_;
    }
    text_.clear();
    file_ = "t.c";
    if (chance(2)) text_ += "#define str(a) #a\n#define xstr(a) str(a)\n#define cat(a, b) a ## b\n";
    lines(6 + pick(14), 0);
    files_["t.c"] = text_ + ";\n";
    return files_;
  }

 private:
  std::uint64_t pick(std::uint64_t count) { return random_() % count; }
  bool chance(std::uint64_t one_in) { return pick(one_in) == 0; }
  const std::string& one(const Words& words) { return words[pick(words.size())]; }

  void header() {
    const std::uint64_t kind = pick(4);
    const std::string guard = "GUARD_" + std::to_string(files_.size());
    if (kind == 0) text_ += "#pragma once\n";
    if (kind == 1) text_ += "/* guarded */\n#ifndef " + guard + "\n#define " + guard + "\n";
    lines(1 + pick(5), 0);
    if (kind == 1) text_ += "#endif // " + guard + "\n";
    text_ += ";\n";
  }

  void lines(std::uint64_t count, int depth) {
    for (std::uint64_t i = 0; i < count; ++i) line(depth);
  }

  void line(int depth) {
    switch (pick(12)) {
      case 0:
      case 1:
        return define_object();
      case 2:
      case 3:
        return define_callable();
      case 4:
        text_ += "#undef " + name() + (chance(4) ? " // gone" : "") + "\n";
        return;
      case 5:
        return depth < 3 ? conditional(depth) : use();
      case 6:
        return include();
      case 7:
        return chance(3) ? special() : use();
      default:
        return use();
    }
  }

  std::string name() { return chance(2) ? one(kObjects) : one(kCallables); }
  std::string hash() { return one({"#", "#", " #", "# ", "/* */#"}); }

  void define_object() {
    text_ += hash() + "define " + (chance(25) ? one(kCallables) : one(kObjects)) + " ";
    text_ += body({}, false) + "\n";
  }

  /// Names keep their number of parameters, or hardly a use would be valid.
  static Words params_of(const std::string& name) {
    const std::size_t count = name == "z" || name == "w" ? 0 : name == "h" ? 3 : name == "g" || name == "cat" ? 2 : 1;
    return {kParams.begin(), kParams.begin() + static_cast<std::ptrdiff_t>(count)};
  }
  static bool is_variadic(const std::string& name) { return name == "v" || name == "w"; }

  void define_callable() {
    const std::string& name = one(kCallables);
    Words params = params_of(name);
    std::string list;
    for (const std::string& param : params) list += (list.empty() ? "" : one({",", ", "})) + param;
    if (is_variadic(name)) {
      const std::string rest = chance(4) ? "rest" : "__VA_ARGS__";
      list += (list.empty() ? "" : ", ") + (rest == "rest" ? std::string("rest...") : std::string("..."));
      params.push_back(rest);
    }
    text_ += "#define " + name + "(" + list + ") ";
    text_ += body(params, is_variadic(name)) + (chance(6) ? " // end" : "") + "\n";
  }

  std::string body(const Words& params, bool variadic) {
    std::string text;
    const std::uint64_t count = pick(7);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!params.empty() && chance(5)) {
        text += "#" + one({"", " "}) + one(params);
      } else if (chance(6)) {
        text += joinable(params) + one({"##", " ## "}) + joinable(params);
      } else if (variadic && chance(4)) {
        text += ", ## " + params.back();
      } else {
        text += operand(params);
      }
      text += one(kBlanks);
    }
    while (text.ends_with('\n') || text.ends_with('\\')) text.pop_back();
    return text;
  }

  std::string operand(const Words& params) {
    if (!params.empty() && chance(2)) return one(params);
    return piece(1);
  }

  /// What mostly makes a token together with another.
  std::string joinable(const Words& params) {
    if (!params.empty() && !chance(3)) return one(params);
    return one({"x", "A", "B", "1", "f", "_", "cat", "L"});
  }

  /// A few tokens, parentheses mostly in pairs.
  std::string piece(int depth) {
    switch (pick(9)) {
      case 0:
        return one(kObjects);
      case 1:
      case 2:
        return depth < 4 ? call(depth) : "y";
      case 3:
        return one(kCallables);
      case 4:
        return one(kSigns);
      case 5:
        return chance(300) ? one({"(", ")", ",", "()"}) : "(" + piece(depth + 1) + ")";
      case 6:
        return chance(8) ? one({"__LINE__", "__FILE__", "_Pragma(\"x\")"}) : one(kObjects);
      default:
        return one(kPlain);
    }
  }

  std::string call(int depth) {
    const std::string& name = one(kCallables);
    std::uint64_t count = params_of(name).size();
    if (is_variadic(name)) count += pick(3);
    if (chance(60)) ++count;
    std::string text = name + one({"", "", " ", " /* */ "}) + "(";
    for (std::uint64_t i = 0; i < count; ++i) {
      if (i > 0) text += one({",", ", ", " ,"});
      const std::uint64_t pieces = pick(3) + (chance(6) ? 2 : 0);
      for (std::uint64_t k = 0; k < pieces; ++k) text += one({"", " ", "  ", " /* c */ "}) + piece(depth + 1) + " ";
    }
    return text + ")";
  }

  void use() {
    const std::uint64_t count = 1 + pick(4);
    for (std::uint64_t i = 0; i < count; ++i) {
      text_ += piece(0);
      text_ += chance(12) ? one({"\n", " // c\n", " /* l\n */ ", " \\\n", "\\ \n"}) : one({" ", " ", "", "  "});
    }
    text_ += ";\n";
  }

  std::string term(int depth) {
    switch (depth > 3 ? pick(3) : pick(11)) {
      case 0:
      case 1:
        return one(kNumbers);
      case 2:
        return chance(3) ? one(kObjects) : one(kNumbers);
      case 3:
        return one({"defined ", "!defined "}) + name();
      case 4:
        return one({"defined(", "defined ( "}) + name() + ")";
      case 5:
        return one({"-", "!", "~", "+", "- -"}) + term(depth + 1);
      case 6:
        return "(" + term(depth + 1) + " ? " + term(depth + 1) + " : " + term(depth + 1) + ")";
      case 7:
        return chance(6) ? one({"__has_include(\"h0.h\")", "__has_include(\"sub/none.h\")", "__has_include(<stdint.h>)",
                                "__LINE__ % 2", "cat(1, 2)"})
                         : one(kNumbers);
      default:
        return "(" + term(depth + 1) + operation(depth + 1) + ")";
    }
  }

  /// Divisors are mostly not 0, and bits are mostly shifted by what has a meaning.
  std::string operation(int depth) {
    const std::string& sign = one(kOperators);
    const bool is_free = chance(20) || (sign != "/" && sign != "%" && sign != "<<" && sign != ">>");
    return " " + sign + one({" ", "/* */"}) + (is_free ? term(depth) : one({"1", "2", "7u", "010", "0x3fL"}));
  }

  std::string expression() {
    std::string text = term(0);
    for (std::uint64_t i = pick(4); i > 0; --i) text += operation(0);
    return text;
  }

  void conditional(int depth) {
    switch (pick(4)) {
      case 0:
        text_ += "#ifdef " + name() + "\n";
        break;
      case 1:
        text_ += "#ifndef " + name() + " /* so */\n";
        break;
      default:
        text_ += hash() + "if " + expression() + "\n";
    }
    lines(pick(4), depth + 1);
    while (chance(3)) {
      text_ += "#elif " + expression() + "\n";
      lines(pick(3), depth + 1);
    }
    if (chance(12)) text_ += "# " + one({"", "12", "if 1\n#endif", "error no\n#undef"}) + "\n";
    if (chance(2)) {
      text_ += "#else\n";
      if (chance(3)) text_ += one({"don't /* \" \n", "#nothing 'x\n", "\"//\n"});
      lines(pick(3), depth + 1);
    }
    text_ += one({"#endif\n", "# endif // x\n", "#endif /* a\n b */\n"});
  }

  void include() {
    if (file_ == "t.c") {
      text_ += one({"#include \"h0.h\"\n", "#include \"sub/h1.h\"\n", "#include \"sub/../h0.h\" // again\n",
                    "#include\"sub/deep.h\"\n", "#define HEADER \"h0.h\"\n#include HEADER\n",
                    "#define HEADER \"sub/h1.h\" // it\n# include HEADER\n"});
    } else if (file_ == "sub/h1.h") {
      text_ += "#include \"deep.h\"\n";
    } else if (file_ == "h0.h") {
      text_ += "#include \"sub/h1.h\"\n";
    }
  }

  /// Where an argument, a macro or what follows it is nothing, or ends in the name of another one.
  void probe() {
    const std::string a = one(kCallables), b = one(kObjects);
    switch (pick(4)) {
      case 0:
        text_ += "#define v(a, ...) x(a, ## __VA_ARGS__)\nv(1) v(1, ) v(1, " + b + ")\n";
        return;
      case 1:
        text_ += "#define w(...) x(, ## __VA_ARGS__)\nw() w(" + b + ")\n";
        return;
      case 2:
        text_ += "#define str(a) #a\n#define xstr(a) str(a)\n#define A\n#define f(a)\n";
        text_ += "xstr(x A y) xstr(-A-) xstr(x f(1)y) xstr(x " + b + "-)\n";
        return;
      default:
        text_ +=
            "#define f(a) a * g\n#define g(a, b) f(a) - b\n#undef x1\nf(2)(9, g)(1, f)(3) g(f, g)(1)(2, x1)\n#undef "
            "f\n#undef g\n";
    }
  }

  void special() {
    switch (pick(6)) {
      case 0:
        text_ += "#line " + std::to_string(1 + pick(50)) + one({"", " \"o.c\""}) + "\n";
        break;
      case 1:
        text_ += "__LINE__ __FILE__ \\\n __LINE__\n";
        break;
      case 2:
        text_ += "#pragma nothing A\n";
        break;
      case 3:
        text_ += "_Pragma(\"nothing\")\n";
        break;
      case 4:
        text_ += "#\n#warning don't\n";
        break;
      default:
        text_ += "/* a\n#define A 9\n*/ __LINE__ // \\\n#undef A\n";
    }
  }

  std::mt19937_64 random_;
  std::map<std::string, std::string> files_;
  std::string text_, file_;
};

}  // namespace

std::map<std::string, std::string> random_macros(std::uint64_t seed) { return MacroProgram(seed).run(); }

const std::vector<std::string>& random_macro_names() {
  static const Words kAll = [] {
    Words all = {"HEADER", "GUARD_0", "GUARD_1", "GUARD_2"};
    all.insert(all.end(), kObjects.begin(), kObjects.end());
    all.insert(all.end(), kCallables.begin(), kCallables.end());
    return all;
  }();
  return kAll;
}

}  // namespace detent::models::tvm
