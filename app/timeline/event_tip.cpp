#include "app/timeline/event_tip.h"

#include "app/widgets/text.h"
#include "core/base/exact_time.h"
#include "core/base/units.h"

namespace overlane
{

namespace
{

QString escaped(std::string_view value)
{
    return QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size())).toHtmlEscaped();
}

QString line(const QString& name, const QString& value)
{
    return u"<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2</td></tr>"_s.arg(name, value);
}

}  // namespace

QString eventTip(const Trace& trace, EventIndex index)
{
    const Event event = trace.event(index);
    QString html = u"<b>%1</b><br>%2<table>"_s.arg(escaped(trace.name(index)), escaped(kindName(event.kind)));
    html += line(u"duration"_s, escaped(formatExactTime(event.durationNs)));
    html += line(u"start"_s, escaped(formatExactTime(event.startNs)));
    if (event.copy) {
        if (event.copy->bytes > 0) {
            html += line(u"size"_s, escaped(formatBytes(event.copy->bytes)));
            html += line(u"rate"_s, escaped(formatRate(event.copy->bytes, event.durationNs)));
        }
        html += line(u"memory"_s, escaped(memoryKindName(event.copy->source)) + u" \u2192 "_s +
                                      escaped(memoryKindName(event.copy->destination)));
        if (event.copy->async != AsyncFlag::Unknown)
            html += line(u"call"_s, event.copy->async == AsyncFlag::Async ? u"asynchronous"_s : u"synchronous"_s);
    }
    if (const EventIndex call = trace.link(index); call.valid()) {
        const bool isCall = event.kind == EventKind::RuntimeCall || event.kind == EventKind::HostBlocked;
        html += line(isCall ? u"starts"_s : u"called by"_s, escaped(trace.name(call)));
        html += line(isCall ? u"GPU time"_s : u"call took"_s, escaped(formatDuration(trace.interval(call).lengthNs())));
    }
    if (isCopy(event.kind))
        if (const EventIndex call = trace.link(index); call.valid()) {
            const std::int64_t earlyNs = trace.interval(index).endNs - trace.interval(call).endNs;
            html +=
                line(u"call returned"_s, earlyNs > 0 ? escaped(formatDuration(earlyNs)) + u" before the copy ended"_s
                                                     : u"after the copy had ended"_s);
        }
    return html + u"</table>"_s;
}

}  // namespace overlane
