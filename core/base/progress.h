// Progress: how far a long piece of work is, and whether somebody asked it to stop.
//
// Shared by the worker that reports and the thread that watches; every member is safe from both.
#pragma once

#include <atomic>

namespace overlane
{

class Progress
{
public:
    // 0 to 1. Called by the worker, a few hundred times at most.
    void report(double fraction) { m_fraction.store(fraction, std::memory_order_relaxed); }
    double fraction() const { return m_fraction.load(std::memory_order_relaxed); }

    // Asks the worker to stop; it answers with Error::cancelled().
    void cancel() { m_cancelled.store(true, std::memory_order_relaxed); }
    bool cancelled() const { return m_cancelled.load(std::memory_order_relaxed); }

private:
    std::atomic<double> m_fraction = 0;
    std::atomic<bool> m_cancelled = false;
};

}  // namespace overlane
