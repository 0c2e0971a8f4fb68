#include <fmt/format.h>
#include <optional>

#include "core/api/question.h"
#include "core/base/text_file.h"
#include "core/cli/check_answer.h"
#include "core/cli/check_text.h"
#include "core/cli/compare_answer.h"
#include "core/cli/convert_answer.h"
#include "core/cli/convert_target.h"
#include "core/cli/info_answer.h"
#include "core/cli/info_text.h"
#include "core/cli/names_answer.h"
#include "core/cli/nearest_name.h"
#include "core/cli/picture_answer.h"
#include "core/cli/report_page.h"
#include "core/cli/whatif_answer.h"
#include "core/io/format.h"
#include "core/names/named_work.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kTopNames = 10;    // of `overlane compare`
constexpr std::int64_t kTopKernels = 15;  // of `overlane report`
constexpr double kPercent = 100;
constexpr double kMostTolerated = 1000;  // percent

// No page or trace replaces the trace that it is made from.
Result<void> checkOutput(const std::string& output, const OpenedTrace* trace)
{
    if (trace != nullptr && sameFile(trace->place(), output))
        return Error{fmt::format("{} is the trace itself; give the file another name.", output)};
    return {};
}

Result<void> checkGroup(const std::string& id)
{
    std::vector<std::string_view> ids;
    for (const WorkGroupRow& group : workGroups()) {
        if (id.empty() || id == group.id)
            return {};
        ids.push_back(group.id);
    }
    return Error{unknownName("group", id, ids)};
}

}  // namespace

Result<OrderedJson> answerInfo(Asked& asked)
{
    const std::string iteration = asked.arguments.text("iteration");
    const std::optional<Interval> range = asked.arguments.range("range");
    RETURN_IF_ERROR(asked.understood());
    ASSIGN_OR_RETURN(const auto judged, asked.trace->judged({iteration, "", range}, asked.progress));
    ASSIGN_OR_RETURN(const InfoAnswer answer,
                     attempt("look for the loops of the trace", &asked.progress,
                             [&](const WorkMeter& work) { return infoAnswer(*judged, iteration, work); }));
    return infoJson(*judged, answer);
}

Result<OrderedJson> answerNames(Asked& asked)
{
    const std::string iteration = asked.arguments.text("iteration");
    const NamesQuestion question{asked.arguments.text("of"), asked.arguments.flag("whole")};
    RETURN_IF_ERROR(checkGroup(question.of));
    RETURN_IF_ERROR(asked.understood());
    ASSIGN_OR_RETURN(const auto judged, asked.trace->judged({iteration}, asked.progress));
    return namesJson(*judged, asked.trace->place(), question, asked.progress);
}

Result<OrderedJson> answerCompare(Asked& asked)
{
    const std::string iteration = asked.arguments.text("iteration");
    const auto top = static_cast<std::size_t>(asked.arguments.whole("top", kTopNames, 0));
    ASSIGN_OR_RETURN(const AlignmentWish wish, parsedAlignment(asked.arguments.text("align")));
    RETURN_IF_ERROR(asked.understood());
    ASSIGN_OR_RETURN(const auto a, asked.trace->judged({iteration}, asked.progress));
    ASSIGN_OR_RETURN(const auto b, asked.other->judged({iteration}, asked.progress));
    ASSIGN_OR_RETURN(const CompareAnswer answer,
                     attempt("compare the traces", &asked.progress, [&](const WorkMeter& work) {
                         return compareAnswer(*a, *b, asked.trace->place(), asked.other->place(), wish, work);
                     }));
    return compareJson(answer.comparison, answer.findings, answer.names, top);
}

Result<OrderedJson> answerCheck(Asked& asked)
{
    CheckQuestion question;
    question.failOn = asked.arguments.texts("fail_on");
    question.rules = asked.arguments.text("rules");
    question.iteration = asked.arguments.text("iteration");
    question.steps = asked.arguments.steps("steps");
    question.strict = asked.arguments.flag("strict");
    question.allowNoGpu = asked.arguments.flag("allow_no_gpu");
    question.tolerance = asked.arguments.real("tolerate", 0, 0, kMostTolerated) / kPercent;
    if (asked.other != nullptr)
        question.against = asked.other->place();
    else if (question.tolerance > 0)
        return Error{"tolerate is for a check against an earlier trace; give that trace, too."};
    ASSIGN_OR_RETURN(const std::vector<RuleLimit> limits, limitsOf(question));
    RETURN_IF_ERROR(asked.understood());
    ASSIGN_OR_RETURN(const auto judged, asked.trace->judged({question.iteration, question.steps}, asked.progress));
    std::vector<FileCheck> files;
    files.push_back(checkJudged(*judged, asked.trace->place(), question, limits));
    if (asked.other != nullptr) {
        ASSIGN_OR_RETURN(const auto baseline, asked.other->judged({question.iteration}, asked.progress));
        const Result<void> compared = attempt("compare the traces", &asked.progress, [&](const WorkMeter& work) {
            return addBaseline(files.back(), *judged, *baseline, question, work);
        });
        if (compared.isCancelled())
            return compared.failure();
        if (!compared.ok())
            files.back().error = compared.failure().in(asked.trace->place()).message;
    }
    return checkJson(files, checkExitCode(files, question.strict));
}

Result<OrderedJson> answerReport(Asked& asked)
{
    const std::string iteration = asked.arguments.text("iteration");
    const std::string output = asked.arguments.text("output");
    const auto top = static_cast<std::size_t>(asked.arguments.whole("top", kTopKernels, 1));
    RETURN_IF_ERROR(checkOutput(output, asked.trace));
    RETURN_IF_ERROR(checkOutput(output, asked.other));
    RETURN_IF_ERROR(asked.understood());
    ASSIGN_OR_RETURN(const auto judged, asked.trace->judged({iteration}, asked.progress));
    std::shared_ptr<const JudgedTrace> baseline;
    if (asked.other != nullptr) {
        ASSIGN_OR_RETURN(baseline, asked.other->judged({iteration}, asked.progress));
    }
    ASSIGN_OR_RETURN(const std::string page, attempt("write the report", &asked.progress, [&](const WorkMeter& work) {
                         return reportPage(*judged, baseline.get(), top, work);
                     }));
    OrderedJson json{{"file", output}, {"bytes", page.size()}, {"verdict", verdictJson(judged->judgement.verdict)}};
    if (output.empty())
        json["page"] = page;
    else
        RETURN_IF_ERROR(writeTextFile(output, page));
    return json;
}

Result<OrderedJson> answerPicture(Asked& asked)
{
    PictureQuestion question;
    const std::string iteration = asked.arguments.text("iteration");
    const std::string output = asked.arguments.text("output");
    const std::optional<Interval> range = asked.arguments.range("range");
    question.steps = asked.arguments.steps("steps");
    question.whole = asked.arguments.flag("whole");
    question.size = asked.arguments.text("size");
    question.theme = asked.arguments.text("theme", "light");
    question.gauges = asked.arguments.flag("gauges");
    question.ranged = range.has_value();
    RETURN_IF_ERROR(checkOutput(output, asked.trace));
    if (const std::string wrong = checkPicture(question); !wrong.empty())
        return Error{wrong};
    if (!output.empty() && !output.ends_with(".svg"))
        return Error{fmt::format("{} is no .svg; `overlane picture` draws PDF and PNG.", output)};
    RETURN_IF_ERROR(asked.understood());
    ASSIGN_OR_RETURN(const auto judged, asked.trace->judged({iteration, question.steps, range}, asked.progress));
    const Result<std::string> svg = attempt("draw the picture", &asked.progress, [&](const WorkMeter& work) {
        return pictureAnswer(*judged, question, work);
    });
    if (!svg.ok())
        return svg.failure().in(asked.trace->place());
    OrderedJson json{{"file", output}, {"bytes", svg.value().size()}};
    if (output.empty())
        json["svg"] = svg.value();
    else
        RETURN_IF_ERROR(writeTextFile(output, svg.value()));
    return json;
}

Result<OrderedJson> answerWhatIf(Asked& asked)
{
    WhatIfQuestion question;
    question.changes = asked.arguments.texts("changes");
    question.iteration = asked.arguments.text("iteration");
    question.steps = asked.arguments.steps("steps");
    question.device = asked.arguments.text("device");
    question.out = asked.arguments.text("output");
    ASSIGN_OR_RETURN(const WhatIfPlan plan, planned(question));
    RETURN_IF_ERROR(checkOutput(question.out, asked.trace));
    RETURN_IF_ERROR(asked.understood());
    ASSIGN_OR_RETURN(const auto judged, asked.trace->judged({question.iteration, question.steps}, asked.progress));
    const Result<WhatIfAnswer> answer = whatIfAnswer(judged, plan, &asked.progress);
    if (!answer.ok())
        return answer.failure().in(asked.trace->place());
    if (!question.out.empty())
        RETURN_IF_ERROR(writeTrace(*answer.value().predictions.front().trace, question.out, asked.progress));
    return whatIfJson(answer.value());
}

Result<OrderedJson> answerConvert(Asked& asked)
{
    ConvertRequest request;
    request.source = asked.trace->place();
    request.out = asked.arguments.text("output");
    request.table = asked.arguments.text("table");
    request.iteration = asked.arguments.text("iteration");
    const std::string steps = asked.arguments.steps("steps");
    const auto numbers = parsedStepNumbers(steps);
    if (request.out.empty() || request.out == "-")
        return Error{"convert writes a file; give its name as output."};
    RETURN_IF_ERROR(checkOutput(request.out, asked.trace));
    ASSIGN_OR_RETURN(const ConvertTarget target, convertTarget(request.out, request.table));
    RETURN_IF_ERROR(asked.understood());
    std::optional<OpenedTrace> part;
    if (numbers) {
        ASSIGN_OR_RETURN(Trace cut, cutToSteps(*asked.trace->trace(), *numbers, asked.trace->place()));
        part.emplace(std::move(cut), asked.trace->place());
    }
    const OpenedTrace& opened = part ? *part : *asked.trace;
    const Judge judge = [&] { return opened.judged({request.iteration, {}, {}}, asked.progress); };
    RETURN_IF_ERROR(writeConverted(opened.trace(), request, target, judge, asked.progress, nullptr));
    return convertJson(asked.trace->place(), request.out, *opened.trace());
}

}  // namespace overlane
