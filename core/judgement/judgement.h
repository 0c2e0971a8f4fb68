// Judgement: what a trace says of a range. The command line, the report, the window and lessons read this
// one object, so that they say the same.
//
// A value, made by a pure function on any thread; cancellable through the WorkMeter. Without findings and
// devices it is made in milliseconds and may follow a selection. Nanoseconds, bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/steps.h"
#include "core/analysis/verdict.h"
#include "core/base/interval.h"
#include "core/base/work_meter.h"
#include "core/findings/finding.h"
#include "core/findings/finding_facts.h"
#include "core/judgement/device_judgement.h"
#include "core/trace/trace.h"

namespace overlane
{

enum class Depth : std::uint8_t {
    Verdict,  // no findings and no devices
    Whole,
};

struct JudgeRequest {
    std::optional<Interval> range;  // somebody's choice; none: the active range (core/analysis/active_range.h)
    bool live = false;  // the trace grows: of its active range what is settled (core/analysis/settled_work.h)
    Depth depth = Depth::Whole;
};

// What a judgement is made from; all of one trace.
struct JudgedParts {
    const Trace& trace;
    const Analysis& analysis;
    const std::vector<Step>& steps;       // in order of start
    const FindingFacts* facts = nullptr;  // where the caller keeps them for many ranges; else they are made
};

struct Judgement {
    Interval range;
    bool selected = false;     // the range was chosen, else it is the active one
    bool kernelsKnown = true;  // every kernel of it was recorded: time without kernels means something
    Summary summary;

    std::int64_t steps = 0;  // whole ones in the range
    // The one step time: averageStepNs() of the range. 0 without whole steps.
    std::int64_t stepNs = 0;

    Verdict verdict;  // tone, sentence, advice, losses as they are spoken of
    FindingList findings;
    std::vector<DeviceJudgement> devices;

    // The first sentence of the verdict, and the others.
    std::string headline() const;
    std::vector<std::string> details() const;
};

Judgement judge(const JudgedParts& of, const JudgeRequest& request = {}, const WorkMeter& work = {});

// A text as sentences: one ends with a period before a space and a capital letter or a digit; "torch .to()" and
// "16.1 ms" end none.
std::vector<std::string> sentencesOf(std::string_view text);

}  // namespace overlane
