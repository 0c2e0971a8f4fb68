#include "core/cli/record_signals.h"

#include <atomic>

namespace overlane
{
namespace
{

// Counts per signal number, of either origin.
std::array<std::atomic<int>, 65> fromTerminal;
std::array<std::atomic<int>, 65> fromProcess;

void note(int number, siginfo_t* info, void*)
{
    auto& counts = info != nullptr && info->si_code == SI_KERNEL ? fromTerminal : fromProcess;
    counts[static_cast<std::size_t>(number)].fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

RecordSignals::RecordSignals()
{
    struct sigaction action = {};
    action.sa_sigaction = note;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (std::size_t at = 0; at < kSignals.size(); ++at) {
        sigaction(kSignals[at], nullptr, &m_previous[at]);
        if (m_previous[at].sa_handler != SIG_IGN)
            sigaction(kSignals[at], &action, nullptr);
    }
    take();
}

RecordSignals::~RecordSignals()
{
    for (std::size_t at = 0; at < kSignals.size(); ++at)
        sigaction(kSignals[at], &m_previous[at], nullptr);
}

std::vector<RecordSignals::Arrived> RecordSignals::take()
{
    std::vector<Arrived> arrived;
    for (const int number : kSignals) {
        const auto index = static_cast<std::size_t>(number);
        arrived.insert(arrived.end(), static_cast<std::size_t>(fromTerminal[index].exchange(0)), {number, true});
        arrived.insert(arrived.end(), static_cast<std::size_t>(fromProcess[index].exchange(0)), {number, false});
    }
    return arrived;
}

}  // namespace overlane
