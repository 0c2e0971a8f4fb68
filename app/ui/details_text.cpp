#include "app/ui/details_text.h"

#include <QObject>

#include "app/ui/text.h"

namespace overlane
{

namespace
{

class Rows
{
public:
    Rows(const QString& heading, const QColor& muted) : m_muted(muted.name())
    {
        m_html = QStringLiteral("<p style='margin:0 0 4px 0'><b>%1</b></p>").arg(heading.toHtmlEscaped());
    }
    void add(const QString& name, const QString& value) { addHtml(name, value.toHtmlEscaped()); }
    void addHtml(const QString& name, const QString& value)
    {
        m_table += QStringLiteral("<tr><td style='color:%1; padding-right:10px'>%2</td><td>%3</td></tr>")
                       .arg(m_muted, name.toHtmlEscaped(), value);
    }
    void paragraph(const QString& text) { paragraphHtml(text.toHtmlEscaped()); }
    void paragraphHtml(const QString& html)
    {
        flush();
        m_html += QStringLiteral("<p style='margin:6px 0 0 0'>%1</p>").arg(html);
    }
    QString html()
    {
        flush();
        return m_html;
    }

private:
    void flush()
    {
        if (!m_table.isEmpty())
            m_html += QStringLiteral("<table cellspacing='0' cellpadding='1'>%1</table>").arg(m_table);
        m_table.clear();
    }
    QString m_muted;
    QString m_html;
    QString m_table;
};

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

void addCopy(Rows& rows, const Trace& trace, const Analysis& analysis, EventIndex index, const CopyInfo& copy)
{
    const Interval interval = trace.interval(index);
    rows.add(QObject::tr("Size"), copy.bytes > 0 ? text(formatBytes(copy.bytes)) : QObject::tr("not recorded"));
    if (copy.bytes > 0)
        rows.add(QObject::tr("Rate"), rateText(trace, index, copy.bytes, interval.lengthNs()));
    rows.add(QObject::tr("Memory"),
             text(memoryKindName(copy.source)) + QStringLiteral(" → ") + text(memoryKindName(copy.destination)));
    rows.add(QObject::tr("Call"), asyncText(copy.async));
    const CopyRecord* record = analysis.copyRecord(index);
    if (record == nullptr)
        return;
    const double hidden =
        record->durationNs > 0 ? static_cast<double>(record->hiddenNs) / static_cast<double>(record->durationNs) : 0;
    rows.add(QObject::tr("Hidden"), text(formatShare(hidden)));
    rows.paragraphHtml(QStringLiteral("<b>%1</b> %2 %3")
                           .arg(QObject::tr("Why:"), text(causeSentence(record->cause)).toHtmlEscaped(),
                                text(causeAdvice(record->cause)).toHtmlEscaped()));
}

bool isGpuWork(EventKind kind)
{
    return isCopy(kind) || kind == EventKind::Kernel || kind == EventKind::Memset;
}

}  // namespace

QString eventDetails(const Trace& trace, const Analysis& analysis, EventIndex index, const QColor& muted)
{
    const Interval interval = trace.interval(index);
    const EventKind kind = trace.kind(index);
    Rows rows(text(trace.name(index)), muted);
    rows.add(QObject::tr("Kind"), text(kindName(kind)));
    rows.add(QObject::tr("Track"), trackPath(trace, index));
    rows.add(QObject::tr("Start"), durationText(interval.startNs));
    const EventIndex linked = trace.link(index);
    const bool gpuWork = isGpuWork(kind);
    if (linked.valid() && gpuWork)
        rows.add(QObject::tr("Call time"), durationText(trace.interval(linked).lengthNs()));
    rows.add(isCopy(kind) ? QObject::tr("DMA time") : QObject::tr("Duration"), durationText(interval.lengthNs()));
    if (linked.valid() && gpuWork) {
        const std::int64_t lagNs = interval.startNs - trace.interval(linked).startNs;
        rows.add(QObject::tr("Call to start"), durationText(lagNs));
    }
    if (const CopyInfo* copy = trace.copy(index))
        addCopy(rows, trace, analysis, index, *copy);
    if (linked.valid())
        rows.paragraphHtml(QStringLiteral("<a href='event:%1'>%2</a>")
                               .arg(linked.value())
                               .arg(gpuWork                      ? QObject::tr("Go to the call")
                                    : isCopy(trace.kind(linked)) ? QObject::tr("Go to the copy")
                                                                 : QObject::tr("Go to the GPU work")));
    const std::size_t work = gpuWork ? 0 : trace.linkedWork(index).size();
    if (work > 1)
        rows.paragraph(QObject::tr("This call started %1 pieces of GPU work.").arg(work));
    return rows.html();
}

QString traceDetails(const Trace& trace, const QString& title, const QColor& muted)
{
    const TraceMetadata& metadata = trace.metadata();
    Rows rows(title.isEmpty() ? text(metadata.title) : title, muted);
    rows.add(QObject::tr("Format"), text(metadata.format));
    rows.add(QObject::tr("Events"), text(formatCount(static_cast<std::int64_t>(trace.eventCount()))));
    rows.add(QObject::tr("Length"), durationText(trace.span().lengthNs()));
    for (const DeviceInfo& device : trace.devices()) {
        QString what = device.name.empty() ? QObject::tr("not named") : text(device.name);
        if (device.memoryBytes > 0)
            what += QStringLiteral(", ") + text(formatBytes(device.memoryBytes));
        if (device.linkBytesPerSecond > 0)
            what += QObject::tr(", link %1 GB/s").arg(device.linkBytesPerSecond / 1e9, 0, 'f', 1);
        rows.add(QObject::tr("GPU %1").arg(device.id), what);
    }
    bool first = true;
    for (const ImportStat& stat : trace.stats().all()) {
        if (first)
            rows.paragraphHtml(QStringLiteral("<b>%1</b>").arg(QObject::tr("Not shown as it stands")));
        first = false;
        const QString mark = stat.severity == Severity::Error     ? QStringLiteral("✖ ")
                             : stat.severity == Severity::Warning ? QStringLiteral("▲ ")
                                                                  : QString();
        rows.paragraphHtml(QStringLiteral("%1<b>%2</b> %3")
                               .arg(mark, text(formatCount(stat.count)), text(stat.explanation).toHtmlEscaped()));
    }
    if (first && metadata.format != "simulated")
        rows.paragraph(QObject::tr("Every event of the file is on a track."));
    rows.paragraphHtml(QStringLiteral("<span style='color:%1'>%2</span>")
                           .arg(muted.name(), QObject::tr("Click an event for its details; drag over the ruler or the "
                                                          "lanes to select a range.")));
    return rows.html();
}

}  // namespace overlane
