// RecordSignals: takes the signals that a recorder is sent, so that they reach the program and not
// only the recorder.
//
// While it lives, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 are queued instead of
// ending this process; those that were ignored before stay ignored, and the program starts without any
// of this. One object at a time; the main thread.
#pragma once

#include <array>
#include <csignal>
#include <vector>

namespace overlane
{

class RecordSignals
{
public:
    struct Arrived {
        int number = 0;
        bool fromTerminal = false;  // the terminal sent it to the program as well
    };

    RecordSignals();
    ~RecordSignals();
    RecordSignals(const RecordSignals&) = delete;
    RecordSignals& operator=(const RecordSignals&) = delete;

    // Since the last call, in order of arrival as far as they differ.
    std::vector<Arrived> take();

private:
    static constexpr std::array<int, 6> kSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
    std::array<struct sigaction, kSignals.size()> m_previous = {};
};

}  // namespace overlane
