#include "core/report/bar_paths.h"

#include <fmt/format.h>

#include "core/content/markup.h"

namespace overlane
{

std::string barClass(EventKind kind, MemorySet memory, std::uint8_t level)
{
    const int number = static_cast<int>(kind);
    std::string look = fmt::format("k{}", number);
    if (isCopy(kind)) {
        // Where several kinds of memory share a bar, the pattern is that of the one to watch.
        if (memory & kPageableMemory)
            look = fmt::format("h{}", number);
        else if (memory & kManagedMemory)
            look = fmt::format("d{}", number);
        else if (memory & kUnknownMemory)
            look = fmt::format("o{}", number);
    }
    return level < kFullLevel ? fmt::format("{} l{}", look, level) : look;
}

void BarPaths::add(const std::string& cssClass, double leftPx, double rightPx, double topPx, double bottomPx)
{
    const std::string width = pixels(rightPx - leftPx);
    m_paths[cssClass] +=
        fmt::format("M{} {}h{}v{}h-{}z", pixels(leftPx), pixels(topPx), width, pixels(bottomPx - topPx), width);
}

std::string BarPaths::svg() const
{
    std::string text;
    for (const auto& [cssClass, path] : m_paths)
        text += fmt::format("<path class=\"{}\" d=\"{}\"/>\n", cssClass, path);
    return text;
}

}  // namespace overlane
