// JobAnalysis: what the ranks of a job are only as one: their collectives matched, one clock, waiting and stragglers.
//
// A value, made by a pure function of the ranks that were read and have GPU work, of several files of one rank the
// first, which have to outlive it; any thread. Ranks are places in `digests`, as in the headers of its parts.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/job/clock_fit.h"
#include "core/job/collective_match.h"
#include "core/job/job.h"
#include "core/job/job_communication.h"
#include "core/job/straggler.h"

namespace overlane
{

struct JobAnalysis {
    RankDigests digests;
    std::vector<std::size_t> places;  // of the digests in Job::ranks
    CollectiveMatch match;
    ClockFit clocks;
    JobCommunication communication;
    StragglerAnswer stragglers;

    // Whether the steps of the ranks could be compared: then the answer is who holds up the others.
    bool comparesRanks() const { return stragglers.whyNot.empty(); }
    // The files are of several runs (ClockFit::strangers): nothing may be said of them together.
    bool isOfSeveralRuns() const { return !clocks.strangers.empty(); }
};

JobAnalysis analyzeJob(const Job& job);

// A job and its analysis, whose digests are in it: kept together and never moved.
struct AnalyzedJob {
    explicit AnalyzedJob(Job of) : job(std::move(of)), analysis(analyzeJob(job)) {}
    AnalyzedJob(const AnalyzedJob&) = delete;
    AnalyzedJob& operator=(const AnalyzedJob&) = delete;

    const Job job;
    const JobAnalysis analysis;
};

}  // namespace overlane
