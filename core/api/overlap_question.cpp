// Overlap by its definition in core/analysis/summary.h: of the time that copies of one kind take on a device (a union,
// so that two at once count once), the part under kernels of that device. By role, cause or memory the times are sums
// over copies that start in the range.
#include <array>
#include <fmt/format.h>
#include <map>

#include "core/analysis/copy_cause.h"
#include "core/analysis/copy_role.h"
#include "core/api/question.h"
#include "core/cli/nearest_name.h"

namespace overlane
{
namespace
{

enum class OverlapKind : std::uint8_t { ToDevice, ToHost, Communication };
enum class OverlapBy : std::uint8_t { All, Device, Iteration, Role, Cause, Memory };

constexpr std::array<std::string_view, 3> kOverlapKinds{"h2d", "d2h", "communication"};
constexpr std::array<std::string_view, 6> kOverlapBys{"", "device", "iteration", "role", "cause", "memory"};

struct OverlapRow {
    std::int64_t copies = 0;
    std::int64_t bytes = 0;
    std::int64_t busyNs = 0;
    std::int64_t hiddenNs = 0;

    OverlapRow& operator+=(const OverlapRow& other)
    {
        copies += other.copies;
        bytes += other.bytes;
        busyNs += other.busyNs;
        hiddenNs += other.hiddenNs;
        return *this;
    }
};

OverlapRow rowOf(const DeviceSummary& device, OverlapKind kind)
{
    switch (kind) {
        case OverlapKind::ToDevice:
            return {device.h2d, device.h2dBytes, device.h2dBusyNs, device.h2dHiddenNs};
        case OverlapKind::ToHost:
            return {device.d2h, device.d2hBytes, device.d2hBusyNs, device.d2hHiddenNs};
        case OverlapKind::Communication:
            break;
    }
    return {device.communications, 0, device.communicationBusyNs, device.communicationHiddenNs};
}

OverlapRow sumOf(const Summary& summary, OverlapKind kind)
{
    OverlapRow sum;
    for (const DeviceSummary& device : summary.devices)
        sum += rowOf(device, kind);
    return sum;
}

OrderedJson rowJson(OrderedJson key, const OverlapRow& row)
{
    return {{"key", std::move(key)},
            {"copies", row.copies},
            {"bytes", row.bytes},
            {"busy_ns", row.busyNs},
            {"hidden_ns", row.hiddenNs},
            {"exposed_ns", row.busyNs - row.hiddenNs},
            {"share", row.busyNs > 0 ? OrderedJson(static_cast<double>(row.hiddenNs) / static_cast<double>(row.busyNs))
                                     : OrderedJson()}};
}

std::string_view groupOf(const CopyRecord& copy, OverlapBy by)
{
    if (by == OverlapBy::Role)
        return copyRoleId(copy.role);
    return by == OverlapBy::Cause ? rowOf(copy.cause).id : memoryKindName(copy.hostMemory);
}

OrderedJson rowsByCopy(const Analysis& analysis, Interval range, OverlapKind kind, OverlapBy by)
{
    std::map<std::string_view, OverlapRow> sums;
    for (const DeviceActivity& device : analysis.devices()) {
        const auto& copies = kind == OverlapKind::ToDevice ? device.h2dCopies : device.d2hCopies;
        const auto [first, last] = analysis.startingIn(copies, range);
        for (std::size_t at = first; at < last; ++at)
            sums[groupOf(copies[at], by)] += {1, copies[at].bytes, copies[at].durationNs, copies[at].hiddenNs};
    }
    OrderedJson rows = OrderedJson::array();
    for (const auto& [key, row] : sums)
        rows.push_back(rowJson(key, row));
    return rows;
}

// The place of a name in a list.
template <typename Names>
Result<std::size_t> placeOf(std::string_view what, const std::string& name, const Names& names)
{
    for (std::size_t at = 0; at < names.size(); ++at)
        if (names[at] == name)
            return at;
    std::vector<std::string_view> known;
    for (const std::string_view each : names)
        if (!each.empty())
            known.push_back(each);
    return Error{unknownName(what, name, known)};
}

}  // namespace

Result<OrderedJson> answerOverlap(Asked& asked)
{
    const std::string iteration = asked.arguments.text("iteration");
    const std::string steps = asked.arguments.steps("steps");
    const bool whole = asked.arguments.flag("whole");
    const std::optional<Interval> chosen = asked.arguments.range("range");
    ASSIGN_OR_RETURN(const std::size_t kindPlace,
                     placeOf("kind of copy", asked.arguments.text("kind", kOverlapKinds[0]), kOverlapKinds));
    ASSIGN_OR_RETURN(const std::size_t byPlace, placeOf("grouping", asked.arguments.text("by"), kOverlapBys));
    const auto kind = static_cast<OverlapKind>(kindPlace);
    const auto by = static_cast<OverlapBy>(byPlace);
    if (kind == OverlapKind::Communication && by >= OverlapBy::Role)
        return Error{fmt::format("Communication has no {}; group it by device or iteration.", kOverlapBys[byPlace])};
    if (int{whole} + int{!steps.empty()} + int{chosen.has_value()} > 1)
        return Error{"The whole trace, some of its steps and a range exclude each other; give one of them."};
    RETURN_IF_ERROR(asked.understood());
    ASSIGN_OR_RETURN(const auto judged, asked.trace->judged({iteration, steps, chosen}, asked.progress));
    const Interval range = whole ? judged->trace.span() : judged->judgement.range;
    const Summary summary = whole ? judged->analysis.summarize() : judged->judgement.summary;
    OrderedJson json{{"kind", kOverlapKinds[kindPlace]}, {"range_ns", {range.startNs, range.endNs}}};
    json["all"] = rowJson(OrderedJson(), sumOf(summary, kind));
    OrderedJson& rows = json["rows"] = OrderedJson::array();
    if (by == OverlapBy::Device) {
        for (const DeviceSummary& device : summary.devices)
            rows.push_back(rowJson(device.id, rowOf(device, kind)));
    } else if (by == OverlapBy::Iteration) {
        for (const Step& step : stepsWithin(judged->steps.steps, range)) {
            if (asked.progress.cancelled())
                return Error::cancelled();
            const Interval interval{step.interval.startNs, step.interval.startNs + step.timeNs};
            rows.push_back(rowJson(step.number, sumOf(judged->analysis.summarize(interval), kind)));
        }
    } else if (by != OverlapBy::All) {
        rows = rowsByCopy(judged->analysis, range, kind, by);
    }
    return json;
}

}  // namespace overlane
