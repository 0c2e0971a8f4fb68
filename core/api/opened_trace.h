// OpenedTrace: a trace and the judgements that questions asked for, so that the second question costs little.
//
// Owns both; the trace itself is shared with the streams of its tables. Any number of threads; two that ask for the
// same judgement at once make it twice. Nanoseconds.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/judgement/judged_trace.h"

namespace overlane
{

class OpenedTrace
{
public:
    // `place` is the path as the caller gave it, or what a run is called.
    OpenedTrace(Trace trace, std::string place);
    static Result<std::unique_ptr<OpenedTrace>> read(const std::string& path, Progress& progress);

    const std::shared_ptr<const Trace>& trace() const { return m_trace; }
    const std::string& place() const { return m_place; }
    // `steps` as parsedStepNumbers() takes them, or empty.
    Result<std::shared_ptr<const JudgedTrace>> judged(const std::string& iteration, const std::string& steps,
                                                      Progress& progress) const;

private:
    static constexpr std::size_t kMostKept = 4;

    const std::shared_ptr<const Trace> m_trace;
    const std::string m_place;
    mutable std::mutex m_mutex;
    // By iteration and steps, the latest last; under m_mutex.
    mutable std::vector<std::pair<std::pair<std::string, std::string>, std::shared_ptr<const JudgedTrace>>> m_judged;
};

}  // namespace overlane
