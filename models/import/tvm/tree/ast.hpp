// C as the importer sees it: functions, statements and expressions of one generated file, with their places.
//
// Built by clang/source from libclang's tree; everything else of the importer reads this. Parentheses are gone, and so
// are implicit casts but those between arithmetic types, which are casts like any other. Names are as written; a name
// of an inner scope that hides another is not resolved here.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/import/tvm/tree/operators.hpp"

namespace detent::models::tvm {

/// Bytes [begin, end) of the file's text as it stands on disk.
struct SourceRange {
  std::uint64_t begin = 0, end = 0;
};

/// A type, as far as an importer needs it: the scalar at the bottom, how many pointers lie above it, array extents.
struct CType {
  enum class Scalar : std::uint8_t { kVoid, kInt, kUInt, kFloat, kBool, kRecord, kOther };
  Scalar scalar = Scalar::kOther;
  std::uint32_t scalar_bytes = 0;   ///< size of the scalar (of a vector type: of the whole vector); 0: unknown or void
  std::uint32_t pointers = 0;       ///< float* has 1
  std::uint32_t pointer_bytes = 8;  ///< size of a pointer under the target
  std::vector<std::uint64_t> extents;  ///< float x[2][3]: {2, 3}
  bool is_const = false;               ///< of the outermost level or of the array's element
  bool is_vector = false;              ///< of several scalars; scalar_bytes is the size of all
  bool is_variable_length = false;     ///< an array whose extent is no constant
  std::string spelling;                ///< canonical, "float *"; a record's is "struct name"
};

using ExprId = std::uint32_t;
using StmtId = std::uint32_t;
inline constexpr std::uint32_t kNoNode = UINT32_MAX;

enum class ExprKind : std::uint8_t {
  kInt,        ///< value
  kFloat,      ///< number
  kString,     ///< text: the literal without quotes
  kName,       ///< text: identifier of a variable, parameter or function
  kUnary,      ///< unary; args[0]
  kBinary,     ///< args[0] binary args[1]
  kAssign,     ///< args[0] = args[1], or a compound one as +=, of which binary is the operator
  kSelect,     ///< args[0] ? args[1] : args[2]
  kIndex,      ///< args[0][args[1]]
  kMember,     ///< args[0].text or args[0]->text, `value` bytes behind the record's begin
  kCall,       ///< args[0]: callee (kName where it is called by name), then the arguments
  kCast,       ///< (type)args[0]
  kInitList,   ///< {args...}; empty where the reader blanked a long one
  kComponent,  ///< args[0].text, of a vector
  kUnknown     ///< anything else, or what did not parse; text: what it is; args: those children that are expressions
};

struct Expr {
  ExprKind kind = ExprKind::kUnknown;
  UnaryOperator unary = UnaryOperator::kNone;     ///< kUnary
  BinaryOperator binary = BinaryOperator::kNone;  ///< kBinary; kAssign: kNone of a plain one
  std::string text;
  std::int64_t value = 0;  ///< kInt; sizeof and enumerators arrive as kInt. kMember: offset
  double number = 0;       ///< kFloat
  std::vector<ExprId> args;
  /// kUnknown, a part of an initialiser that names what it sets: ".member", "[]" of args[0], "[..]" from args[0] to
  /// args[1], or several of these one after the other; the value is the last of args.
  std::string designator;
  CType type;
  SourceRange range;
  std::uint32_t line = 0;

  [[nodiscard]] bool is(UnaryOperator op) const { return kind == ExprKind::kUnary && unary == op; }
  /// a += b is not a + b.
  [[nodiscard]] bool is(BinaryOperator op) const { return kind == ExprKind::kBinary && binary == op; }
  /// ++x, x--, ...
  [[nodiscard]] bool is_step() const { return kind == ExprKind::kUnary && tvm::is_step(unary); }
  /// a = b
  [[nodiscard]] bool is_plain_assignment() const {
    return kind == ExprKind::kAssign && binary == BinaryOperator::kNone;
  }
};

struct Variable {
  std::string name;
  CType type;
  ExprId init = kNoNode;
  bool outlives = false;  ///< declared static or extern
  bool is_thread_local = false;
  std::string strange;  ///< an attribute or storage class that nobody asks for here: "cleanup", "register asm"
  SourceRange range;    ///< the declarator with its initialiser, without the ';'
  std::uint32_t line = 0;
};

enum class StmtKind : std::uint8_t {
  kDeclare,  ///< variable
  kExpr,     ///< expr
  kFor,      ///< init (statement, may be none), expr: condition, step (expression), body
  kWhile,    ///< expr, body; also do-while
  kIf,       ///< expr, body, else_body
  kReturn,   ///< expr, may be none
  kBlock,    ///< body
  kBreak,
  kContinue,
  kGoto,
  kLabel,   ///< body: the statement behind it
  kUnknown  ///< switch, asm, or what did not parse; word
};

struct Stmt {
  StmtKind kind = StmtKind::kUnknown;
  std::string word;         ///< kUnknown: what it is, in the compiler's words
  bool tests_last = false;  ///< kWhile: do-while
  Variable variable;
  ExprId expr = kNoNode;
  StmtId init = kNoNode;
  ExprId step = kNoNode;
  std::vector<StmtId> body, else_body;
  SourceRange range;
  std::uint32_t line = 0;
};

struct Function {
  std::string name;
  CType result;
  std::vector<Variable> params;
  StmtId body = kNoNode;  ///< kNoNode: only declared
  bool is_static = false;
  bool damaged = false;    ///< a syntax or semantic error lies inside its body
  std::string doubt;       ///< why another compiler, target or flag may read another body; "" none does
  SourceRange range;       ///< of the whole definition
  SourceRange body_range;  ///< from '{' to one past '}'
  std::uint32_t line = 0;
  std::string file;  ///< of a header that stands in the text; "" the unit's own
};

/// A struct definition: of the public header, or of a pool of constants.
struct Record {
  std::string name;  ///< tag
  std::vector<Variable> fields;
  std::vector<std::uint64_t> field_offsets;  ///< bytes, by field
  std::uint64_t size_bytes = 0;
  std::uint32_t line = 0;
};

/// The spelling of a record type without const.
inline std::string name_of_record(const CType& type) {
  return type.spelling.starts_with("const ") ? type.spelling.substr(6) : type.spelling;
}

/// Where the members of a struct lie, for initialisers in their order; empty: a union, bit fields, members without
/// names.
struct RecordLayout {
  struct Member {
    std::uint64_t offset = 0;
    CType type;
    std::string name;
  };
  std::vector<Member> members;
};

/// A variable at file scope.
struct Global {
  Variable variable;
  bool is_static = false;
  bool is_defined = false;  ///< not a bare extern declaration
  SourceRange initialiser;  ///< of the text after '=', blanked or not; empty when there is none
};

struct Diagnostic {
  std::uint32_t line = 0;
  std::string text;
  std::uint64_t at = 0;  ///< byte of the file's text
};

/// An integer macro, as headers use for sizes: #define TVMGEN_DEFAULT_DATA_SIZE 12288.
struct Macro {
  std::string name;
  std::int64_t value = 0;
};

/// An #include that nothing answers.
struct MissingHeader {
  std::string name, file;
  std::uint32_t line = 0;
};

/// Where TVM's DLTensor has its members under the target: bytes from its begin.
struct TensorLayout {
  std::uint32_t pointer_bytes = 8;
  std::int64_t device = 8, ndim = 16, dtype = 20, shape = 24, strides = 32, byte_offset = 40;
};

/// One parsed file. Expressions and statements refer to each other by index into these tables.
struct CUnit {
  std::string file;  ///< as named in errors
  std::string text;  ///< as on disk
  std::vector<Expr> exprs;
  std::vector<Stmt> stmts;
  std::vector<Function> functions;  ///< in order of the text; declarations and definitions
  std::vector<Record> records;
  std::map<std::string, RecordLayout> layouts;  ///< by spelling of the type
  std::vector<Global> globals;
  std::vector<Macro> macros;
  TensorLayout tensor;
  std::vector<Diagnostic> errors;  ///< of the compiler, in order of the text
  bool has_headers = false;        ///< headers that were given stand in the text, and macros are expanded
  std::vector<MissingHeader> missing_headers;
  [[nodiscard]] const Expr& expr(ExprId id) const { return exprs[id]; }
  [[nodiscard]] const Stmt& stmt(StmtId id) const { return stmts[id]; }
  /// The definition of a function, or null.
  [[nodiscard]] const Function* find(const std::string& name) const {
    for (const Function& function : functions) {
      if (function.name == name && function.body != kNoNode) return &function;
    }
    return nullptr;
  }
};

}  // namespace detent::models::tvm
