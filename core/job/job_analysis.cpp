#include "core/job/job_analysis.h"

namespace overlane
{

JobAnalysis analyseJob(const Job& job)
{
    JobAnalysis made;
    for (std::size_t place = 0; place < job.ranks.size(); ++place) {
        if (!job.ranks[place].isRead())
            continue;
        made.digests.push_back(job.ranks[place].digest);
        made.places.push_back(place);
    }
    made.match = matchCollectives(made.digests);
    made.clocks = fitClocks(made.digests, made.match);
    made.communication = jobCommunication(made.digests, made.match, made.clocks);
    made.stragglers = findStragglers(made.digests, made.match, made.communication);
    return made;
}

}  // namespace overlane
