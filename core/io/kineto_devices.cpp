#include "core/io/kineto_devices.h"

#include <simdjson.h>

namespace overlane
{

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
    simdjson::dom::parser parser;
    simdjson::dom::element info;
    std::int64_t rank = -1;
    std::int64_t ranks = 0;
    if (parser.parse(json.data(), json.size()).get(info) != simdjson::SUCCESS ||
        info["rank"].get(rank) != simdjson::SUCCESS || rank < 0)
        return {};
    if (info["world_size"].get(ranks) != simdjson::SUCCESS || ranks < 1)
        return "rank " + std::to_string(rank);
    return ranks == 1 ? std::string() : "rank " + std::to_string(rank) + " of " + std::to_string(ranks);
}

}  // namespace overlane
