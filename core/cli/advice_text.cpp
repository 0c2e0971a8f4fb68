#include "core/cli/advice_text.h"

#include <cmath>

#include "core/content/terminal.h"
#include "core/loader/settings.h"
#include "core/sweep/advisor_error.h"
#include "core/sweep/advisor_text.h"

namespace overlane
{
namespace
{

OrderedJson candidateJson(const AdvisorCandidate& candidate)
{
    const Scenario& scenario = candidate.scenario;
    return {{"error", candidate.error},
            {"batch_ns", std::llround(candidate.batchNs)},
            {"batch_low_ns", std::llround(timeRange(candidate).lowNs)},
            {"batch_high_ns", std::llround(timeRange(candidate).highNs)},
            {"pinned_peak_bytes", candidate.pinnedPeakBytes},
            {"swap_peak_bytes", candidate.swapPeakBytes},
            {"host_bytes", candidate.hostBytes},
            {"overlap_share", candidate.overlapShare},
            {"fits", candidate.fits},
            {"pin", settingText(*findSetting("pin"), scenario)},
            {"non_blocking", scenario.nonBlocking},
            {"copy_stream", settingText(*findSetting("copy_stream"), scenario)},
            {"device_buffers", scenario.deviceBuffers},
            {"workers", scenario.workers},
            {"prefetch_factor", scenario.prefetchFactor}};
}

// What a run takes over what was simulated, by the way of its batches.
OrderedJson errorJson()
{
    constexpr const char* kKeys[] = {"pageable", "pin_thread", "pinned"};
    OrderedJson json{{"profile", kHeldProfile}, {"runs_within", kRunsWithin}};
    for (const SimulationError& error : kSimulationErrors)
        json[kKeys[static_cast<std::size_t>(error.memory)]] = {{"least", error.least}, {"most", error.most}};
    return json;
}

}  // namespace

std::string adviceText(const Advice& advice)
{
    std::string text = terminalText(adviceBlocks(advice)) + "\n" + terminalText(adviceTable(advice));
    if (advice.kind == AdviceKind::NothingFits)
        return text;
    text += wrapText(
        "at best, at worst: eight of ten runs lie between; pin: pin_memory; async: non_blocking; side: batches on the "
        "device with a side stream; front: what no "
        "other beats in both time and pinned memory.",
        "  ");
    if (advice.kind == AdviceKind::Change || advice.kind == AdviceKind::PinningOff)
        text += "\n" + pastedCode(advice.advised.scenario);
    return text;
}

OrderedJson adviceJson(const Advice& advice)
{
    OrderedJson json{{"advice", adviceKindName(advice.kind)}, {"sentence", adviceSentence(advice)}};
    json["remarks"] = adviceRemarks(advice);
    json["sure"] = isSure(advice);
    json["certainty"] = certaintySentence(advice);
    json["profile"] = advice.profile;
    json["tried"] = advice.tried;
    json["limits"] = {{"ram_bytes", advice.limits.ramBytes},
                      {"pinned_bytes", advice.limits.pinnedBytes},
                      {"cores", advice.limits.cores}};
    json["now"] = candidateJson(advice.now);
    json["advised"] = candidateJson(advice.advised);
    json["changed"] = changedKeys(advice.now.scenario, advice.advised.scenario);
    json["front"] = OrderedJson::array();
    for (const AdvisorCandidate& candidate : advice.front)
        json["front"].push_back(candidateJson(candidate));
    json["knee"] = advice.knee;
    json["passed_over"] = advice.passedOver ? candidateJson(*advice.passedOver) : OrderedJson();
    json["simulation_error"] = errorJson();
    if (advice.measured)
        json["measured"] = {{"device", advice.measured->device},
                            {"now_batch_ns", std::llround(advice.measured->nowNs)},
                            {"advised_batch_ns", std::llround(advice.measured->advisedNs)}};
    else
        json["measured"] = nullptr;
    json["code"] = pastedCode(advice.advised.scenario);
    return json;
}

}  // namespace overlane
