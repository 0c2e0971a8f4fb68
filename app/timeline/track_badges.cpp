#include "app/timeline/track_badges.h"

#include <algorithm>

#include <QObject>

#include "app/timeline/time_tip.h"
#include "app/widgets/text.h"
#include "core/analysis/cause_table.h"
#include "core/base/counted.h"
#include "core/judgement/time_parts.h"

namespace overlane
{

namespace
{

constexpr std::int64_t kFewOf = 20;     // one of so many copies
constexpr double kShownAsNone = 0.005;  // "0 %"

QString share(std::int64_t part, std::int64_t whole)
{
    return text(formatShare(whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0));
}

QString rangeLine(const Judgement& judgement)
{
    return u"<i>%1</i>"_s.arg(judgement.selected
                                  ? u"In the selected range, %1"_s.arg(durationText(judgement.range.lengthNs()))
                                  : u"In the active range, %1"_s.arg(durationText(judgement.range.lengthNs())));
}

TrackBadge copyBadge(const Judgement& judgement, const CopySums& sums, EventKind kind, const Palette& palette)
{
    TrackBadge badge;
    const QString all = text(formatCount(sums.copies));
    if (sums.exposedCopies == 0) {
        badge.color = palette.good;
        badge.texts = {u"%1 hidden"_s.arg(all)};
        badge.tip = sums.copies == 1 ? u"<b>The copy is hidden</b>: at least half of it lies under kernels; %1 of its "
                                       "time does not."_s.arg(durationText(sums.exposedNs))
                                     : u"<b>All %1 copies are hidden</b>: at least half of each lies under kernels; "
                                       "%2 of their time does not."_s.arg(all, durationText(sums.exposedNs));
    } else {
        const QString exposed = text(formatCount(sums.exposedCopies));
        // The count is the verdict's, and the reason the one with the most time; the tip has all of them.
        const QString hidden = text(formatCount(sums.copies - sums.exposedCopies));
        const bool link = kind == EventKind::CopyH2D && judgement.findings.find(RuleId::LinkBound) != nullptr;
        const QString why = link ? u"link"_s : text(rowOf(sums.reasons.front().cause).brief);
        // A few exposed ones, as the first of a run is, are no fault that needs a name.
        const bool few = sums.exposedCopies * kFewOf <= sums.copies;
        badge.color = few ? palette.good : palette.warning;
        badge.texts = {u"%1 of %2 hidden"_s.arg(hidden, all), u"%1/%2 hidden"_s.arg(hidden, all)};
        if (!few)
            badge.texts = {badge.texts[0] + u": "_s + why, badge.texts[1] + u": "_s + why, badge.texts[1]};
        badge.tip = u"<b>%1 of %2 exposed</b>, %3 outside kernels"_s.arg(
            exposed, text(counted(sums.copies, "copy", "copies")), durationText(sums.exposedNs));
        for (const CopyGroup& reason : sums.reasons)
            badge.tip += u"<br>%1 \u00b7 %2: %3"_s.arg(text(formatCount(reason.copies)), durationText(reason.exposedNs),
                                                       text(causeName(reason.cause)).toHtmlEscaped());
    }
    if (!judgement.kernelsKnown) {
        badge.color = palette.kind(kind);
        badge.texts = {all};
        badge.tip = u"%1. The kernels were not recorded, so what is hidden is not known."_s.arg(
            text(counted(sums.copies, "copy", "copies")));
    }
    badge.tip += u"<br>"_s + rangeLine(judgement);
    return badge;
}

TrackBadge idleBadge(const Judgement& judgement, const DeviceJudgement& device, const Palette& palette)
{
    TrackBadge badge;
    const std::vector<TimePart> parts = timeParts(judgement, device.figures);
    const QString idle = share(device.idleNs(), device.figures.wallNs);
    const double idleShare = static_cast<double>(device.idleNs()) / static_cast<double>(device.figures.wallNs);
    const QString brief = u"%1\u2009%"_s.arg(100 * idleShare, 0, 'f', 0);
    badge.color = palette.good;
    badge.texts = {u"never idle"_s};
    if (parts.size() > 1 && idleShare < kShownAsNone) {
        badge.texts = {u"%1 idle"_s.arg(brief)};
    } else if (parts.size() > 1) {
        badge.color = palette.kind(parts[1].drawnAs());
        badge.texts = {u"%1 idle: %2"_s.arg(brief, text(parts[1].brief())), u"%1 idle"_s.arg(brief)};
    }
    badge.tip = u"<b>No kernel for %1 of %2</b> (%3)"_s.arg(durationText(device.idleNs()),
                                                            durationText(device.figures.wallNs), idle);
    badge.tip += timeTip(judgement, device.figures, palette) + rangeLine(judgement);
    return badge;
}

}  // namespace

TrackBadges trackBadges(const Judgement& judgement, const Trace& trace, const Palette& palette)
{
    TrackBadges badges;
    const auto& tracks = trace.tracks();
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const auto device =
            std::find_if(judgement.devices.begin(), judgement.devices.end(),
                         [&](const DeviceJudgement& each) { return each.figures.id == tracks[i].device; });
        if (device == judgement.devices.end())
            continue;
        if (tracks[i].kind == TrackKind::EngineH2D && device->toDevice.copies > 0)
            badges[TrackId(i)] = copyBadge(judgement, device->toDevice, EventKind::CopyH2D, palette);
        else if (tracks[i].kind == TrackKind::EngineD2H && device->toHost.copies > 0)
            badges[TrackId(i)] = copyBadge(judgement, device->toHost, EventKind::CopyD2H, palette);
        else if (tracks[i].kind == TrackKind::EngineCompute && judgement.kernelsKnown && device->figures.wallNs > 0)
            badges[TrackId(i)] = idleBadge(judgement, *device, palette);
    }
    return badges;
}

}  // namespace overlane
