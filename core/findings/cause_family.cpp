#include "core/findings/cause_family.h"

#include <array>
#include <vector>

#include "core/findings/rule.h"

namespace overlane
{
namespace
{

constexpr std::array kOfCompute{RuleId::NothingToWin};

// The rules whose rows list a cause, for each.
template <typename Cause, std::size_t Count>
std::array<std::vector<RuleId>, Count> rulesByCause(EnumSet<Cause> Rule::*listed)
{
    std::array<std::vector<RuleId>, Count> families;
    for (std::size_t at = 0; at < Count; ++at)
        for (const Rule& rule : allRules())
            if ((rule.*listed).has(static_cast<Cause>(at)))
                families[at].push_back(rule.rule);
    return families;
}

}  // namespace

std::span<const RuleId> rulesOf(LostCause cause)
{
    static const auto kFamilies = rulesByCause<LostCause, kLostCauseCount>(&Rule::causes);
    return kFamilies[static_cast<std::size_t>(cause)];
}

std::span<const RuleId> rulesOf(CopyCause cause)
{
    static const auto kFamilies = rulesByCause<CopyCause, kCopyCauseCount>(&Rule::copyCauses);
    return kFamilies[static_cast<std::size_t>(cause)];
}

std::span<const RuleId> rulesOf(const Verdict& verdict)
{
    if (verdict.computeBound)
        return kOfCompute;
    if (!verdict.mainLoss || verdict.tone != VerdictTone::Problem)
        return {};
    if (*verdict.mainLoss != LostCause::Copies)
        return rulesOf(*verdict.mainLoss);
    if (verdict.linkBound)
        return rulesOf(CopyCause::EngineBusy);
    return verdict.cause ? rulesOf(*verdict.cause) : std::span<const RuleId>();
}

}  // namespace overlane
