#include "core/job/job_analysis.h"

#include <set>

namespace overlane
{

JobAnalysis analyzeJob(const Job& job)
{
    JobAnalysis made;
    std::set<int> met;
    for (std::size_t place = 0; place < job.ranks.size(); ++place) {
        const JobRank& rank = job.ranks[place];
        if (!rank.isRead() || rank.digest.deviceId < 0)
            continue;
        if (rank.identity.rank && !met.insert(*rank.identity.rank).second)
            continue;
        made.digests.add(rank.digest);
        made.places.push_back(place);
    }
    made.match = matchCollectives(made.digests);
    made.clocks = fitClocks(made.digests, made.match);
    if (made.isOfSeveralRuns()) {
        made.stragglers.whyNot = strangersText(made.clocks, made.digests);
        made.match = {};  // by number, and wrong
        return made;
    }
    made.communication = jobCommunication(made.digests, made.match, made.clocks);
    made.stragglers = findStragglers(made.digests, made.match, made.communication);
    return made;
}

}  // namespace overlane
