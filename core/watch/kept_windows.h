// KeptWindows: which traces of windows stay: the last ones, and always that with the longest step.
//
// Decides only; the caller removes what it is told. One thread; nanoseconds.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace overlane
{

class KeptWindows
{
public:
    explicit KeptWindows(std::size_t last) : m_last(last) {}

    // Adds a trace; those that are to be removed now, perhaps this one. 0: it shows no step, and is not the worst.
    std::vector<std::string> add(std::string file, std::int64_t stepNs);
    const std::string& worst() const { return m_worst.file; }

private:
    struct Kept {
        std::string file;
        std::int64_t stepNs = 0;
    };
    std::size_t m_last;
    std::deque<Kept> m_windows;
    Kept m_worst;
};

}  // namespace overlane
