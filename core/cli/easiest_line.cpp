#include "core/cli/easiest_line.h"

#include <optional>

#include "core/replay/easiest_change.h"
#include "core/replay/prediction_blocks.h"

namespace overlane
{

Result<std::string> easiestLine(const std::shared_ptr<const JudgedTrace>& judged, Progress& progress)
{
    const Judgement& judgement = judged->judgement;
    ReplayOptions options;
    options.averageStepNs = judgement.stepNs;
    options.range = judgement.range;
    ASSIGN_OR_RETURN(const std::optional<Prediction> easiest,
                     easiestChange({judged, &judged->trace}, judged->analysis, judgement.verdict, options, &progress));
    if (!easiest)
        return std::string();
    const bool aboutCopies = judgement.verdict.mainLoss == LostCause::Copies;
    return easiestChangeText(*easiest) +
           (aboutCopies || easiest->advice.empty() ? std::string() : " " + easiest->advice.front());
}

}  // namespace overlane
