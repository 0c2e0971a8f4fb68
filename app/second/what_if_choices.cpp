#include "app/second/what_if_choices.h"

#include <algorithm>

#include "app/widgets/text.h"
#include "core/devices/device_profile.h"
#include "core/findings/rule.h"
#include "core/replay/rates.h"
#include "core/trace/track_names.h"

namespace overlane
{

namespace
{

std::int64_t workersOf(const Trace& trace)
{
    return std::count_if(trace.tracks().begin(), trace.tracks().end(),
                         [](const Track& track) { return loaderRole(track) == LoaderRole::Worker; });
}

}  // namespace

bool WhatIfChoices::any() const
{
    return std::find(on.begin(), on.end(), true) != on.end();
}

Change WhatIfChoices::change(ChangeKind kind) const
{
    Change change;
    change.kind = kind;
    if (kind == ChangeKind::SideStream)
        change.value = depth;
    else if (kind == ChangeKind::Workers)
        change.value = workers;
    else if (kind == ChangeKind::Device)
        change.device = findDeviceProfile(deviceKey);
    else if (kind == ChangeKind::Link)
        change.bytesPerSecond = linkGbPerSecond * 1e9;
    return change;
}

std::vector<Change> WhatIfChoices::changes() const
{
    std::vector<Change> chosen;
    for (int number = 0; number < kChangeKindCount; ++number)
        if (const auto kind = static_cast<ChangeKind>(number); has(kind))
            chosen.push_back(change(kind));
    return chosen;
}

WhatIfChoices choicesFor(const Trace& trace)
{
    WhatIfChoices choices;
    if (const std::int64_t workers = workersOf(trace); workers > 0)
        choices.workers = std::min<std::int64_t>(2 * workers, WhatIfChoices::kMostWorkers);
    const DeviceProfile* own = profileOf(trace);
    for (const DeviceProfile& profile : allDeviceProfiles())
        if (choices.deviceKey.empty() && (own == nullptr || profile.key != own->key))
            choices.deviceKey = profile.key;
    return choices;
}

void add(WhatIfChoices& choices, const Change& change)
{
    choices.set(change.kind, true);
    if (change.kind == ChangeKind::SideStream)
        choices.depth = change.value;
    else if (change.kind == ChangeKind::Workers)
        choices.workers = change.value;
    else if (change.kind == ChangeKind::Device && change.device != nullptr)
        choices.deviceKey = change.device->key;
    else if (change.kind == ChangeKind::Link)
        choices.linkGbPerSecond = change.bytesPerSecond / 1e9;
}

Result<WhatIfChoices> parsedChoices(WhatIfChoices from, const std::vector<std::string>& texts)
{
    for (const std::string& text : texts) {
        ASSIGN_OR_RETURN(const Change change, parseChange(text));
        add(from, change);
    }
    return from;
}

QString changeLabel(ChangeKind kind)
{
    switch (kind) {
        case ChangeKind::Pin:
            return u"Pinned host memory"_s;
        case ChangeKind::NonBlocking:
            return u"non_blocking"_s;
        case ChangeKind::SideStream:
            return u"Copy stream, ahead"_s;
        case ChangeKind::DropSyncs:
            return u"Remove syncs"_s;
        case ChangeKind::MergeSmall:
            return u"Small copies merged"_s;
        case ChangeKind::Workers:
            return u"Loader workers"_s;
        case ChangeKind::Device:
            return u"Different GPU or host"_s;
        case ChangeKind::Link:
            return u"Link, GB/s"_s;
        case ChangeKind::ReadLater:
            return u"Results read later"_s;
    }
    return {};
}

QString changeMeaning(ChangeKind kind)
{
    return text(allChangeForms()[static_cast<std::size_t>(kind)].words);
}

std::vector<ChangeKind> changesOf(RuleId rule)
{
    return rule == RuleId::None ? std::vector<ChangeKind>() : changeKinds(rowOf(rule).whatIf);
}

}  // namespace overlane
