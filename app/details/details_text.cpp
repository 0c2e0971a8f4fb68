#include "app/details/details_text.h"

#include <algorithm>
#include <vector>

#include <QObject>

#include "app/details/details_rows.h"
#include "app/details/why_details.h"
#include "app/widgets/text.h"
#include "core/analysis/role_shares.h"
#include "core/io/format.h"

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
        path = path.isEmpty() ? text(trace.track(id).name) : text(trace.track(id).name) + QStringLiteral(" › ") + path;
    return path;
}

QString rateText(const Trace& trace, EventIndex index, std::int64_t bytes, std::int64_t ns)
{
    QString rate = text(formatRate(bytes, ns));
    const DeviceInfo* device = deviceOf(trace, index);
    if (device != nullptr && device->linkBytesPerSecond > 0 && ns > 0)
        rate += QObject::tr(" (%1 of the link)")
                    .arg(text(formatShare(static_cast<double>(bytes) / (static_cast<double>(ns) * 1e-9) /
                                          device->linkBytesPerSecond)));
    return rate;
}

QString asyncText(AsyncFlag flag)
{
    switch (flag) {
        case AsyncFlag::Async:
            return QObject::tr("asynchronous");
        case AsyncFlag::Sync:
            return QObject::tr("waits for the copy");
        case AsyncFlag::Unknown:
            break;
    }
    return QObject::tr("not recorded");
}

void addCopy(DetailsRows& rows, const Trace& trace, const Analysis& analysis, EventIndex index, const CopyInfo& copy)
{
    const Interval interval = trace.interval(index);
    rows.add(QObject::tr("Size"), copy.bytes > 0 ? text(formatBytes(copy.bytes)) : QObject::tr("not recorded"));
    if (copy.bytes > 0)
        rows.add(QObject::tr("Rate"), rateText(trace, index, copy.bytes, interval.lengthNs()));
    rows.add(QObject::tr("Memory"), text(memoryKindName(copy.source)) + QStringLiteral("\u00a0→\u00a0") +
                                        text(memoryKindName(copy.destination)));
    rows.add(QObject::tr("Call"), asyncText(copy.async));
    const CopyRecord* record = analysis.copyRecord(index);
    const CopyRole role = roleOf(trace, analysis, index);
    rows.add(
        QObject::tr("Carries"),
        record != nullptr && role != CopyRole::Unknown
            ? QObject::tr("%1 (sure to %2)").arg(text(copyRoleName(role)), text(formatShare(record->roleConfidence)))
            : text(copyRoleName(role)));
    if (record == nullptr)
        return;
    const double hidden =
        record->durationNs > 0 ? static_cast<double>(record->hiddenNs) / static_cast<double>(record->durationNs) : 0;
    rows.add(QObject::tr("Hidden"), text(formatShare(hidden)));
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
    const QString what = isCopy(trace.kind(work)) ? QObject::tr("Go to the copy") : QObject::tr("Go to the GPU work");
    return QObject::tr("%1 (%2)").arg(what, durationText(trace.interval(work).lengthNs()));
}

// From GPU work to its call and its neighbours of the same call; from a call to its work.
void addLinks(DetailsRows& rows, const Trace& trace, EventIndex index, bool gpuWork)
{
    const auto go = [&](EventIndex to, const QString& label) {
        rows.paragraphHtml(rows.link(QStringLiteral("event:%1").arg(to.value()), label));
    };
    const EventIndex linked = trace.link(index);
    if (gpuWork) {
        if (linked.valid())
            go(linked, QObject::tr("Go to the call"));
        return;
    }
    const std::vector<EventIndex> work = trace.linkedWork(index);
    if (work.size() > 1)
        rows.paragraph(QObject::tr("This call started %1 pieces of GPU work:").arg(work.size()));
    for (std::size_t i = 0; i < std::min(work.size(), kMostLinks); ++i)
        go(work[i], linkLabel(trace, work[i]));
    if (work.size() > kMostLinks)
        rows.paragraph(QObject::tr("and %1 more.").arg(work.size() - kMostLinks));
}

// How the call that a copy came from relates to the copy in time.
void addCallTimes(DetailsRows& rows, const Trace& trace, EventIndex index, EventIndex call)
{
    const Interval work = trace.interval(index);
    const Interval host = trace.interval(call);
    rows.add(QObject::tr("Call time"), durationText(host.lengthNs()));
    rows.add(QObject::tr("Call to start"), durationText(work.startNs - host.startNs));
    const std::int64_t earlyNs = work.endNs - host.endNs;
    rows.add(QObject::tr("Call returned"), earlyNs > 0 ? QObject::tr("%1 before the end").arg(durationText(earlyNs))
                                                       : QObject::tr("%1 after the end").arg(durationText(-earlyNs)));
}

}  // namespace

QString eventDetails(const Trace& trace, const Analysis& analysis, EventIndex index, const DetailsColours& colours)
{
    const Interval interval = trace.interval(index);
    const EventKind kind = trace.kind(index);
    const bool gpuWork = isDeviceWork(kind);
    const QString name = text(trace.name(index));
    DetailsRows rows(name.isEmpty() ? QObject::tr("(no name)") : name, colours);
    rows.add(QObject::tr("Kind"), text(kindName(kind)));
    rows.add(QObject::tr("Track"), trackPath(trace, index));
    rows.add(QObject::tr("Start"), durationText(interval.startNs));
    rows.add(isCopy(kind) ? QObject::tr("DMA time") : QObject::tr("Duration"), durationText(interval.lengthNs()));
    if (const std::uint32_t own = trace.colour(index); own != 0) {
        const QString hex = QStringLiteral("#%1").arg(own & 0xFFFFFF, 6, 16, QLatin1Char('0'));
        rows.addHtml(
            QObject::tr("Colour"),
            QObject::tr("<span style='background-color:%1'>&nbsp;&nbsp;&nbsp;&nbsp;</span> %1, the program's own")
                .arg(hex));
    }
    if (gpuWork && trace.link(index).valid())
        addCallTimes(rows, trace, index, trace.link(index));
    if (const CopyInfo* copy = trace.copy(index))
        addCopy(rows, trace, analysis, index, *copy);
    addLinks(rows, trace, index, gpuWork);
    addCopyReasons(rows, trace, analysis, index);
    addGapBefore(rows, trace, analysis, index, colours);
    if (name.size() > DetailsRows::kLongestHeading)
        rows.paragraphHtml(rows.link(QStringLiteral("copyname:%1").arg(index.value()),
                                     QObject::tr("Copy the whole name (%1 characters)").arg(name.size())));
    return rows.html();
}

QString traceDetails(const Trace& trace, const QString& title, const DetailsColours& colours)
{
    const TraceMetadata& metadata = trace.metadata();
    DetailsRows rows(title.isEmpty() ? text(metadata.title) : title, colours);
    rows.muted(
        QObject::tr("Nothing is selected: click a bar for its details, drag over the ruler or the lanes to "
                    "select a range."));
    rows.add(QObject::tr("Format"), formatTitle(metadata.format));
    rows.add(QObject::tr("Events"), text(formatCount(static_cast<std::int64_t>(trace.eventCount()))));
    rows.add(QObject::tr("Length"), durationText(trace.span().lengthNs()));
    for (const DeviceInfo& device : trace.devices()) {
        QString what = device.name.empty() ? QObject::tr("not named") : text(device.name);
        if (device.memoryBytes > 0)
            what += QStringLiteral(", ") + text(formatBytes(device.memoryBytes));
        if (device.linkBytesPerSecond > 0)
            what += QObject::tr(", link %1\u00a0GB/s").arg(device.linkBytesPerSecond / 1e9, 0, 'f', 1);
        rows.add(QObject::tr("GPU %1").arg(device.id), what);
    }
    if (const auto kinds = metadata.properties.find(kRecordedKinds); kinds != metadata.properties.end())
        rows.add(QObject::tr("Recorded"), text(kinds->second).replace(',', QStringLiteral(", ")));
    bool first = true;
    for (const ImportStat& stat : trace.stats().all()) {
        if (first)
            rows.paragraphHtml(QStringLiteral("<b>%1</b>").arg(QObject::tr("Not shown as it stands")));
        first = false;
        const QString mark = stat.severity == Severity::Error     ? QStringLiteral("✖ ")
                             : stat.severity == Severity::Warning ? QStringLiteral("▲ ")
                                                                  : QString();
        const QString count =
            stat.count > 0 ? QStringLiteral("<b>%1</b> ").arg(text(formatCount(stat.count))) : QString();
        rows.paragraphHtml(mark + count + text(stat.explanation).toHtmlEscaped());
    }
    if (first && !trace.origin().isSimulated)
        rows.paragraph(QObject::tr("Every event of the file is on a track."));
    return rows.html();
}

}  // namespace overlane
