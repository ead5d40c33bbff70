// Machine JSON: accounts and DRAM traffic of a run.
#include "reports/json/machine_json.hpp"

#include "reports/view/machine_view.hpp"

namespace detent::reports {

void add_machine_json(const harness::MachineTrace& machine, std::uint64_t makespan_ps, Json& out) {
  const bool is_counted = machine.accounts.empty() || counts_dram(machine);
  Json accounts = Json::array();
  for (const harness::Account& account : machine.accounts) {
    if (account.resource >= machine.resources.size()) continue;
    accounts.push_back({{"core", machine.resources[account.resource].name},
                        {"compute_ps", account.compute_ps},
                        {"memory_ps", account.memory_ps},
                        {"contention_ps", account.contention_ps},
                        {"overhead_ps", account.overhead_ps},
                        {"load_ps", account.load_ps},
                        {"idle_ps", account.idle_ps},
                        {"dram_bytes", is_counted ? Json(account.dram_bytes) : Json(nullptr)}});
  }
  const DramTotals dram = dram_totals(machine, makespan_ps);
  out["accounts"] = std::move(accounts);
  out["dram"] = {
      {"bytes", dram.bytes}, {"peak_bytes_per_s", dram.peak_bytes_per_s}, {"mean_bytes_per_s", dram.mean_bytes_per_s}};
  if (!is_counted) {
    for (Json& value : out["dram"]) value = nullptr;
  }
}

}  // namespace detent::reports
