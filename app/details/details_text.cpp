#include "app/details/details_text.h"

#include <algorithm>
#include <vector>

#include <QObject>

#include "app/details/details_rows.h"
#include "app/details/why_details.h"
#include "app/widgets/text.h"
#include "core/analysis/role_shares.h"
#include "core/base/exact_time.h"
#include "core/io/format.h"
#include "core/trace/import_text.h"

namespace overlane
{

namespace
{

// Links to the pieces of work of one call that are listed one by one.
constexpr std::size_t kMostLinks = 6;

const DeviceInfo* deviceOf(const Trace& trace, EventIndex index)
{
    const std::int32_t id = trace.track(trace.trackOf(index)).device;
    for (const DeviceInfo& device : trace.devices())
        if (device.id == id)
            return &device;
    return nullptr;
}

QString trackPath(const Trace& trace, EventIndex index)
{
    QString path;
    for (TrackId id = trace.trackOf(index); id.valid(); id = trace.track(id).parent)
        path = path.isEmpty() ? text(trace.track(id).name) : text(trace.track(id).name) + u" › "_s + path;
    return path;
}

QString rateText(const Trace& trace, EventIndex index, std::int64_t bytes, std::int64_t ns)
{
    QString rate = text(formatRate(bytes, ns));
    const DeviceInfo* device = deviceOf(trace, index);
    const EventKind kind = trace.kind(index);
    const bool overLink = kind == EventKind::CopyH2D || kind == EventKind::CopyD2H;
    if (overLink && device != nullptr && device->linkBytesPerSecond > 0 && ns > 0)
        rate += u" (%1 of the link)"_s.arg(text(
            formatShare(static_cast<double>(bytes) / (static_cast<double>(ns) * 1e-9) / device->linkBytesPerSecond)));
    return rate;
}

QString asyncText(AsyncFlag flag)
{
    switch (flag) {
        case AsyncFlag::Async:
            return u"asynchronous"_s;
        case AsyncFlag::Sync:
            return u"waits for the copy"_s;
        case AsyncFlag::Unknown:
            break;
    }
    return u"not recorded"_s;
}

void addCopy(DetailsRows& rows, const Trace& trace, const Analysis& analysis, EventIndex index, const CopyInfo& copy)
{
    const Interval interval = trace.interval(index);
    rows.add(u"Size"_s, copy.bytes > 0 ? text(formatBytes(copy.bytes)) : u"not recorded"_s);
    if (copy.bytes > 0)
        rows.add(u"Rate"_s, rateText(trace, index, copy.bytes, interval.lengthNs()));
    rows.add(u"Memory"_s,
             text(memoryKindName(copy.source)) + u"\u00a0→\u00a0"_s + text(memoryKindName(copy.destination)));
    rows.add(u"Call"_s, asyncText(copy.async));
    const CopyRecord* record = analysis.copyRecord(index);
    const CopyRole role = roleOf(trace, analysis, index);
    rows.add(u"Carries"_s,
             record != nullptr && role != CopyRole::Unknown
                 ? u"%1 (sure to %2)"_s.arg(text(copyRoleName(role)), text(formatShare(record->roleConfidence)))
                 : text(copyRoleName(role)));
    if (record == nullptr)
        return;
    const double hidden =
        record->durationNs > 0 ? static_cast<double>(record->hiddenNs) / static_cast<double>(record->durationNs) : 0;
    rows.add(u"Hidden"_s, text(formatShare(hidden)));
}

// As file dialogs call it.
QString formatTitle(const std::string& name)
{
    for (const TraceFormat* format : allFormats())
        if (format->name() == name)
            return text(format->description());
    return text(name);
}

QString linkLabel(const Trace& trace, EventIndex work)
{
    const QString what = isCopy(trace.kind(work)) ? u"Go to the copy"_s : u"Go to the GPU work"_s;
    return u"%1 (%2)"_s.arg(what, durationText(trace.interval(work).lengthNs()));
}

// From GPU work to its call and its neighbors of the same call; from a call to its work.
void addLinks(DetailsRows& rows, const Trace& trace, EventIndex index, bool gpuWork)
{
    const auto go = [&](EventIndex to, const QString& label) {
        rows.paragraphHtml(rows.link(u"event:%1"_s.arg(to.value()), label));
    };
    const EventIndex linked = trace.link(index);
    if (gpuWork) {
        if (linked.valid())
            go(linked, u"Go to the call"_s);
        return;
    }
    const std::vector<EventIndex> work = trace.linkedWork(index);
    if (work.size() > 1)
        rows.paragraph(u"This call started %1 pieces of GPU work:"_s.arg(work.size()));
    for (std::size_t i = 0; i < std::min(work.size(), kMostLinks); ++i)
        go(work[i], linkLabel(trace, work[i]));
    if (work.size() > kMostLinks)
        rows.paragraph(u"and %1 more."_s.arg(work.size() - kMostLinks));
}

void addCollective(DetailsRows& rows, const Trace& trace, EventIndex index, const CollectiveInfo& collective)
{
    rows.add(u"Collective"_s, text(collectiveKindName(collective.kind)));
    rows.add(u"Size"_s, collective.bytes > 0 ? text(formatBytes(collective.bytes)) : u"not recorded"_s);
    if (collective.bytes > 0)
        rows.add(u"Rate"_s, rateText(trace, index, collective.bytes, trace.interval(index).lengthNs()));
    if (collective.group.valid())
        rows.add(u"Group"_s, text(trace.strings().view(collective.group)));
    if (collective.groupSize > 0)
        rows.add(u"Ranks"_s, QString::number(collective.groupSize));
    if (collective.sequence >= 0)
        rows.add(u"Number"_s, QString::number(collective.sequence));
}

// How the call that a copy came from relates to the copy in time.
void addCallTimes(DetailsRows& rows, const Trace& trace, EventIndex index, EventIndex call)
{
    const Interval work = trace.interval(index);
    const Interval host = trace.interval(call);
    rows.add(u"Call time"_s, durationText(host.lengthNs()));
    rows.add(u"Call to start"_s, durationText(work.startNs - host.startNs));
    const std::int64_t earlyNs = work.endNs - host.endNs;
    rows.add(u"Call returned"_s, earlyNs > 0 ? u"%1 before the end"_s.arg(durationText(earlyNs))
                                             : u"%1 after the end"_s.arg(durationText(-earlyNs)));
}

}  // namespace

QString eventDetails(const Trace& trace, const Analysis& analysis, EventIndex index, const DetailsColors& colors)
{
    const Interval interval = trace.interval(index);
    const EventKind kind = trace.kind(index);
    const bool gpuWork = isDeviceWork(kind);
    const QString name = text(trace.name(index));
    DetailsRows rows(name.isEmpty() ? u"(no name)"_s : name, colors);
    rows.add(u"Kind"_s, text(kindName(kind)));
    rows.add(u"Track"_s, trackPath(trace, index));
    rows.add(u"Start"_s, text(formatExactTime(interval.startNs)));
    rows.add(isCopy(kind) ? u"DMA time"_s : u"Duration"_s, text(formatExactTime(interval.lengthNs())));
    if (const std::uint32_t own = trace.color(index); own != 0) {
        const QString hex = u"#%1"_s.arg(own & 0xFFFFFF, 6, 16, QLatin1Char('0'));
        rows.addHtml(
            u"Color"_s,
            u"<span style='background-color:%1'>&nbsp;&nbsp;&nbsp;&nbsp;</span> %1, the program's own"_s.arg(hex));
    }
    if (gpuWork && trace.link(index).valid())
        addCallTimes(rows, trace, index, trace.link(index));
    if (const CopyInfo* copy = trace.copy(index))
        addCopy(rows, trace, analysis, index, *copy);
    if (const CollectiveInfo* collective = trace.collective(index))
        addCollective(rows, trace, index, *collective);
    addLinks(rows, trace, index, gpuWork);
    addCopyReasons(rows, trace, analysis, index);
    addGapBefore(rows, trace, analysis, index, colors);
    if (name.size() > DetailsRows::kLongestHeading)
        rows.paragraphHtml(
            rows.link(u"copyname:%1"_s.arg(index.value()), u"Copy the whole name (%1 characters)"_s.arg(name.size())));
    return rows.html();
}

QString rangeDetails(const Summary& summary, std::int64_t steps, std::int64_t stepNs, const DetailsColors& colors)
{
    DetailsRows rows(u"Selected range"_s, colors);
    rows.add(u"Length"_s, text(formatExactTime(summary.range.lengthNs())));
    rows.add(u"Start"_s, text(formatExactTime(summary.range.startNs)));
    rows.add(u"End"_s, text(formatExactTime(summary.range.endNs)));
    if (steps > 0)
        rows.add(u"Whole steps"_s, u"%1, %2 on average"_s.arg(text(formatCount(steps)), durationText(stepNs)));
    for (const DeviceSummary& device : summary.devices) {
        if (summary.devices.size() > 1)
            rows.paragraphHtml(u"<b>GPU %1</b>"_s.arg(device.id));
        const auto addTime = [&](const QString& name, std::int64_t ns) {
            const double share = device.wallNs > 0 ? static_cast<double>(ns) / static_cast<double>(device.wallNs) : 0;
            rows.add(name, u"%1, %2"_s.arg(durationText(ns), text(formatShare(share))));
        };
        addTime(u"Kernels"_s, device.kernelBusyNs);
        addTime(u"No kernel"_s, device.wallNs - device.kernelBusyNs);
        if (device.h2d > 0)
            rows.add(u"H2D copies"_s,
                     u"%1, %2"_s.arg(text(formatCount(device.h2d)), text(formatBytes(device.h2dBytes))));
        if (device.h2dBusyNs > 0) {
            addTime(u"H2D time"_s, device.h2dBusyNs);
            addTime(u"Exposed copy"_s, device.exposedCopyNs);
        }
        if (device.d2hBusyNs > 0)
            addTime(u"D2H time"_s, device.d2hBusyNs);
    }
    return rows.html();
}

QString traceDetails(const Trace& trace, const QString& title, bool hint, const DetailsColors& colors)
{
    const TraceMetadata& metadata = trace.metadata();
    DetailsRows rows(title.isEmpty() ? text(metadata.title) : title, colors, !hint);
    if (hint)
        rows.muted(
            u"Nothing is selected: click a bar for its details, drag over the ruler or the lanes to "
            "select a range."_s);
    rows.add(u"Format"_s, formatTitle(metadata.format));
    rows.add(u"Events"_s, text(formatCount(static_cast<std::int64_t>(trace.eventCount()))));
    rows.add(u"Length"_s, durationText(trace.span().lengthNs()));
    for (const DeviceInfo& device : trace.devices()) {
        QString what = device.name.empty() ? u"not named"_s : text(device.name);
        if (device.memoryBytes > 0)
            what += u", "_s + text(formatBytes(device.memoryBytes));
        if (device.linkBytesPerSecond > 0)
            what += u", link %1\u00a0GB/s"_s.arg(device.linkBytesPerSecond / 1e9, 0, 'f', 1);
        rows.add(u"GPU %1"_s.arg(device.id), what);
    }
    if (const auto kinds = metadata.properties.find(kRecordedKinds); kinds != metadata.properties.end())
        rows.add(u"Recorded"_s, text(kinds->second).replace(',', u", "_s));
    bool first = true;
    for (const ImportStat& stat : trace.stats().all()) {
        if (first)
            rows.paragraphHtml(u"<b>%1</b>"_s.arg(u"Import notes"_s));
        first = false;
        const QString mark = stat.severity == Severity::Error     ? u"✖ "_s
                             : stat.severity == Severity::Warning ? u"▲ "_s
                                                                  : QString();
        const QString count = stat.count > 0 ? text(formatCount(stat.count)) : QString();
        QString counted = text(countedText(stat)).toHtmlEscaped();
        if (!count.isEmpty() && counted.startsWith(count))
            counted.replace(0, count.size(), u"<b>%1</b>"_s.arg(count));
        rows.paragraphHtml(mark + counted);
    }
    if (first && !trace.origin().isSimulated)
        rows.paragraph(u"Every event of the file is drawn."_s);
    return rows.html();
}

}  // namespace overlane
