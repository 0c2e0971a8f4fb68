// ThereStep: a step of a recording on another machine: drawn as a LongTask, or told another process as HostNews.
//
// Owns a LongTask, whose handlers of signals it brings, and a thread where it tells. The main thread.
#pragma once

#include <condition_variable>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>

#include "core/cli/long_task.h"

namespace overlane
{

class ThereStep
{
public:
    enum class Telling : bool { ToPeople, AsNews };

    // `drawing` is for people; a short step and one in which ssh may ask for a password draws nothing.
    ThereStep(std::string label, LongTask::Drawing drawing, Telling telling, std::ostream& err);
    ~ThereStep();
    ThereStep(const ThereStep&) = delete;
    ThereStep& operator=(const ThereStep&) = delete;

    Progress& progress() { return m_task.progress(); }

private:
    void tell();

    const std::string m_label;
    std::ostream& m_err;
    LongTask m_task;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_ended = false;  // under m_mutex
    std::thread m_teller;
};

}  // namespace overlane
