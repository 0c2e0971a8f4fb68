#include "core/io/kineto_devices.h"

#include <optional>
#include <simdjson.h>

#include "core/trace/rank_properties.h"

namespace overlane
{
namespace
{

struct ParsedRank {
    std::int64_t rank = 0;
    std::int64_t ranks = 0;  // 0 = unknown
};

std::optional<ParsedRank> parsedRank(std::string_view json)
{
    simdjson::dom::parser parser;
    simdjson::dom::element info;
    ParsedRank parsed;
    if (parser.parse(json.data(), json.size()).get(info) != simdjson::SUCCESS ||
        info["rank"].get(parsed.rank) != simdjson::SUCCESS || !rankNumber(std::to_string(parsed.rank)))
        return {};
    if (info["world_size"].get(parsed.ranks) != simdjson::SUCCESS || !rankNumber(std::to_string(parsed.ranks)))
        parsed.ranks = 0;
    return parsed;
}

}  // namespace

std::vector<DeviceInfo> parseDeviceProperties(std::string_view json)
{
    std::vector<DeviceInfo> devices;
    simdjson::dom::parser parser;
    simdjson::dom::array list;
    if (parser.parse(json.data(), json.size()).get_array().get(list) != simdjson::SUCCESS)
        return devices;
    for (const simdjson::dom::element element : list) {
        std::int64_t id = -1;
        if (element["id"].get(id) != simdjson::SUCCESS || id < 0 || id > 0x7FFF)
            continue;
        DeviceInfo device;
        device.id = static_cast<std::int32_t>(id);
        std::string_view name;
        if (element["name"].get(name) == simdjson::SUCCESS)
            device.name = name;
        std::int64_t bytes = 0;
        if (element["totalGlobalMem"].get(bytes) == simdjson::SUCCESS && bytes > 0)
            device.memoryBytes = bytes;
        double rate = 0;
        if (element["linkBytesPerSecond"].get(rate) == simdjson::SUCCESS && rate > 0)
            device.linkBytesPerSecond = rate;
        devices.push_back(std::move(device));
    }
    return devices;
}

std::string parseRank(std::string_view json)
{
    const std::optional<ParsedRank> parsed = parsedRank(json);
    if (!parsed || parsed->ranks == 1)
        return {};
    const std::string rank = "rank " + std::to_string(parsed->rank);
    return parsed->ranks == 0 ? rank : rank + " of " + std::to_string(parsed->ranks);
}

void addParsedRank(std::map<std::string, std::string>& properties, std::string_view json)
{
    const std::optional<ParsedRank> parsed = parsedRank(json);
    if (!parsed)
        return;
    properties[kRankProperty] = std::to_string(parsed->rank);
    if (parsed->ranks > 0)
        properties[kWorldSizeProperty] = std::to_string(parsed->ranks);
}

}  // namespace overlane
