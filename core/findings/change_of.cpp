#include "core/findings/change_of.h"

#include <optional>

#include "core/analysis/advice.h"

namespace overlane
{
namespace
{

// What the rule itself says fits a PyTorch program whose loader's batches the copies carry; it says more than the
// remedy where neither loader nor role matter.
bool fitsAsItIs(Remedy remedy, CopyRole role, bool hasLoader)
{
    return remedy == Remedy::WaitLess || remedy == Remedy::LaunchLess || (hasLoader && !isOffloaded(role));
}

}  // namespace

ChangeTexts changeOf(const Rule& rule, const RuleAnswer& answer, CopyRole role, bool isPageable,
                     const ProgramTraits& program)
{
    std::optional<Remedy> remedy = rule.remedy;
    // Pageable memory holds the host, on whatever stream.
    if (remedy == Remedy::ReadLater && isOffloaded(role) && isPageable)
        remedy = Remedy::Pin;
    ProgramTraits asPyTorch = program;
    if (!program.isPyTorch())
        asPyTorch.framework = Framework::PyTorch;
    ProgramTraits asCuda = program;
    asCuda.framework = Framework::Cuda;

    ChangeTexts texts;
    if (!answer.change.empty())
        return {answer.change, answer.change, answer.change};
    if (!answer.changePyTorch.empty())
        texts.pyTorch = answer.changePyTorch;
    else if (rule.changePyTorch.empty() || !remedy || fitsAsItIs(*remedy, role, program.hasLoader))
        texts.pyTorch = rule.changePyTorch;
    else
        texts.pyTorch = advice(*remedy, role, asPyTorch);
    texts.cuda = remedy && isOffloaded(role) ? advice(*remedy, role, asCuda) : rule.changeCuda;

    if (program.isPyTorch())
        texts.own = texts.pyTorch;
    else if (program.framework == Framework::Cuda || !remedy)
        texts.own = texts.cuda;
    else
        texts.own = advice(*remedy, role, program);
    return texts;
}

std::string_view titleOf(const Rule& rule, CopyRole role, const ProgramTraits& program)
{
    const std::string_view title = rule.titleFor ? rule.titleFor(role, program) : std::string_view();
    return title.empty() ? rule.title : title;
}

}  // namespace overlane
