// OpenedTrace: a trace and the judgements that questions asked for, so that the second question costs little.
//
// Owns both; the trace itself is shared with the streams of its tables. Any number of threads; two that ask for the
// same judgement at once make it twice. Nanoseconds.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/judgement/judged_trace.h"

namespace overlane
{

// What a judgement is of, in the words of TraceRequest.
struct JudgedBy {
    std::string iteration;
    std::string steps;              // as parsedStepNumbers() takes them, or empty
    std::optional<Interval> range;  // instead of steps

    friend bool operator==(const JudgedBy&, const JudgedBy&) = default;
};

class OpenedTrace
{
public:
    // `place` is the path as the caller gave it, or what a run is called.
    OpenedTrace(Trace trace, std::string place);
    static Result<std::unique_ptr<OpenedTrace>> read(const std::string& path, Progress& progress);

    const std::shared_ptr<const Trace>& trace() const { return m_trace; }
    const std::string& place() const { return m_place; }
    Result<std::shared_ptr<const JudgedTrace>> judged(const JudgedBy& by, Progress& progress) const;

private:
    static constexpr std::size_t kMostKept = 4;

    const std::shared_ptr<const Trace> m_trace;
    const std::string m_place;
    mutable std::mutex m_mutex;
    // The latest last; under m_mutex.
    mutable std::vector<std::pair<JudgedBy, std::shared_ptr<const JudgedTrace>>> m_judged;
};

}  // namespace overlane
