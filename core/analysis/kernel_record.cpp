#include "core/analysis/kernel_record.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "core/analysis/no_gpu_work.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

bool lists(std::string_view kinds, std::string_view kind)
{
    while (!kinds.empty()) {
        const auto comma = std::min(kinds.find(','), kinds.size());
        if (kinds.substr(0, comma) == kind)
            return true;
        kinds.remove_prefix(std::min(comma + 1, kinds.size()));
    }
    return false;
}

std::string copiesText(const Verdict& verdict, const Summary& summary)
{
    if (verdict.copies == 0)
        return "No copy to the device was recorded either.";
    std::int64_t bytes = 0;
    std::int64_t busyNs = 0;
    for (const DeviceSummary& device : summary.devices)
        if (device.id == verdict.device || summary.devices.size() == 1) {
            bytes = device.h2dBytes;
            busyNs = device.h2dBusyNs;
        }
    return fmt::format("{} {} to the device ({}) took {}.", formatCount(verdict.copies),
                       verdict.copies == 1 ? "copy" : "copies", formatBytes(bytes), formatDuration(busyNs));
}

}  // namespace

KernelRecord kernelRecord(const Trace& trace)
{
    const auto found = trace.metadata().properties.find(kRecordedKinds);
    if (found == trace.metadata().properties.end() || lists(found->second, "kernels"))
        return KernelRecord::All;
    return lists(found->second, "kernel-sample") ? KernelRecord::Sampled : KernelRecord::None;
}

bool kernelsKnown(KernelRecord record, const Summary& summary)
{
    if (record != KernelRecord::Sampled)
        return record == KernelRecord::All;
    return summary.range.lengthNs() <= kKernelWindowNs &&
           std::any_of(summary.devices.begin(), summary.devices.end(),
                       [](const DeviceSummary& device) { return device.kernels > 0; });
}

Verdict withinRecord(Verdict verdict, const Trace& trace, const Summary& summary)
{
    if (summary.devices.empty())
        return withoutGpuWork(std::move(verdict), trace);
    const KernelRecord record = kernelRecord(trace);
    if (kernelsKnown(record, summary))
        return verdict;
    Verdict told;
    told.device = verdict.device;
    told.copies = verdict.copies;
    told.range = verdict.range;
    told.sentence = fmt::format(
        "{}, so whether copies hide behind them cannot be told{}. {}",
        record == KernelRecord::None ? "Kernels were not recorded" : "Only a sample of the kernels was recorded",
        record == KernelRecord::None ? "" : " for this range", copiesText(verdict, summary));
    told.advice = record == KernelRecord::None
                      ? "Record again with the default kinds, which hold every kernel."
                      : fmt::format(
                            "Choose a range of at most {} in which kernels are shown, or record again with the "
                            "default kinds, which hold every kernel.",
                            formatDuration(kKernelWindowNs));
    return told;
}

}  // namespace overlane
