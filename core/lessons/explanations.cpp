#include "core/lessons/explanations.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/analysis/cause_table.h"
#include "core/findings/rule.h"
#include "core/lab/run_metrics.h"
#include "core/lessons/explanation_texts.h"
#include "core/loader/settings.h"
#include "core/trace/track_kinds.h"

namespace overlane
{
namespace
{

struct Topic {
    std::string_view key;
    std::string_view lesson;
};

constexpr std::array kSettingLessons{
    Topic{"batches", lesson::kThreeStages},
    Topic{"batch_bytes", lesson::kTwoCopies},
    Topic{"tensors", lesson::kSmall},
    Topic{"pin", lesson::kWhyPinned},
    Topic{"allocator", lesson::kPool},
    Topic{"non_blocking", lesson::kWhyPinned},
    Topic{"copy_stream", lesson::kSideStream},
    Topic{"streams", lesson::kSideStream},
    Topic{"device_buffers", lesson::kPrefetch},
    Topic{"run_ahead", lesson::kRunAhead},
    Topic{"sync_every_step", lesson::kRunAhead},
    Topic{"compute_us", lesson::kComputeBound},
    Topic{"compute_flops", lesson::kComputeBound},
    Topic{"kernel", lesson::kComputeBound},
    Topic{"result_bytes", lesson::kDuplex},
    Topic{"read_result_early", lesson::kReadBack},
    Topic{"worker_node", lesson::kNuma},
    Topic{"main_node", lesson::kNuma},
    Topic{"gpu_node", lesson::kNuma},
};

constexpr std::array kMetricLessons{
    Topic{"idle", lesson::kComputeBound},
    Topic{"copy_rate", lesson::kWhyPinned},
    Topic{"copy_call", lesson::kWhyPinned},
    Topic{"host_blocked", lesson::kWhyPinned},
    Topic{"batch_wait", lesson::kWorkers},
    Topic{"workers_busy", lesson::kWorkers},
    Topic{"pinning", lesson::kPinThenCopy},
    Topic{"pin_thread_busy", lesson::kPinThenCopy},
    Topic{"sync_wait", lesson::kRunAhead},
    Topic{"pinned_peak", lesson::kWorkers},
    Topic{"swap_peak", lesson::kPressure},
    Topic{"ram_left", lesson::kPressure},
    Topic{"page_cache", lesson::kPressure},
    Topic{"numa_nodes", lesson::kNuma},
    Topic{"pinned_allocs", lesson::kPool},
    Topic{"pinned_alloc_time", lesson::kPinningCosts},
    Topic{"pinned_free_time", lesson::kPinningCosts},
    Topic{"register_time", lesson::kPinningCosts},
    Topic{"wrong_results", lesson::kReadBack},
    Topic{"wrong_batches", lesson::kPool},
    Topic{"result_rate", lesson::kDuplex},
    Topic{"link_rate", lesson::kDuplex},
    Topic{"d2h", lesson::kDuplex},
    Topic{"kernel_share", lesson::kComputeBound},
};

// By CopyCause.
constexpr std::array<std::string_view, kCopyCauseCount> kCopyLessons{
    lesson::kThreeStages,  // hidden
    lesson::kTwoCopies,    // managed memory
    lesson::kThreeStages,  // first or last
    lesson::kSmall,        // staged inline
    lesson::kWhyPinned,    // pageable
    lesson::kWhyPinned,    // synchronous call
    lesson::kSideStream,   // same stream
    lesson::kSideStream,   // event
    lesson::kSideStream,   // default stream
    lesson::kDuplex,       // engine busy
    lesson::kRunAhead,     // after a sync
    lesson::kWhyPinned,    // memory unknown
    lesson::kThreeStages,  // no kernel
    lesson::kRunAhead,     // not told
};

std::string_view lessonIn(std::span<const Topic> topics, std::string_view key, std::string_view otherwise)
{
    const auto found = std::find_if(topics.begin(), topics.end(), [&](const Topic& topic) { return topic.key == key; });
    return found == topics.end() ? otherwise : found->lesson;
}

// By the group of a setting that has no lesson of its own.
std::string_view lessonOfGroup(std::string_view group)
{
    if (group == "Loader" || group == "Data")
        return lesson::kWorkers;
    return group == "Machine" ? lesson::kPressure : lesson::kThreeStages;
}

std::string keyed(std::string_view what, std::string_view name)
{
    return std::string(what) + ':' + std::string(name);
}

std::vector<Explanation> makeExplanations()
{
    std::vector<Explanation> all;
    all.reserve(saidOutright().size() + allSettings().size() + allRunMetrics().size());
    for (const SaidExplanation& entry : saidOutright())
        all.push_back({std::string(entry.key), std::string(entry.sentence), entry.lesson});
    for (const Setting& setting : allSettings())
        all.push_back({settingExplanationKey(setting.key), std::string(setting.description),
                       lessonIn(kSettingLessons, setting.key, lessonOfGroup(setting.group))});
    for (const RunMetric& metric : allRunMetrics())
        all.push_back({metricExplanationKey(metric.key), metric.description,
                       lessonIn(kMetricLessons, metric.key, lesson::kThreeStages)});
    for (int cause = 0; cause < kCopyCauseCount; ++cause)
        all.push_back({explanationKey(static_cast<CopyCause>(cause)),
                       std::string(causeSentence(static_cast<CopyCause>(cause))),
                       kCopyLessons[static_cast<std::size_t>(cause)]});
    for (const Rule& rule : allRules())
        all.push_back({explanationKey(rule.rule), std::string(rule.sentence), rule.lesson});
    return all;
}

std::string gaugeKey(std::string_view name)
{
    constexpr std::string_view kGauge = "gauge:";
    for (const SaidExplanation& entry : saidOutright())
        if (entry.key.starts_with(kGauge) && name.starts_with(entry.key.substr(kGauge.size())))
            return std::string(entry.key);
    return keyed("gauge", "other");
}

}  // namespace

const std::vector<Explanation>& allExplanations()
{
    static const std::vector<Explanation> kAll = makeExplanations();
    return kAll;
}

const Explanation* findExplanation(std::string_view key)
{
    const std::vector<Explanation>& all = allExplanations();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Explanation& one) { return one.key == key; });
    return found == all.end() ? nullptr : &*found;
}

std::string explanationKey(const Track& track)
{
    if (track.kind == TrackKind::Counter)
        return gaugeKey(track.name);
    if (track.kind == TrackKind::LoaderActor)
        return track.name.starts_with("worker") ? "lane:worker"
               : track.name.starts_with("pin")  ? "lane:pin thread"
                                                : "lane:training thread";
    return keyed("lane", rowOf(track.kind).id);
}

std::string explanationKey(EventKind kind)
{
    return keyed("kind", kindName(kind));
}

std::string explanationKey(LostCause cause)
{
    return keyed("cause", rowOf(cause).id);
}

std::string explanationKey(CopyCause cause)
{
    return keyed("copy", rowOf(cause).id);
}

std::string explanationKey(RuleId rule)
{
    return rule == RuleId::None ? std::string() : keyed("finding", rowOf(rule).id);
}

std::string settingExplanationKey(std::string_view setting)
{
    return keyed("setting", setting);
}

std::string metricExplanationKey(std::string_view metric)
{
    return keyed("metric", metric);
}

}  // namespace overlane
