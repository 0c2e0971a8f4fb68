#include "core/cli/compare_answer.h"

#include <charconv>

namespace overlane
{
namespace
{

constexpr std::string_view kStepPrefix = "step:";

}  // namespace

Result<AlignmentWish> parsedAlignment(std::string_view text)
{
    AlignmentWish wish;
    if (text.empty())
        return wish;
    if (text == "first-kernel") {
        wish.by = AlignBy::FirstKernel;
        return wish;
    }
    wish.by = AlignBy::Step;
    if (text == "step")
        return wish;
    if (text.starts_with(kStepPrefix)) {
        text.remove_prefix(kStepPrefix.size());
        std::size_t step = 0;
        const auto parsed = std::from_chars(text.data(), text.data() + text.size(), step);
        if (parsed.ec == std::errc() && parsed.ptr == text.data() + text.size()) {
            wish.step = step;
            return wish;
        }
    }
    return Error{"--align takes step, step:K or first-kernel."};
}

Result<CompareAnswer> compareAnswer(const JudgedTrace& a, const JudgedTrace& b, const std::string& nameA,
                                    const std::string& nameB, const AlignmentWish& wish, const WorkMeter& work)
{
    ASSIGN_OR_RETURN(Comparison compared,
                     compare({&a.trace, &a.analysis, &a.steps}, {&b.trace, &b.analysis, &b.steps}, wish, work));
    return CompareAnswer{std::move(compared),
                         findingChanges(a.judgement.findings, b.judgement.findings),
                         {nameA, nameB, a.judgement.stepNs, b.judgement.stepNs}};
}

}  // namespace overlane
