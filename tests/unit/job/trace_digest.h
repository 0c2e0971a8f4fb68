// A digest of a trace with what the pictures of a job read of it: steps, causes, collectives.
#pragma once

#include <string>

#include "core/analysis/analysis.h"
#include "core/analysis/steps.h"
#include "core/job/host_pace.h"
#include "core/job/rank_collectives.h"
#include "core/job/rank_digest.h"
#include "core/judgement/judgement.h"
#include "core/trace/trace.h"

namespace overlane::test
{

inline RankDigest digestOfTrace(const Trace& trace, int rank, const std::string& host)
{
    const Analysis analysis(trace);
    const Judgement judgement = judge({trace, analysis, analysis.steps().steps});
    RankDigest digest;
    digest.identity.rank = rank;
    digest.identity.host = host;
    digest.startEpochNs = trace.metadata().startEpochNs;
    digest.span = trace.span();
    digest.active = judgement.range;
    digest.stepNs = judgement.stepNs;
    for (const Finding& finding : judgement.findings.findings)
        digest.findings.emplace_back(finding.id);
    const DeviceActivity* device = nullptr;
    for (const DeviceActivity& one : analysis.devices())
        if (!device || one.kernels.measureNs() > device->kernels.measureNs())
            device = &one;
    if (device == nullptr)
        return digest;
    digest.device = device->name;
    const LostTime& lost = *analysis.lost(device->id);
    const HostPace pace(trace, analysis, device->id);
    for (const Step& step : analysis.steps().steps) {
        DigestStep made;
        made.number = step.number;
        made.interval = {step.interval.startNs, step.interval.startNs + step.timeNs};
        made.computeNs = device->kernels.measureNs(made.interval);
        made.communicationNs = device->communication.measureNs(made.interval);
        for (std::size_t cause = 0; cause < lost.size(); ++cause)
            made.lostNs[cause] = lost[cause].measureNs(made.interval);
        made.warmUp = step.warmUp;
        made.hostNs = pace.ownNs(made.interval);
        made.hostLoaderNs = pace.loaderNs(made.interval);
        made.hostCopyNs = pace.copyNs(made.interval);
        made.hostStepNs = made.hostNs > 0 ? made.interval.lengthNs() : 0;
        made.heldNs = pace.heldNs(made.interval);
        digest.steps.push_back(made);
    }
    RankCollectives read = rankCollectives(trace, analysis, device->id);
    digest.groups = std::move(read.groups);
    digest.collectives = std::move(read.collectives);
    return digest;
}

}  // namespace overlane::test
