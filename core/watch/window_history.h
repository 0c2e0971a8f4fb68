// WindowHistory: the windows so far, as far as the next one is compared with them.
//
// A window is slower where core/compare claims so of its steps (sample.h, speed.h) beside those of each window before,
// of five at least: steps of one window are alike, so a single other one says little of what windows differ by. Windows
// that are slower are not among those that the next one is compared with, until kSettled of them came one after the
// other: by then the program has changed. Keeps the steps of the last kMostWindows. One thread; nanoseconds.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "core/compare/sample.h"
#include "core/watch/window_figures.h"

namespace overlane
{

struct WindowChange {
    std::int64_t medianNs = 0;  // of the step times of the windows before; 0: none had one
    double share = 0;           // by which this one's step takes longer than that; less: below 0
    Claim claim = Claim::TooFew;

    bool isWorse() const { return claim == Claim::Higher && share > 0; }
};

class WindowHistory
{
public:
    static constexpr std::size_t kMostWindows = 24;
    static constexpr std::size_t kSettled = 12;
    static constexpr std::size_t kMostSteps = 200;  // of a window that are kept

    // Of a window beside those before it.
    WindowChange add(const WindowFigures& window);

private:
    struct Kept {
        std::int64_t stepNs = 0;
        std::vector<double> stepsNs;
    };
    Claim claimOfWindow(const std::vector<double>& stepsNs) const;

    std::deque<Kept> m_windows;
    std::deque<Kept> m_slower;  // one after the other, the last ones
};

}  // namespace overlane
