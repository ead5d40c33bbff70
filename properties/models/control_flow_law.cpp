// Laws of branches, loops and fallbacks: a run computes what the program means, whatever fails.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "harness/run_native.hpp"
#include "models/builder/control_flow.hpp"
#include "models/builder/elementwise.hpp"
#include "models/devices/fallbacks.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "models/zoo/zoo.hpp"
#include "properties/law.hpp"
#include "verify/flow/value_flow.hpp"

namespace detent::models {
namespace {

/// A program over one number: statements one after the other, each of which makes the next number from the last.
struct Statement;
using Block = std::vector<Statement>;
struct Statement {
  enum class Kind : std::uint8_t { kAdd, kScale, kIf, kWhile, kTry, kSum };
  Kind kind = Kind::kAdd;
  float number = 0;                    ///< added, scaled by, compared with
  std::uint32_t iterations = 0;        ///< of a loop: at most
  std::shared_ptr<Block> blocks[2]{};  ///< branches; the body; the fallback; the two sides of a sum
};

class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed) : random_(seed) {}

  Block block(std::uint32_t depth) {
    Block made(random_.below(depth == 0 ? 2 : 4));
    for (Statement& statement : made) statement = this->statement(depth);
    return made;
  }

 private:
  Statement statement(std::uint32_t depth) {
    Statement made;
    made.kind = static_cast<Statement::Kind>(random_.below(depth == 0 ? 2 : 6));
    made.number = static_cast<float>(random_.below(9)) / 2 - 2;
    made.iterations = 1 + random_.below(3);
    if (depth == 0) return made;
    for (auto& inner : made.blocks) inner = std::make_shared<Block>(block(depth - 1));
    return made;
  }

  RandomSource random_;
};

/// Does the op of this name fail where it may?
bool fails(std::uint64_t seed, const std::string& name) {
  std::uint64_t hash = seed;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return RandomSource(hash).below(3) == 0;
}

/// What the program means.
class Meaning {
 public:
  explicit Meaning(std::uint64_t seed) : seed_(seed) {}

  float of(const Block& block, const std::string& path, float x) const {
    for (std::size_t i = 0; i < block.size(); ++i) x = of(block[i], path + "." + std::to_string(i), x);
    return x;
  }

 private:
  float of(const Statement& s, const std::string& path, float x) const {
    switch (s.kind) {
      case Statement::Kind::kAdd:
        return x + s.number;
      case Statement::Kind::kScale:
        return x * s.number;
      case Statement::Kind::kIf:
        return x > s.number ? of(*s.blocks[0], path + ".then", x) : of(*s.blocks[1], path + ".else", x);
      case Statement::Kind::kWhile:
        for (std::uint32_t i = 0; i < s.iterations && std::fabs(x) > s.number; ++i) {
          x = of(*s.blocks[0], path + "." + std::to_string(i), x);
        }
        return x;
      case Statement::Kind::kTry:
        return fails(seed_, path + ".try") ? of(*s.blocks[0], path + ".again", x) : x + s.number;
      case Statement::Kind::kSum:
        return of(*s.blocks[0], path + ".left", x) + of(*s.blocks[1], path + ".right", x);
    }
    return x;
  }

  std::uint64_t seed_;
};

TensorId plus(Builder& b, const std::string& name, TensorId x, float number) {
  return binary_constant(b, name, DETENT_BINARY_ADD, x, b.constant(name + ".number", {1}, {number}));
}

TensorId append(Builder& b, const Block& block, const std::string& path, TensorId x);

TensorId append(Builder& b, const Statement& s, const std::string& path, TensorId x) {
  const auto inner = [&s, path, x](std::size_t i, const std::string& name) {
    return [&s, path, x, i, name](Builder& in) { return std::vector{append(in, *s.blocks[i], path + name, x)}; };
  };
  switch (s.kind) {
    case Statement::Kind::kAdd:
      return plus(b, path, x, s.number);
    case Statement::Kind::kScale:
      return binary_constant(b, path, DETENT_BINARY_MUL, x, b.constant(path + ".number", {1}, {s.number}));
    case Statement::Kind::kIf:
      return if_else(b, path, decide(b, path + ".if", x, DETENT_DECIDE_BY_MAX, s.number), inner(0, ".then"),
                     inner(1, ".else"))
          .front();
    case Statement::Kind::kWhile: {
      std::uint32_t iteration = 0;
      const Loop loop{.condition =
                          [&](Builder& in, const std::string& name, const std::vector<TensorId>& state) {
                            return decide(in, name, state[0], DETENT_DECIDE_BY_MAX_ABS, s.number);
                          },
                      .body =
                          [&](Builder& in, const std::string&, const std::vector<TensorId>& state) {
                            const std::string name = path + "." + std::to_string(iteration++);
                            return std::vector{append(in, *s.blocks[0], name, state[0])};
                          },
                      .max_iterations = s.iterations};
      return while_loop(b, path, {x}, loop).front();
    }
    case Statement::Kind::kTry:
      return with_fallback(
          b, path, [&](Builder& in) { return std::vector{plus(in, path + ".try", x, s.number)}; }, inner(0, ".again"));
    case Statement::Kind::kSum: {
      const TensorId left = append(b, *s.blocks[0], path + ".left", x);
      return binary(b, path, DETENT_BINARY_ADD, left, append(b, *s.blocks[1], path + ".right", x));
    }
  }
  return x;
}

TensorId append(Builder& b, const Block& block, const std::string& path, TensorId x) {
  for (std::size_t i = 0; i < block.size(); ++i) x = append(b, block[i], path + "." + std::to_string(i), x);
  return x;
}

Model model_of(const Block& program, float start) {
  Builder b("program");
  const TensorId zero =
      binary_constant(b, "zero", DETENT_BINARY_MUL, b.input("x", {1}), b.constant("none", {1}, {0.0F}));
  b.output(b.copy("result", append(b, program, "p", plus(b, "start", zero, start))));
  Model model = b.finish();
  prepare_model(model, {});
  return model;
}

/// Fallbacks behind some of the ops that can have one.
void add_some_fallbacks(Model& model, std::uint64_t seed) {
  RandomSource random(seed);
  std::vector<FallbackOn> wanted(model.ops.size());
  for (std::size_t id = 0; id < model.ops.size(); ++id) {
    if (fallback_fault(model, model.ops[id]) == nullptr && random.below(3) == 0) wanted[id] = {.core_class = "cpu"};
  }
  add_fallbacks(model, wanted);
}

RC_GTEST_PROP(ControlFlowLaw, RunsComputeWhatTheProgramMeansWhateverFails, ()) {
  laws::law_of_values(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t seed) {
    const Block program = RandomProgram(seed).block(3);
    const float start = static_cast<float>(seed % 9) - 4;
    const float wanted = Meaning(seed).of(program, "p", start);
    Model model = model_of(program, start);
    add_some_fallbacks(model, seed);
    const LoweredModel lowered = lower(model);
    const ValueTables values = value_tables(model);
    RC_ASSERT(verify::check_value_flow(lowered.desc(), &values).outcome == verify::Outcome::kHolds);
    harness::NativeOptions options;
    options.keep_output = true;
    options.engine.mode = static_cast<detent_mode>(seed % 4);
    options.engine.workers =
        options.engine.mode == DETENT_MODE_SERIAL ? 0 : 1 + static_cast<std::uint32_t>(seed / 4 % 3);
    bool may_fail = false;
    bool is_replaced = false;
    for (std::uint32_t op = 0; op < model.ops.size(); ++op) {
      may_fail = may_fail || model.ops[op].is_fallible;
      is_replaced = is_replaced || model.ops[op].replaces;
      if (!model.ops[op].is_fallible || !fails(seed, model.ops[op].name)) continue;
      options.faults.failing_ops.push_back({.op = op, .code = 1});
    }
    RC_CLASSIFY(may_fail, "may fail");
    RC_CLASSIFY(is_replaced, "is replaced");
    RC_CLASSIFY(!model.decisions.empty(), "decides");
    const harness::Run run = harness::run_native(lowered.desc(), options);
    RC_ASSERT(run.result.error.status == DETENT_OK);
    float found = NAN;
    RC_ASSERT(run.output.size() == sizeof found);
    std::memcpy(&found, run.output.data(), sizeof found);
    RC_ASSERT(found == wanted || (std::isnan(found) && std::isnan(wanted)));
  });
}

}  // namespace
}  // namespace detent::models
