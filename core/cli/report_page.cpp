#include "core/cli/report_page.h"

#include "core/report/html_report.h"

namespace overlane
{

Result<std::string> reportPage(const JudgedTrace& judged, const JudgedTrace* baseline, std::size_t topKernels,
                               const WorkMeter& work)
{
    ReportInput input;
    input.trace = &judged.trace;
    input.analysis = &judged.analysis;
    input.steps = &judged.steps;
    input.judgement = &judged.judgement;
    input.name = judged.name;
    input.version = OVERLANE_VERSION;
    input.topKernels = topKernels;
    if (baseline == nullptr)
        return htmlReport(input);
    ASSIGN_OR_RETURN(const Comparison compared, compare({&baseline->trace, &baseline->analysis, &baseline->steps},
                                                        {&judged.trace, &judged.analysis, &judged.steps}, {}, work));
    input.baseline = {baseline->name, &compared, &baseline->judgement.findings};
    return htmlReport(input);
}

}  // namespace overlane
