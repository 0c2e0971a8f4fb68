#include "core/lessons/explanations.h"

#include <algorithm>
#include <utility>

#include "core/analysis/cause_table.h"
#include "core/findings/rule.h"
#include "core/lessons/explanation_texts.h"
#include "core/loader/settings.h"
#include "core/runs/run_metrics.h"
#include "core/trace/track_kinds.h"
#include "core/trace/track_names.h"

namespace overlane
{
namespace
{

std::string keyed(std::string_view what, std::string_view name)
{
    return std::string(what) + ':' + std::string(name);
}

std::vector<Explanation> makeExplanations()
{
    std::vector<Explanation> all;
    all.reserve(saidOutright().size() + allSettings().size() + allRunMetrics().size());
    const auto add = [&](std::string key, std::string_view sentence, std::string_view lesson) {
        all.push_back({std::move(key), std::string(sentence), lesson});
    };
    for (const SaidExplanation& entry : saidOutright())
        add(std::string(entry.key), entry.sentence, entry.lesson);
    for (const TrackKindRow& row : trackKinds())
        if (row.kind != TrackKind::LoaderActor)
            add(keyed("lane", row.id), row.explanation, row.lesson);
    for (const LostCauseRow& row : lostCauses())
        add(explanationKey(row.cause), row.explanation, row.lesson);
    for (const CopyCauseRow& row : copyCauses())
        add(explanationKey(row.cause), row.sentence, row.lesson);
    for (const Rule& rule : allRules())
        add(explanationKey(rule.rule), rule.sentence, rule.lesson);
    for (const Setting& setting : allSettings())
        add(settingExplanationKey(setting.key), setting.description, setting.lesson);
    for (const RunMetric& metric : allRunMetrics())
        add(metricExplanationKey(metric.key), metric.description, metric.lesson);
    return all;
}

// A thread of another name takes batches, too.
std::string laneOf(LoaderRole role)
{
    switch (role) {
        case LoaderRole::Worker:
            return "lane:worker";
        case LoaderRole::PinThread:
            return "lane:pin thread";
        case LoaderRole::Training:
        case LoaderRole::Other:
            break;
    }
    return "lane:training thread";
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
        return laneOf(loaderRole(track));
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
