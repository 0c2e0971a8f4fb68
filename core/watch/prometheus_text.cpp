#include "core/watch/prometheus_text.h"

#include <cmath>
#include <fmt/format.h>

namespace overlane
{
namespace
{

std::string_view unitName(MetricUnit unit)
{
    switch (unit) {
        case MetricUnit::Seconds:
            return "seconds";
        case MetricUnit::Bytes:
            return "bytes";
        case MetricUnit::Ratio:
            return "ratio";
        case MetricUnit::None:
            break;
    }
    return {};
}

// Backslash, quote and line feed are escaped; bytes that are no UTF-8 would make the whole file unreadable.
std::string labelValue(std::string_view value)
{
    std::string text;
    for (std::size_t at = 0; at < value.size(); ++at) {
        const auto byte = static_cast<unsigned char>(value[at]);
        const std::size_t length = byte < 0x80 ? 1 : byte >= 0xF0 && byte < 0xF5 ? 4 : byte >= 0xE0 ? 3 : 2;
        bool valid = byte < 0x80 || (byte >= 0xC2 && byte < 0xF5 && at + length <= value.size());
        for (std::size_t next = 1; valid && next < length; ++next)
            valid = (static_cast<unsigned char>(value[at + next]) & 0xC0) == 0x80;
        if (!valid || (byte < 0x20 && byte != '\n'))
            text += '?';
        else if (byte == '\n')
            text += "\\n";
        else if (byte == '"' || byte == '\\')
            (text += '\\') += value[at];
        else
            text += value.substr(at, length);
        at += valid ? length - 1 : 0;
    }
    return text;
}

std::string labelText(const MetricLabels& program, const MetricLabels& own)
{
    std::string text;
    for (const MetricLabels* labels : {&program, &own})
        for (const auto& [name, value] : *labels)
            text += fmt::format("{}{}=\"{}\"", text.empty() ? "" : ",", name, labelValue(value));
    return text.empty() ? text : "{" + text + "}";
}

}  // namespace

std::string prometheusText(std::span<const Metric> metrics, const MetricLabels& labels)
{
    std::string text;
    for (const Metric& metric : metrics) {
        text += fmt::format("# HELP {} {}\n# TYPE {} gauge\n", metric.name, metric.help, metric.name);
        if (const std::string_view unit = unitName(metric.unit); !unit.empty())
            text += fmt::format("# UNIT {} {}\n", metric.name, unit);
        for (const MetricSample& sample : metric.samples)
            text += fmt::format("{}{} {:.12g}\n", metric.name, labelText(labels, sample.labels),
                                std::isfinite(sample.value) ? sample.value : 0);
    }
    return text + "# EOF\n";
}

}  // namespace overlane
