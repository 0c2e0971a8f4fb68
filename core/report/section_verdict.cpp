#include <fmt/format.h>

#include "core/analysis/steps.h"
#include "core/analysis/verdict_text.h"
#include "core/base/units.h"
#include "core/content/markup.h"
#include "core/report/report_sections.h"
#include "core/trace/import_text.h"

namespace overlane
{
namespace
{

std::string figure(const std::string& value, std::string_view label)
{
    return fmt::format("<div><b>{}</b><span>{}</span></div>\n", value, label);
}

std::string figures(const Judgement& judgement)
{
    const Summary& summary = judgement.summary;
    const DeviceSummary* device = summary.worst();
    if (!device)
        return {};
    const std::string_view each = judgement.verdict.perStep ? " per step" : "";
    const auto spread = [&](std::int64_t sumNs) {
        return formatDuration(judgement.verdict.perStep ? perStepNs(sumNs, summary.range, judgement.stepNs) : sumNs);
    };
    std::string text = "<div class=\"figures\">\n";
    if (judgement.stepNs > 0)
        text += figure(formatDuration(judgement.stepNs), "average step");
    else
        text += figure(formatDuration(device->wallNs), "from first to last GPU work");
    text += figure(formatShare(device->wallNs > 0 ? double(device->kernelBusyNs) / double(device->wallNs) : 0),
                   "of the time a kernel runs");
    if (device->h2d > 0) {
        text += figure(formatShare(device->overlapShare), "of copy time hidden under kernels");
        text += figure(spread(device->exposedCopyNs), fmt::format("exposed copy{}", each));
    }
    text += figure(spread(device->idleNs), fmt::format("GPU does nothing{}", each));
    text += figure(spread(summary.hostBlockedNs), fmt::format("host blocked by the GPU runtime{}", each));
    if (device->distance > 0)
        text += figure(fmt::format("{:.2f}", device->distance), "distance: wall / ideal");
    if (summary.devices.size() > 1)
        text += figure(fmt::format("GPU {} of {}", device->id, summary.devices.size()), "these figures are of");
    return text + "</div>\n";
}

std::string_view toneClass(VerdictTone tone)
{
    switch (tone) {
        case VerdictTone::Problem:
            return "verdict problem";
        case VerdictTone::Neutral:
            return "verdict";
        case VerdictTone::Nothing:
            break;
    }
    return "verdict nothing";
}

}  // namespace

std::string verdictSection(const ReportInput& input)
{
    const Verdict& verdict = input.judgement->verdict;
    std::string text = fmt::format("<section id=\"verdict\" class=\"{}\">\n<h1>{}</h1>\n", toneClass(verdict.tone),
                                   markupText(input.judgement->headline()));
    std::string lead = nowAndWithoutSentence(verdict);
    if (!verdict.advice.empty())
        lead += (lead.empty() ? "" : " ") + verdict.advice;
    if (!lead.empty())
        text += fmt::format("<p class=\"lead\">{}</p>\n", markupText(lead));
    if (const std::vector<std::string> details = input.judgement->details(); !details.empty())
        text += fmt::format("<p class=\"note\">{}</p>\n", markupText(fmt::format("{}", fmt::join(details, " "))));
    return text + figures(*input.judgement) + "</section>\n";
}

std::string qualitySection(const Trace& trace)
{
    std::string items;
    bool damaged = false;
    for (const ImportStat& stat : trace.stats().all()) {
        if (!isLoss(stat))
            continue;
        damaged |= stat.severity == Severity::Error;
        items += fmt::format("<li>{}</li>\n", markupText(countedText(stat)));
    }
    if (items.empty())
        return {};
    return fmt::format("<section id=\"quality\" class=\"banner{}\">\n<h2>{}</h2>\n<ul>\n{}</ul>\n</section>\n",
                       damaged ? " error" : "",
                       damaged ? "The file is damaged: figures are of what could be read" : "The trace is incomplete",
                       items);
}

std::string readingSection()
{
    return htmlSection("reading", "How to read this page", R"(<div class="columns"><div>
<p><b>Hidden</b> is copy time during which the device also ran kernels, <b>exposed</b> the rest. Only exposed copies cost
time.</p>
<p><b>Ideal</b> is the longest of four: copies in, copies out, kernels, the busiest actor of the loader. <b>Distance</b> is
wall time divided by the ideal; 1.00 cannot be improved by overlap.</p>
<p><b>Idle by cause</b>: every moment without a kernel is given to one cause, so the parts add up and nothing is counted
twice. What a cause costs is the most that removing it can win.</p>
</div><div>
<p><b>Pinned</b> (page-locked) memory is the only host memory a copy engine reads by itself. <b>Pageable</b> memory is
staged by the driver: the denser hatch is the time in which the host does that and can launch nothing.</p>
<p><b>Step times</b> run from the start of a step to the start of the next. First steps that are slower are warm-up;
outliers are far from the median of the others.</p>
<p>In pictures, bars narrower than a pixel are merged and drawn paler the less of the time they fill.</p>
</div></div>
)");
}

}  // namespace overlane
