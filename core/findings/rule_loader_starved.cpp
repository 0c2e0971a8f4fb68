#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>

#include "core/base/counted.h"
#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

struct Narrowest {
    std::string sentence;
    std::string change;
};

bool showsTheLoader(const RuleContext& context)
{
    if (!context.analysis.host().actors.empty())
        return true;
    for (const HostActivity::LaunchingThread& thread : context.analysis.host().launchingThreads)
        for (const HostDoing doing : {HostDoing::BatchWait, HostDoing::BatchWork})
            if (!thread.time[static_cast<std::size_t>(doing)].empty())
                return true;
    return false;
}

std::int64_t lostTo(const RuleContext& context, LostCause cause)
{
    std::int64_t lostNs = 0;
    for (const DeviceSummary& device : context.summary.devices)
        lostNs = saturatedSum(lostNs, device.lostNs[static_cast<std::size_t>(cause)]);
    return lostNs;
}

bool makesBatchesItself(const RuleContext& context)
{
    return lostTo(context, LostCause::MakingBatches) > lostTo(context, LostCause::Batches);
}

// When at least one device waited for the loader.
IntervalSet starvedTime(const RuleContext& context)
{
    std::vector<IntervalSet> ofDevices;
    for (std::size_t device = 0; device < context.analysis.devices().size(); ++device)
        ofDevices.push_back(context.facts.idle(device, RuleId::LoaderStarved));
    return intersect(unite(std::move(ofDevices)), IntervalSet({context.range}));
}

// Which part of the loader worked while the GPU waited: an actor's share of that time.
Narrowest narrowestPart(const RuleContext& context)
{
    if (makesBatchesItself(context))
        return {"The launching thread makes the batches itself;",
                "Let worker processes make the batches: DataLoader(num_workers=2) or more."};
    const IntervalSet starved = starvedTime(context);
    std::int64_t workers = 0;
    std::int64_t workersNs = 0;
    std::int64_t helperNs = 0;
    std::string helper;
    for (const HostActivity::Actor& actor : context.analysis.host().actors) {
        if (context.analysis.host().threadOf(actor.track))
            continue;
        const std::int64_t busyNs = intersect(actor.work, starved).measureNs();
        if (actor.role == LoaderRole::Worker) {
            ++workers;
            workersNs = saturatedSum(workersNs, busyNs);
        } else if (busyNs > helperNs) {
            helperNs = busyNs;
            helper = actor.name;
        }
    }
    const auto starvedNs = static_cast<double>(std::max<std::int64_t>(starved.measureNs(), 1));
    const double helperShare = static_cast<double>(helperNs) / starvedNs;
    const double workerShare =
        workers > 0 ? static_cast<double>(workersNs) / (starvedNs * static_cast<double>(workers)) : 0;
    if (workers == 0 && helper.empty())
        return {"The launching thread waits for the next batch, and the trace does not show the loader's processes;",
                {}};
    constexpr double kAtItsLimit = 0.9;
    constexpr double kBusy = 0.5;
    if (helperShare >= kAtItsLimit && workerShare >= kAtItsLimit)
        return {
            fmt::format("The launching thread waits for the next batch, and the {} and its {} are all busy ({} "
                        "and {} of that time);",
                        helper, counted(workers, "worker"), formatShare(helperShare), formatShare(workerShare)),
            "All of the loader is busy. Where it has fewer free cores than workers, fewer workers are as fast; else "
            "raise "
            "num_workers. A cheaper transform helps both ways."};
    if (workers > 0 && helperShare < kBusy && workerShare < kBusy)
        return {
            fmt::format("The launching thread waits for the next batch, though its {} {} busy only {} of that time;",
                        workers == 1 ? std::string("one worker") : fmt::format("{} workers", workers),
                        workers == 1 ? "is" : "are", formatShare(workerShare)),
            "Batches are made fast enough, and the time goes into handing them over (queue, shared memory, "
            "unpickling): "
            "raise prefetch_factor, and return few large tensors from collate_fn instead of many small ones."};
    if (helperShare > workerShare)
        return {
            fmt::format(
                "The launching thread waits for the next batch, and the {} is busy {} of that time (the workers {});",
                helper, formatShare(helperShare), formatShare(workerShare)),
            fmt::format("The {} is the narrowest place: pin fewer or smaller tensors, keep batches on the GPU's NUMA "
                        "node, or let workers write into pinned buffers made once; more workers would not help.",
                        helper)};
    return {fmt::format("The launching thread waits for the next batch, and its {} {} busy {} of that time;",
                        workers == 1 ? std::string("one worker") : fmt::format("{} workers", workers),
                        workers == 1 ? "is" : "are", formatShare(workerShare)),
            {}};
}

struct Places {
    std::vector<CodeShare> shares;
    std::string sentence;  // " The workers are then in train.py:40 __getitem__ (83 %)."
};

Places placesOf(const RuleContext& context)
{
    if (context.analysis.stacks().empty())
        return {};
    Places places;
    std::string_view who = "launching thread is";
    if (makesBatchesItself(context)) {
        places.shares = context.placesOf(RuleId::LoaderStarved);
    } else {
        std::vector<HostStacks::TimeOfTrack> workers;
        const IntervalSet starved = starvedTime(context);
        for (const HostActivity::Actor& actor : context.analysis.host().actors)
            if (actor.role == LoaderRole::Worker && !context.analysis.host().threadOf(actor.track))
                workers.push_back({actor.track, intersect(actor.work, starved)});
        places.shares = context.analysis.stacks().of(workers, context.range);
        who = workers.size() == 1 ? "worker is" : "workers are";
    }
    if (!places.shares.empty())
        places.sentence = fmt::format(" The {} then in {}.", who, codeSharesText(places.shares));
    return places;
}

RuleAnswer askLoaderStarved(const RuleContext& context)
{
    if (!context.hasHostCalls())
        return cannotTell("The trace shows no thread that launches GPU work.");
    if (!showsTheLoader(context))
        return cannotTell(
            "No record shows when the launching thread waits for batches: no DataLoader range, no loader.");
    if (!context.isWorthNaming(RuleId::LoaderStarved))
        return {};
    const Narrowest part = narrowestPart(context);
    Places places = placesOf(context);
    RuleAnswer answer =
        context.rated(RuleId::LoaderStarved,
                      fmt::format("{} {}.{}", part.sentence, context.costText(RuleId::LoaderStarved), places.sentence));
    answer.places = std::move(places.shares);
    answer.changePyTorch = part.change;
    return answer;
}

}  // namespace

extern const Rule kLoaderStarvedRule{
    .rule = RuleId::LoaderStarved,
    .id = "loader-starved",
    .title = "The GPU waits for the loader",
    .sentence = "Batches come more slowly than the GPU takes them.",
    .lesson = "workers_and_prefetch",
    .helpPage = "findings-loader",
    .changePyTorch =
        "Raise num_workers, or make the transform cheaper; prefetch_factor helps only where batches take "
        "unequal times.",
    .changeCuda =
        "More producer threads or processes; decode and augment on the GPU (nvJPEG, DALI) where the cores "
        "are all busy.",
    .whatIf = "workers",
    .causes = {LostCause::Batches, LostCause::MakingBatches},
    .ask = &askLoaderStarved,
};

}  // namespace overlane
