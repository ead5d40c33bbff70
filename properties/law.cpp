// How a failing law says what to type, and why a program refuses RC_PARAMS that would skip laws.
#include "properties/law.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/build.hpp"

namespace detent::laws {
namespace {

using rc::detail::CaseResult;

const testing::TestInfo& running_test() { return *testing::UnitTest::GetInstance()->current_test_info(); }

/// RapidCheck takes reproduce= to mean "this law only" and passes every other one with zero values. So no other may
/// be selected, and the selected one must be the one that is named.
class ReproduceGuard : public testing::Environment {
 public:
  void SetUp() override {
    const char* params = std::getenv("RC_PARAMS");
    if (params == nullptr || std::string(params).find("reproduce=") == std::string::npos) return;
    for (const std::string& law : selected_tests()) {
      if (rc::detail::configuration().reproduce.count(law) != 0) continue;
      FAIL() << "RC_PARAMS has reproduce=, which does not name " << law
             << ": it would pass without a single value; select one law with --gtest_filter, or unset RC_PARAMS";
    }
  }

 private:
  /// As RapidCheck names them: "Suite/Law".
  static std::vector<std::string> selected_tests() {
    std::vector<std::string> names;
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int s = 0; s < all.total_test_suite_count(); ++s) {
      const testing::TestSuite& suite = *all.GetTestSuite(s);
      for (int t = 0; t < suite.total_test_count(); ++t) {
        const testing::TestInfo& test = *suite.GetTestInfo(t);
        if (test.should_run()) names.push_back(std::string(suite.name()) + "/" + test.name());
      }
    }
    return names;
  }
};

// Linked into every program of laws, because they all call check_law.
[[maybe_unused]] const testing::Environment* const kGuard = testing::AddGlobalTestEnvironment(new ReproduceGuard);

[[noreturn]] void fail(const std::string& what, const std::function<std::string()>& replay) {
  throw CaseResult(CaseResult::Type::Failure, what + "\nreplay: " + replay());
}

}  // namespace

void check_law(const std::function<void()>& body, const std::function<std::string()>& replay) {
  try {
    body();
  } catch (const CaseResult& result) {
    if (result.type != CaseResult::Type::Failure) throw;
    fail(result.description, replay);
  } catch (const rc::GenerationFailure&) {
    throw;
  } catch (const std::exception& error) {
    fail(std::string("threw: ") + error.what(), replay);
  }
}

std::string failure_path(const std::string& extension) {
  const std::string directory = std::string(kBuildFolder) + "/failures";
  std::filesystem::create_directories(directory);
  return directory + "/" + running_test().test_suite_name() + "." + running_test().name() + "." + extension;
}

void law_of_values(const std::function<void()>& body) {
  check_law(body, [] {
    return "RC_PARAMS='" + rc::detail::configToMinimalString(rc::detail::configuration()) + "' " +
           std::filesystem::read_symlink("/proc/self/exe").string() +
           " --gtest_filter=" + running_test().test_suite_name() + "." + running_test().name();
  });
}

}  // namespace detent::laws
