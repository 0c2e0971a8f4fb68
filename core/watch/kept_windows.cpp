#include "core/watch/kept_windows.h"

#include <algorithm>
#include <utility>

namespace overlane
{

std::vector<std::string> KeptWindows::add(std::string file, std::int64_t stepNs)
{
    std::vector<std::string> removed;
    m_windows.push_back({std::move(file), stepNs});
    const bool isWorst = stepNs > m_worst.stepNs;
    const Kept before = isWorst ? std::exchange(m_worst, m_windows.back()) : Kept();
    const auto isLast = [this](const std::string& name) {
        return std::any_of(m_windows.begin(), m_windows.end(), [&](const Kept& kept) { return kept.file == name; });
    };
    if (m_windows.size() > m_last) {
        if (const std::string& oldest = m_windows.front().file; oldest != m_worst.file)
            removed.push_back(oldest);
        m_windows.pop_front();
    }
    if (!before.file.empty() && !isLast(before.file) &&
        std::find(removed.begin(), removed.end(), before.file) == removed.end())
        removed.push_back(before.file);
    return removed;
}

}  // namespace overlane
