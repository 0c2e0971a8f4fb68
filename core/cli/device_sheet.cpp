#include "core/cli/device_sheet.h"

#include <fmt/format.h>

#include "core/content/terminal.h"
#include "core/devices/embedded_device_profiles.h"

namespace overlane
{
namespace
{

constexpr std::string_view kSheetIndent = "      ";

std::string tableText(const OrderedJson& rows)
{
    std::string text;
    for (const OrderedJson& row : rows)
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", row.at(0).dump(), row.at(1).dump());
    return text;
}

}  // namespace

OrderedJson deviceSheetJson(const DeviceProfile& device)
{
    for (const std::string_view text : embeddedDeviceProfiles()) {
        OrderedJson json = OrderedJson::parse(text);
        if (json.at("key") == device.key)
            return json;
    }
    return OrderedJson::parse(deviceProfileText(device));
}

std::string deviceSheet(const DeviceProfile& device)
{
    const OrderedJson json = deviceSheetJson(device);
    std::string text = fmt::format("{}: {}\n", device.key, device.name) + wrapText(device.about, "") + "\n";
    for (const auto& [key, figure] : json.at("figures").items())
        text += fmt::format("  {} = {}\n", key, figure.at("value").dump()) +
                wrapText(figure.at("source").get<std::string>(), kSheetIndent);
    for (const auto& [key, table] : json.at("tables").items())
        text += fmt::format("  {}, by bytes\n", key) + wrapText(tableText(table.at("rows")), kSheetIndent) +
                wrapText(table.at("source").get<std::string>(), kSheetIndent);
    return text;
}

}  // namespace overlane
