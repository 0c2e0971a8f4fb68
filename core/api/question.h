// Question: one thing that can be asked through liboverlane, as the command line asks it, and its answer as JSON.
//
// A question reads its arguments, says understood() once all words have a meaning, and does its work. Stateless; any
// thread. The answers are made by the functions of core/cli that --json prints, so that no figure has two sources.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "core/api/arguments.h"
#include "core/api/opened_trace.h"
#include "core/cli/device_figures.h"

namespace overlane
{

struct Asked {
    const OpenedTrace* trace = nullptr;
    const OpenedTrace* other = nullptr;
    Arguments& arguments;
    Progress& progress;
    std::unique_ptr<OpenedTrace> made{};  // of a run
    bool isUnderstood = false;            // an Error from here on is not of the caller's words

    // After the last argument was read.
    Result<void> understood()
    {
        RETURN_IF_ERROR(arguments.done());
        isUnderstood = true;
        return {};
    }
};

enum class Takes : std::uint8_t { Nothing, OneTrace, OneOrTwoTraces, TwoTraces };

struct Question {
    std::string_view name;
    Takes takes;
    Result<OrderedJson> (*answer)(Asked& asked);
};

// In the order of the help of the command line.
std::span<const Question> allQuestions();
// An Error that names the nearest one.
Result<const Question*> findQuestion(std::string_view name);

// What a trace is before anything is judged: file, format, title, events, span, devices, damage.
OrderedJson factsOf(const OpenedTrace& opened);

Result<OrderedJson> answerFacts(Asked& asked);
Result<OrderedJson> answerInfo(Asked& asked);
Result<OrderedJson> answerDigest(Asked& asked);
Result<OrderedJson> answerEasiest(Asked& asked);
Result<OrderedJson> answerOverlap(Asked& asked);
Result<OrderedJson> answerNames(Asked& asked);
Result<OrderedJson> answerCompare(Asked& asked);
Result<OrderedJson> answerCheck(Asked& asked);
Result<OrderedJson> answerReport(Asked& asked);
Result<OrderedJson> answerPicture(Asked& asked);
Result<OrderedJson> answerWhatIf(Asked& asked);
Result<OrderedJson> answerConvert(Asked& asked);
Result<OrderedJson> answerRun(Asked& asked);
Result<OrderedJson> answerSweep(Asked& asked);
Result<OrderedJson> answerAdvise(Asked& asked);
Result<OrderedJson> answerLists(Asked& asked);

}  // namespace overlane
