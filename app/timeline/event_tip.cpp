#include "app/timeline/event_tip.h"

#include "core/base/units.h"

namespace overlane
{

namespace
{

QString text(std::string_view value)
{
    return QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size())).toHtmlEscaped();
}

QString line(const QString& name, const QString& value)
{
    return QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2</td></tr>").arg(name, value);
}

}  // namespace

QString eventTip(const Trace& trace, EventIndex index)
{
    const Event event = trace.event(index);
    QString html = QStringLiteral("<b>%1</b><br>%2<table>").arg(text(trace.name(index)), text(kindName(event.kind)));
    html += line(QStringLiteral("duration"), text(formatDuration(event.durationNs)));
    html += line(QStringLiteral("start"), text(formatDuration(event.startNs)));
    if (event.copy) {
        if (event.copy->bytes > 0) {
            html += line(QStringLiteral("size"), text(formatBytes(event.copy->bytes)));
            html += line(QStringLiteral("rate"), text(formatRate(event.copy->bytes, event.durationNs)));
        }
        html += line(QStringLiteral("memory"), text(memoryKindName(event.copy->source)) + QStringLiteral(" \u2192 ") +
                                                   text(memoryKindName(event.copy->destination)));
        if (event.copy->async != AsyncFlag::Unknown)
            html += line(QStringLiteral("call"), event.copy->async == AsyncFlag::Async ? QStringLiteral("asynchronous")
                                                                                       : QStringLiteral("synchronous"));
    }
    if (const EventIndex call = trace.link(index); call.valid()) {
        const bool isCall = event.kind == EventKind::RuntimeCall || event.kind == EventKind::HostBlocked;
        html += line(isCall ? QStringLiteral("starts") : QStringLiteral("called by"), text(trace.name(call)));
        html += line(isCall ? QStringLiteral("GPU time") : QStringLiteral("call took"),
                     text(formatDuration(trace.interval(call).lengthNs())));
    }
    if (isCopy(event.kind))
        if (const EventIndex call = trace.link(index); call.valid()) {
            const std::int64_t earlyNs = trace.interval(index).endNs - trace.interval(call).endNs;
            html += line(QStringLiteral("call returned"),
                         earlyNs > 0 ? text(formatDuration(earlyNs)) + QStringLiteral(" before the copy ended")
                                     : QStringLiteral("after the copy had ended"));
        }
    return html + QStringLiteral("</table>");
}

}  // namespace overlane
