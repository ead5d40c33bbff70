// Schedules that are found at once: jobs in an order of preference, and what shifting them to and fro gains.
#pragma once

#include <vector>

#include "verify/synthesis/job_graph.hpp"

namespace detent::verify {

/// At every instant each free core takes the ready job with the lowest key (Graham 1966). Ties go to the lower job.
JobSchedule schedule_at_once(const JobGraph& graph, const std::vector<double>& key);

/// Job after job in ascending keys, as far as arcs allow, each as early as the ones before it let it (serial
/// generation; Kolisch 1996).
JobSchedule schedule_in_turn(const JobGraph& graph, const std::vector<double>& key);

/// Shift all jobs to the right, the last ones first, then to the left, while that shortens the schedule
/// (justification; Valls, Ballestin, Quintanilla 2005).
/// @param backwards  reversed(graph)
void justify(const JobGraph& graph, const JobGraph& backwards, JobSchedule& schedule);

}  // namespace detent::verify
