#include "core/system/processor_facts.h"

#include <charconv>
#include <fstream>

#include "core/system/usable_processors.h"

namespace overlane
{
namespace
{

constexpr int kMostCacheIndices = 8;

std::string nameOf(const std::string& cpuinfo)
{
    std::ifstream file(cpuinfo);
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (const std::size_t colon = line.find(": "); colon != std::string::npos)
                return line.substr(colon + 2);
    return {};
}

std::int64_t lastLevelCache(const std::string& system)
{
    int highest = 0;
    std::int64_t bytes = 0;
    for (int index = 0; index < kMostCacheIndices; ++index) {
        const std::string folder = system + "/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
        int level = 0;
        std::string size;
        if (!(std::ifstream(folder + "level") >> level) || !(std::ifstream(folder + "size") >> size))
            continue;
        if (level > highest) {
            highest = level;
            bytes = parseCacheSize(size);
        }
    }
    return bytes;
}

}  // namespace

std::int64_t parseCacheSize(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0 || value > (std::int64_t{1} << 30))
        return 0;
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    if (unit == "K")
        return value << 10;
    if (unit == "M")
        return value << 20;
    return unit == "G" ? value << 30 : unit.empty() ? value : 0;
}

ProcessorFacts processorFacts(const std::string& system, const std::string& proc)
{
    return {nameOf(proc + "/cpuinfo"), usableProcessors(), lastLevelCache(system)};
}

}  // namespace overlane
