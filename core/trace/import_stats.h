// ImportStats: what was not read as it stands, counted by reason. Nothing is dropped silently.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace overlane
{

// Info: expected and harmless (metadata, flow arrows). Warning: the picture is incomplete.
// Error: the file is damaged. Stored in .overlane files: append, never renumber.
enum class Severity : std::uint8_t { Info = 0, Warning = 1, Error = 2 };

struct ImportStat {
    std::string reason;       // stable key, snake_case: "negative_duration"
    std::string explanation;  // one line for people
    Severity severity = Severity::Info;
    std::int64_t count = 0;
    friend bool operator==(const ImportStat&, const ImportStat&) = default;
};

class ImportStats
{
public:
    void add(std::string_view reason, std::string_view explanation, Severity severity, std::int64_t count = 1)
    {
        const auto found =
            std::find_if(m_stats.begin(), m_stats.end(), [&](const ImportStat& stat) { return stat.reason == reason; });
        if (found != m_stats.end())
            found->count += count;
        else
            m_stats.push_back({std::string(reason), std::string(explanation), severity, count});
    }
    std::int64_t count(std::string_view reason) const
    {
        for (const ImportStat& stat : m_stats)
            if (stat.reason == reason)
                return stat.count;
        return 0;
    }
    // In the order in which the reasons were first seen.
    const std::vector<ImportStat>& all() const { return m_stats; }

private:
    std::vector<ImportStat> m_stats;
};

}  // namespace overlane
