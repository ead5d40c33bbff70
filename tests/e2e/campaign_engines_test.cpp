// detent campaign through the program: engines, shards and drivers that are killed, what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/subprocess.hpp"
#include "tests/build.hpp"
#include "tests/e2e/program.hpp"
#include "tests/effort.hpp"

namespace detent::e2e {
namespace {

namespace fs = std::filesystem;

/// A graph of ten ops, the answers of one process, and campaigns beside them.
class CampaignEngines : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = scratch(fmt::format("engines_{}", ::testing::UnitTest::GetInstance()->current_test_info()->name()));
    nlohmann::json graph = {{"schema", "detent.graph/1"}, {"name", "ten"}, {"regions", nlohmann::json::array()}};
    for (int op = 0; op < 10; ++op) {
      graph["ops"].push_back({{"id", op}, {"name", fmt::format("op_{}", op)}, {"time_ps", {1000 * (op + 1), 2000}}});
      graph["ops"].back()["time_ps"] = {1000 * (op + 1), 2000 * (op + 1)};
      if (op >= 2) graph["edges"].push_back({op - 2, op});
    }
    write_file(path("ten.json"), graph.dump());
  }

  [[nodiscard]] std::string path(const std::string& name) const { return directory_ + "/" + name; }
  [[nodiscard]] std::string simulate(std::uint64_t runs) const {
    return fmt::format("simulate {} --runs {} --cores 2 --timing-only --seed 7", path("ten.json"), runs);
  }
  [[nodiscard]] std::string run_alone(const std::string& command) const {
    EXPECT_EQ(run_detent(command + " --json " + path("one.json")).exit_code, 0);
    return read_file(path("one.json"));
  }
  /// Shards that have left a record.
  [[nodiscard]] std::size_t done(const std::string& campaign) const {
    std::error_code error;
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(path(campaign + "/done"), error)) {
      if (entry.path().extension() == ".json") ++count;
    }
    return count;
  }
  /// Kill -9 some process whose command line names a part of this campaign.
  void kill_a_shard(const std::string& campaign) const {
    const std::string command = fmt::format(
        "for p in /proc/[0-9]*; do tr '\\0' ' ' <$p/cmdline 2>/dev/null | grep -q 'detent simulate.*{}/parts/' && "
        "kill -9 ${{p#/proc/}} && exit 0; done; exit 1",
        fs::canonical(path(campaign)).string());
    run_processes({{find_program("sh"), "-c", command}}, {.directory = directory_});
  }
  /// The program beside this one. @return  its process
  [[nodiscard]] pid_t begin(const std::string& arguments) const {
    const pid_t child = ::fork();
    if (child == 0) {
      const std::string command =
          "cd " + directory_ + " && exec " + program_under_test() + " >/dev/null 2>&1 " + arguments;
      ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
      ::_exit(127);
    }
    return child;
  }
  void wait_for(const std::string& campaign, std::size_t shards, pid_t driver) const {
    const auto has_ended = [&] {
      siginfo_t info{};
      return ::waitid(P_PID, static_cast<id_t>(driver), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
    };
    for (int i = 0; i < 6000 && done(campaign) < shards && !has_ended(); ++i) ::usleep(10'000);
  }

  std::string directory_;
};

TEST_F(CampaignEngines, LocalShardsGiveTheAnswerOfOneProcess) {
  const std::string alone = run_alone(simulate(20'000));
  const Answer answer =
      run_detent(fmt::format("campaign {} --shards 5 --out {} --json {}", simulate(20'000), path("c"), path("c.json")));
  EXPECT_EQ(answer.exit_code, 0) << answer.error;
  EXPECT_EQ(read_file(path("c.json")), alone);
  EXPECT_EQ(answer.output, run_detent(simulate(20'000)).output);
  const auto summary = nlohmann::json::parse(read_file(path("c/summary.json")));
  EXPECT_EQ(summary["schema"], "detent.campaign_run/1");
  EXPECT_EQ(summary["shards"].size(), 5U);
  EXPECT_EQ(summary["instruction_sets"].size(), 1U);
}

TEST_F(CampaignEngines, ExploredShardsGiveTheAnswerOfOneProcess) {
  for (const char* strategy : {"dfs", "sample", "pos"}) {
    const std::string command = fmt::format("explore bad_reuse_war --budget 3000 --strategy {}", strategy);
    run_detent(command + " --json " + path("one.json"));
    const std::string out = path(std::string("c_") + strategy);
    const Answer answer =
        run_detent(fmt::format("campaign --out {} --shards 4 --json {} {}", out, path("c.json"), command));
    EXPECT_EQ(answer.exit_code, 1) << answer.error;
    EXPECT_EQ(read_file(path("c.json")), read_file(path("one.json"))) << strategy;
  }
}

TEST_F(CampaignEngines, WithoutShardsATrialRunPlansThem) {
  const Answer answer = run_detent(fmt::format("campaign {} --jobs 3 --out {}", simulate(5000), path("c")));
  EXPECT_EQ(answer.exit_code, 0) << answer.error;
  EXPECT_NE(answer.error.find(" shards of about"), std::string::npos) << answer.error;
}

TEST_F(CampaignEngines, PreparedFilesAreUsableByHand) {
  const std::string alone = run_alone(simulate(3000));
  const Answer prepared =
      run_detent(fmt::format("campaign {} --prepare --engine local --shards 2 --out {}", simulate(3000), path("c")));
  EXPECT_EQ(prepared.exit_code, 0) << prepared.error;
  EXPECT_EQ(done("c"), 0U);
  for (const char* shard : {"0", "1", "1"}) {
    const auto result = run_processes({{find_program("sh"), path("c/shard.sh"), shard}}, {.directory = directory_});
    EXPECT_TRUE(result.front().succeeded()) << result.front().output;
  }
  const std::string files = path("c/parts/1.part") + " " + path("c/parts/0.part");
  EXPECT_EQ(run_detent("merge " + files + " --json " + path("m.json")).exit_code, 0);
  EXPECT_EQ(read_file(path("m.json")), alone);
}

TEST_F(CampaignEngines, AKilledDriverIsResumed) {
  const std::string simulation = simulate(kIsInstrumented ? 120'000 : 400'000);
  const std::string alone = run_alone(simulation);
  const pid_t driver = begin(fmt::format("campaign {} --jobs 2 --shards 12 --out {}", simulation, path("c")));
  wait_for("c", 2, driver);
  kill_a_shard("c");
  ::kill(driver, SIGKILL);
  ::waitpid(driver, nullptr, 0);
  const Answer answer = run_detent(fmt::format("campaign --resume --out {} --json {}", path("c"), path("c.json")));
  EXPECT_EQ(answer.exit_code, 0) << answer.error;
  EXPECT_NE(answer.error.find("of 12 shards are done"), std::string::npos) << answer.error;
  EXPECT_EQ(read_file(path("c.json")), alone);
}

TEST_F(CampaignEngines, FortyShardsOfGnuParallelWithTwoKilledAndTheDriverKilled) {
  if (find_program("parallel").empty()) GTEST_SKIP() << "parallel is not installed";
  const unsigned shards = kIsInstrumented ? 12 : 40;
  const std::string simulation = simulate(effort(1'000'000U));
  const std::string alone = run_alone(simulation);
  const pid_t driver =
      begin(fmt::format("campaign {} --engine parallel --shards {} --out {}", simulation, shards, path("c")));
  wait_for("c", 3, driver);
  kill_a_shard("c");
  wait_for("c", 6, driver);
  kill_a_shard("c");
  ::kill(driver, SIGKILL);
  ::waitpid(driver, nullptr, 0);
  const Answer answer = run_detent(fmt::format("campaign --resume --out {} --json {}", path("c"), path("c.json")));
  EXPECT_EQ(answer.exit_code, 0) << answer.error;
  EXPECT_EQ(read_file(path("c.json")), alone);
  EXPECT_EQ(done("c"), shards);
}

TEST_F(CampaignEngines, HostsGetCopiesThatAreCheckedByTheirHashes) {
  if (find_program("parallel").empty()) GTEST_SKIP() << "parallel is not installed";
  ASSERT_EQ(::setenv("HOME", path("home").c_str(), 1), 0);
  fs::create_directories(path("home"));
  write_file(path("hosts"), "# this machine twice\n1/:\n1/:\n");
  const std::string inside = "cd " + directory_ + " && ";
  const std::string simulate_here = "simulate ten.json --runs 3000 --cores 2 --timing-only";
  const std::string campaign = "campaign " + simulate_here + " --engine parallel --hosts hosts --shards 4 --out c";
  const auto shell = [&](const std::string& words) {
    return run_processes({{find_program("sh"), "-c", inside + program_under_test() + " " + words}},
                         {.directory = directory_})
        .front();
  };
  EXPECT_TRUE(shell(simulate_here + " --json one.json").succeeded());
  const ProcessResult result = shell(campaign + " --json c.json");
  EXPECT_TRUE(result.succeeded()) << result.output;
  EXPECT_EQ(read_file(path("c.json")), read_file(path("one.json")));
  write_file(path("c/bundle/ten.json"), "{}");
  const auto deployed = run_processes({{find_program("sh"), path("c/deploy.sh"), ":"}}, {.directory = directory_});
  EXPECT_FALSE(deployed.front().succeeded());
  EXPECT_NE(deployed.front().output.find("ten.json: FAILED"), std::string::npos) << deployed.front().output;
}

/// sshd on this machine, as two hosts with a home of their own; gone at the end.
class SshHosts {
 public:
  SshHosts(std::string directory, std::string scratch)
      : directory_(std::move(directory)), scratch_(std::move(scratch)) {
    started_ = run("start");
    path_ = std::getenv("PATH");
    ::setenv("PATH", (directory_ + "/bin:" + path_).c_str(), 1);
  }
  ~SshHosts() {
    ::setenv("PATH", path_.c_str(), 1);
    run("stop");
  }
  SshHosts(const SshHosts&) = delete;
  SshHosts& operator=(const SshHosts&) = delete;
  [[nodiscard]] const ProcessResult& started() const { return started_; }

 private:
  ProcessResult run(const char* action) const {
    const std::string script = std::string(DETENT_SOURCE_DIR) + "/tests/e2e/ssh_hosts.sh";
    return run_processes({{script, action, directory_}}, {.directory = scratch_}).front();
  }
  std::string directory_, scratch_, path_;
  ProcessResult started_;
};

TEST_F(CampaignEngines, HostsBySshWithALostConnectionAndTheDriverKilled) {
  if (find_program("parallel").empty()) GTEST_SKIP() << "parallel is not installed";
  const SshHosts hosts(path("ssh"), directory_);
  if (!hosts.started().succeeded()) GTEST_SKIP() << "openssh-server: " << hosts.started().output;
  const auto end_of = [](pid_t process) {
    int status = -1;
    ::waitpid(process, &status, 0);
    return WEXITSTATUS(status);
  };
  write_file(path("hosts"), "1/host-a\n1/host-b\n");
  write_file(path("nowhere"), "1/nowhere.invalid\n");
  const std::string runs = "simulate ten.json --runs 2000000 --cores 2 --timing-only --seed 7 ";
  const std::string here = runs + "--engine parallel ";
  EXPECT_EQ(end_of(begin(runs + "--json one.json")), 0);
  const pid_t driver = begin("campaign " + here + "--shards 8 --hosts hosts --out c");
  wait_for("c", 2, driver);
  const std::string lose = "for p in $(pgrep -P $(cat ssh/pid)); do kill $p; exit 0; done";
  run_processes({{find_program("sh"), "-c", lose}}, {.directory = directory_});
  wait_for("c", 4, driver);
  ::kill(driver, SIGKILL);
  ::waitpid(driver, nullptr, 0);
  const Answer elsewhere = run_detent("campaign --resume --out " + path("c"));
  EXPECT_EQ(elsewhere.exit_code, 2);
  EXPECT_NE(elsewhere.error.find("names its files from " + directory_ + "; go there to resume it"), std::string::npos)
      << elsewhere.error;
  const pid_t second = begin("campaign --resume --out c --json c.json 2>resumed.txt");
  const int resumed = end_of(second);
  const std::string said = read_file(path("resumed.txt"));
  EXPECT_EQ(resumed, 0) << said;
  EXPECT_NE(said.find("GNU parallel of an earlier driver still runs shards"), std::string::npos) << said;
  EXPECT_EQ(read_file(path("c.json")), read_file(path("one.json")));

  EXPECT_EQ(end_of(begin("campaign " + here + "--shards 2 --hosts nowhere --out n 2>nowhere.txt")), 2);
  const std::string error = read_file(path("nowhere.txt"));
  EXPECT_NE(error.find("host nowhere.invalid: program and models cannot be put there: ssh: "), std::string::npos)
      << error;
  EXPECT_NE(error.find("; try: sh " + path("n") + "/deploy.sh nowhere.invalid\n"), std::string::npos) << error;
}

TEST_F(CampaignEngines, ASlurmOfOneNodeWithATaskKilledAndTheNodeDrained) {
  const std::string script = std::string(DETENT_SOURCE_DIR) + "/tests/e2e/slurm_node.sh";
  const ProcessResult started = run_processes({{script, "start", path("slurm")}}, {.directory = directory_}).front();
  if (!started.succeeded()) GTEST_SKIP() << "slurm-wlm, munge: " << started.output;
  ::setenv("SLURM_CONF", path("slurm/slurm.conf").c_str(), 1);
  const std::string alone = run_alone(simulate(1'000'000));
  const pid_t driver = begin(fmt::format("campaign {} --engine slurm --shards 5 --out {} --json {}",
                                         simulate(1'000'000), path("c"), path("c.json")));
  wait_for("c", 1, driver);
  kill_a_shard("c");
  const auto set_node = [&](const std::string& state) {
    const std::string command = "scontrol update nodename=$(uname -n) state=" + state + " reason=test";
    run_processes({{find_program("sh"), "-c", command}}, {.directory = directory_});
  };
  set_node("drain");
  ::usleep(2'000'000);
  set_node("resume");
  int status = -1;
  ::waitpid(driver, &status, 0);
  run_processes({{script, "stop", path("slurm")}}, {.directory = directory_});
  ::unsetenv("SLURM_CONF");
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_file(path("c.json")), alone);
  EXPECT_NE(read_file(path("c/campaign.sbatch")).find("#SBATCH --time="), std::string::npos);
}

TEST_F(CampaignEngines, AnyProgramWithAShardInItsWords) {
  write_file(path("count.sh"), "echo \"part $1: $2 of $3\"\n[ \"$2\" != 1 ]\n");
  const Answer answer = run_detent(
      fmt::format("campaign --shards 3 --out {} -- sh {} {{shard}} {{index}} {{shards}}", path("c"), path("count.sh")));
  EXPECT_EQ(answer.exit_code, 1) << answer.error;
  EXPECT_EQ(answer.output, "part 0/3: 0 of 3\npart 1/3: 1 of 3\npart 2/3: 2 of 3\n");
}

TEST_F(CampaignEngines, ADeadShardIsRunAgainUpToTheLimit) {
  write_file(path("die.sh"), "echo attempt >>" + path("attempts") + "\necho no good >&2\nexit 7\n");
  const Answer answer =
      run_detent(fmt::format("campaign --shards 1 --retries 2 --out {} -- sh {} {{index}}", path("c"), path("die.sh")));
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.error.find("shard 0 was begun 3 times and never done: no good"), std::string::npos) << answer.error;
  EXPECT_EQ(read_file(path("attempts")), "attempt\nattempt\nattempt\n");
}

TEST_F(CampaignEngines, ProgramsAndModelsThatChangedAreRefused) {
  EXPECT_EQ(run_detent(fmt::format("campaign {} --prepare --shards 2 --out {}", simulate(100), path("c"))).exit_code,
            0);
  write_file(path("ten.json"), read_file(path("ten.json")) + "\n");
  const Answer answer = run_detent("campaign --resume --out " + path("c"));
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.error.find("ten.json: is not what the campaign was planned with"), std::string::npos)
      << answer.error;
  const auto by_hand =
      run_processes({{find_program("sh"), path("c/shard.sh"), "0"}}, {.directory = directory_}).front();
  EXPECT_EQ(by_hand.code, 2);
}

TEST_F(CampaignEngines, ARecordOfAnotherProgramIsRefused) {
  EXPECT_EQ(run_detent(fmt::format("campaign {} --shards 2 --out {}", simulate(100), path("c"))).exit_code, 0);
  auto record = nlohmann::json::parse(read_file(path("c/done/1.json")));
  record["program"] = "0000";
  write_file(path("c/done/1.json"), record.dump());
  const Answer answer = run_detent("campaign --resume --out " + path("c"));
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.error.find("done/1.json: was done by program 0000"), std::string::npos) << answer.error;
}

TEST_F(CampaignEngines, InstructionSetsThatDifferAreSaid) {
  EXPECT_EQ(run_detent(fmt::format("campaign {} --shards 2 --out {}", simulate(100), path("c"))).exit_code, 0);
  auto record = nlohmann::json::parse(read_file(path("c/done/1.json")));
  record["instruction_set"] = "riscv64";
  write_file(path("c/done/1.json"), record.dump());
  const Answer answer = run_detent("campaign --resume --out " + path("c"));
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_NE(answer.error.find("instruction sets differ (riscv64"), std::string::npos) << answer.error;
}

TEST_F(CampaignEngines, WhatCannotBeACampaignIsRefused) {
  fs::create_directories(path("full"));
  write_file(path("full/file"), "x");
  const std::string out = " --shards 2 --out " + path("c");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"campaign" + out, "no command"},
      {"campaign check diamond" + out, "check: cannot be cut into shards"},
      {"campaign simulate diamond", "--out: is missing"},
      {"campaign simulate diamond --shard 0/2" + out, "--shard: is given to each shard by the campaign"},
      {"campaign sh -c true" + out, "no word says which shard"},
      {"campaign no_such_program {index}" + out, "is neither simulate nor explore nor a program"},
      {"campaign simulate diamond --hosts hosts" + out, "--hosts: is of --engine parallel"},
      {"campaign simulate diamond --time 1:00" + out, "--partition, --time: are of --engine slurm"},
      {"campaign simulate diamond --engine mpi" + out, "mpi"},
      {"campaign simulate diamond --runs 0" + out, "a trial run of the command ended with code 2"},
      {"campaign simulate diamond --runs 1 --shards 2 --out " + path("many"), "n at most the number of runs"},
      {"campaign simulate diamond --shards 2 --out " + path("full"), "is not empty and holds no campaign"},
      {"campaign --resume --out " + path("none"), "no command"},
      {"campaign --out " + path("c") + " -- sh -c 'echo {index}'", "--shards: how long the program takes"},
  };
  for (const auto& [arguments, text] : cases) {
    const Answer answer = run_detent(arguments);
    EXPECT_EQ(answer.exit_code, 2) << arguments;
    EXPECT_NE(answer.error.find(text), std::string::npos) << arguments << ": " << answer.error;
    EXPECT_FALSE(fs::exists(path("c/campaign.json"))) << arguments;
  }
}

TEST_F(CampaignEngines, ShardsOfAnExplorationThatDoNotFitAreRefused) {
  const auto shard = [&](const std::string& words, const std::string& file) {
    return run_detent("explore bad_reuse_war " + words + " --campaign " + path(file));
  };
  EXPECT_EQ(shard("--shard 0/2", "a").exit_code, 0);
  EXPECT_EQ(shard("--shard 1/2", "b").exit_code, 0);
  EXPECT_EQ(shard("--shard 1/2 --seed 4", "c").exit_code, 0);
  EXPECT_EQ(shard("--shard 1/2 --resume", "b").exit_code, 0);
  write_file(path("cut"), read_file(path("b")).substr(0, 200));
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"merge " + path("a"), "schedules 1 to 1 are missing; give the files of all shards"},
      {"merge " + path("b"), "schedules 0 to 0 are missing before it"},
      {"merge " + path("a") + " " + path("a") + " " + path("b"), "which another file also holds; give each shard once"},
      {"merge " + path("a") + " " + path("c"), "holds another exploration: --seed is 4 there and 0 here"},
      {"merge " + path("a") + " " + path("cut"), "explore this shard again"},
      {"merge --sensitivity " + path("a"), "--sensitivity: is of simulated runs"},
      {"explore bad_reuse_war --shard 0/2 --campaign " + path("a"), "exists; add --resume"},
      {"explore bad_reuse_war --shard 0/2 --resume --campaign " + path("b"), "is of another --shard"},
      {"explore bad_reuse_war --seed 9 --shard 1/2 --resume --campaign " + path("b"), "holds another exploration"},
      {"explore bad_reuse_war --shard 2/2", "write i/n with i from 0 to n - 1"},
      {"explore bad_reuse_war --shard 0/2 --resume", "--resume: add --campaign FILE"},
      {"explore bad_reuse_war --shard 0/2 --strategy pairs", "each schedule depends on those before it"},
      {"explore bad_reuse_war --shard 0/2 --count", "--count: executes nothing"},
      {"explore bad_reuse_war --merge " + path("a") + " --shard 0/2", "drop --campaign and --shard"},
      {"explore bad_reuse_war --merge " + path("a") + " --count", "--count"},
      {"explore bad_reuse_war --level threads --shard 0/2", "--shard: shards are of --level ops"},
  };
  for (const auto& [arguments, text] : cases) {
    const Answer answer = run_detent(arguments);
    EXPECT_EQ(answer.exit_code, 2) << arguments;
    EXPECT_NE(answer.error.find(text), std::string::npos) << arguments << ": " << answer.error;
  }
  EXPECT_EQ(run_detent("simulate diamond --timing-only --runs 9 --campaign " + path("s")).exit_code, 0);
  EXPECT_NE(run_detent("merge --failure f " + path("s")).error.find("--failure: is of explored schedules"),
            std::string::npos);
  EXPECT_EQ(run_detent("explore bad_reuse_war --shard 0/2").exit_code, 0);
  EXPECT_EQ(run_detent("merge --failure " + path("f") + " " + path("a") + " " + path("b")).exit_code, 1);
  EXPECT_NE(read_file(path("f")).find("detent-failure/1"), std::string::npos);
}

TEST_F(CampaignEngines, ADirectoryHoldsOneCampaign) {
  EXPECT_EQ(run_detent(fmt::format("campaign {} --prepare --shards 2 --out {}", simulate(100), path("c"))).exit_code,
            0);
  const auto error = [&](const std::string& words) {
    return run_detent("campaign " + words + " --out " + path("c")).error;
  };
  EXPECT_NE(error(simulate(100)).find("holds a campaign; add --resume"), std::string::npos);
  EXPECT_NE(error(simulate(200) + " --resume").find("holds another campaign"), std::string::npos);
  EXPECT_NE(error("--resume --shards 3").find("has 2 shards"), std::string::npos);
  write_file(path("c/campaign.json"), "{\"schema\": \"x\"}");
  EXPECT_NE(error("--resume").find("campaign.json:1:"), std::string::npos);
}

}  // namespace
}  // namespace detent::e2e
