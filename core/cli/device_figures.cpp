#include "core/cli/device_figures.h"

#include <fmt/format.h>
#include <string_view>
#include <variant>

#include "core/base/units.h"
#include "core/content/terminal.h"

namespace overlane
{
namespace
{

enum class Unit : std::uint8_t { Duration, Share, Ratio };

struct SummaryFigure {
    std::string_view key;
    std::string_view label;
    std::variant<std::int64_t DeviceSummary::*, double DeviceSummary::*> member;
    Unit unit = Unit::Duration;
};

constexpr SummaryFigure kFigures[] = {
    {"kernel_busy_ns", "kernels busy", &DeviceSummary::kernelBusyNs},
    {"h2d_busy_ns", "copies to the device", &DeviceSummary::h2dBusyNs},
    {"h2d_hidden_ns", "  of them hidden", &DeviceSummary::h2dHiddenNs},
    {"exposed_copy_ns", "  exposed", &DeviceSummary::exposedCopyNs},
    {"overlap_share", "  hidden share", &DeviceSummary::overlapShare, Unit::Share},
    {"d2h_busy_ns", "copies back", &DeviceSummary::d2hBusyNs},
    {"d2h_hidden_ns", "  of them hidden", &DeviceSummary::d2hHiddenNs},
    {"communication_busy_ns", "between GPUs", &DeviceSummary::communicationBusyNs},
    {"communication_hidden_ns", "  of it hidden", &DeviceSummary::communicationHiddenNs},
    {"exposed_communication_ns", "  exposed", &DeviceSummary::exposedCommunicationNs},
    {"device_idle_ns", "GPU idle", &DeviceSummary::idleNs},
    {"ideal_ns", "ideal, all else hidden", &DeviceSummary::idealNs},
    {"distance", "distance, wall / ideal", &DeviceSummary::distance, Unit::Ratio},
};

std::string figureText(const SummaryFigure& figure, const DeviceSummary& device)
{
    if (const auto* time = std::get_if<std::int64_t DeviceSummary::*>(&figure.member))
        return formatDuration(device.*(*time));
    const double value = device.*std::get<double DeviceSummary::*>(figure.member);
    if (figure.unit == Unit::Share)
        return device.h2dBusyNs > 0 ? formatShare(value) : "-";
    return value > 0 ? fmt::format("{:.2f}", value) : "-";
}

}  // namespace

void addDeviceFigures(OrderedJson& json, const DeviceSummary& device)
{
    for (const SummaryFigure& figure : kFigures)
        std::visit([&](auto member) { json[std::string(figure.key)] = device.*member; }, figure.member);
}

std::vector<TextRow> deviceFigureRows(const DeviceSummary& device)
{
    std::vector<TextRow> rows;
    for (const SummaryFigure& figure : kFigures)
        if (device.communicationBusyNs > 0 || figure.key.find("communication") == std::string_view::npos)
            rows.emplace_back(figure.label, figureText(figure, device));
    return rows;
}

}  // namespace overlane
