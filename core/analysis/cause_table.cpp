#include "core/analysis/cause_table.h"

#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>

#include "core/analysis/advice.h"
#include "core/analysis/code_share.h"
#include "core/analysis/loss_text.h"
#include "core/base/enum_rows.h"
#include "core/base/statistics.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

// What a thread does while it makes, pins or awaits a batch.
constexpr EnumSet<EventKind> kOfBatches{EventKind::Loader,     EventKind::LoaderWait,  EventKind::HostWork,
                                        EventKind::Annotation, EventKind::HostBlocked, EventKind::RuntimeCall};

constexpr std::array<LostCauseRow, kLostCauseCount> kLost{{
    {.cause = LostCause::Communication,
     .id = "communication",
     .name = "exposed communication",
     .brief = "communication",
     .changed = "exposed communication",
     .drawnAs = EventKind::CopyD2D,
     .group = CauseGroup::Communication,
     .explanation = "Data moves between GPUs, by NCCL or by copies, while no kernel computes.",
     .lesson = "three_stages",
     .proofs = {{{.turn = ProofTurn::RunsAlone, .ofDevice = &communicationAlone}}},
     .sentence =
         [](const LossFacts& loss) {
             const DeviceSummary& device = *loss.facts.device;
             return fmt::format(
                 "Communication-bound: for {} the GPU exchanges data with other GPUs and computes nothing; {} of its "
                 "communication is hidden behind compute.",
                 loss.lost, formatShare(shareOf(device.communicationHiddenNs, device.communicationBusyNs)));
         },
     .advice =
         [](const LossFacts& loss) {
             return std::string(
                 loss.facts.program->isPyTorch()
                     ? "Send gradients in buckets during the backward pass (DDP, FSDP with backward_prefetch), in "
                       "bfloat16 or less often (no_sync()), and compare the ranks: all wait for the slowest."
                     : "Exchange data on a stream of its own while kernels that do not need it run, and send less.");
         },
     .isOfData = true,
     .shownOnDevice = {EventKind::Kernel, EventKind::CopyD2D}},
    {.cause = LostCause::Copies,
     .id = "copies",
     .name = "exposed copies",
     .brief = "copies",
     .changed = "exposed copy",
     .drawnAs = EventKind::CopyH2D,
     .group = CauseGroup::Copies,
     .explanation = "A copy to the device runs while no kernel does: the exposed part.",
     .lesson = "side_stream",
     .proofs = {{{.turn = ProofTurn::RunsAlone, .ofDevice = &running<&DeviceActivity::h2d>}}},
     .sentence = [](const LossFacts& loss) { return copiesSentence(loss.verdict, loss.facts, loss.lostNs); },
     .advice = &copiesAdvice,
     .isOfData = true,
     .goesWithCopies = true,
     .shownOnDevice = {EventKind::CopyH2D}},
    {.cause = LostCause::ReadBack,
     .id = "read_back",
     .name = "results read back",
     .brief = "read back",
     .changed = "reading results back",
     .drawnAs = EventKind::CopyD2H,
     .group = CauseGroup::Copies,
     .explanation = "A copy back to the host runs while no kernel does.",
     .lesson = "reading_too_early",
     .proofs = {{{.turn = ProofTurn::RunsAlone, .ofDevice = &running<&DeviceActivity::d2h>}}},
     .sentence = &readBackSentence,
     .advice =
         [](const LossFacts& loss) {
             if (loss.facts.device->kernelBusyNs == 0)
                 return noKernelAdvice(loss.facts);
             // Pageable memory holds the host, on whatever stream.
             const bool pin = isOffloaded(loss.facts.toHost) && loss.facts.pageableToHost;
             return loss.advised(pin ? Remedy::Pin : Remedy::ReadLater, loss.facts.adviseOnBack);
         },
     .isOfData = true,
     .goesWithCopies = true,
     .shownOnDevice = {EventKind::CopyD2H}},
    {.cause = LostCause::Migration,
     .id = "migration",
     .name = "unified-memory migration",
     .brief = "migration",
     .changed = "unified-memory migration",
     .drawnAs = EventKind::CopyOther,
     .group = CauseGroup::Copies,
     .explanation = "Managed memory moves page by page, and no kernel computes.",
     .lesson = "two_copies",
     .proofs = {{{.turn = ProofTurn::RunsAlone, .ofDevice = &running<&DeviceActivity::migrations>}}},
     .sentence = "Unified memory moves while nothing is computed, for {}.",
     .advice =
         [](const LossFacts& loss) {
             return std::string(causeAdvice(CopyCause::UnifiedMemory, loss.facts.toDevice, *loss.facts.program));
         },
     .isOfData = true,
     .shownOnDevice = {EventKind::CopyOther}},
    {.cause = LostCause::OtherWork,
     .id = "other_work",
     .name = "other copies and memsets",
     .brief = "other work",
     .changed = "other copies and memsets",
     .drawnAs = EventKind::Memset,
     .group = CauseGroup::Copies,
     .explanation = "Copies within the GPU, or memsets, run alone.",
     .lesson = "both_directions",
     .proofs = {{{.turn = ProofTurn::RunsAlone, .ofDevice = &running<&DeviceActivity::busy>}}},
     .sentence = "Copies within the GPU and memsets run alone for {}.",
     .advice =
         [](const LossFacts& loss) {
             return std::string(
                 loss.facts.program->isPyTorch()
                     ? "Look for tensors that are cloned or zeroed in every step, and reuse their memory."
                     : "Let kernels read and write in place, and zero only what is read before it is "
                       "written.");
         },
     .shownOnDevice = {EventKind::CopyD2D, EventKind::CopyOther, EventKind::Memset}},
    {.cause = LostCause::Swap,
     .id = "swap",
     .name = "swap",
     .brief = "swap",
     .changed = "swapping",
     .drawnAs = EventKind::Instant,
     .group = CauseGroup::Loader,
     .explanation = "The GPU has nothing to do while the machine moves pages to or from swap.",
     .lesson = "memory_pressure",
     .proofs = {{{.turn = ProofTurn::NotOfHost,
                  .ofDevice = [](const ProofContext& of) { return of.memory.swapping; }}}},
     .sentence = &swapSentence,
     .advice = &swapAdvice,
     .isOfData = true,
     .delaysCopies = true,
     .shownOnHost = kOfBatches,
     .shownOnDevice = {EventKind::CopyH2D}},
    {.cause = LostCause::InGraph,
     .id = "in_graph",
     .name = "inside CUDA graphs",
     .brief = "in graphs",
     .changed = "inside CUDA graphs",
     .drawnAs = EventKind::Step,
     .group = CauseGroup::Idle,
     .explanation = "The GPU is idle between two kernels of one CUDA graph, which was launched as a whole.",
     .lesson = "small_tensors",
     .proofs = {{{.turn = ProofTurn::NotOfHost, .ofDevice = &insideGraphs}}},
     .sentence = "Gaps inside CUDA graphs: the GPU idles {} between kernels of one graph that was launched already.",
     .advice = "Make the kernels of the graph fewer and longer: fuse them (torch.compile), or use a larger batch."},
    {.cause = LostCause::Dependency,
     .id = "dependency",
     .name = "stream order and events",
     .brief = "order",
     .changed = "stream order and events",
     .drawnAs = EventKind::Step,
     .group = CauseGroup::Idle,
     .explanation = "The next work was issued in time, and waits for its stream, an event or the GPU itself.",
     .lesson = "side_stream",
     .proofs = {{{.turn = ProofTurn::NotOfHost, .ofDevice = &issuedInTime}}},
     .sentence =
         "Dependency stall: the GPU idles {} with work issued, which waits for an event, for its stream, or for "
         "the GPU itself.",
     .advice =
         [](const LossFacts& loss) {
             return fmt::format("Look at what the work before each gap waits for: events between streams, {}.",
                                runsGraphs(loss.facts)
                                    ? "or copies on the compute stream"
                                    : "copies on the compute stream, or many small kernels that a CUDA "
                                      "graph would start faster");
         },
     .mayBeWarmUp = true},
    {.cause = LostCause::Staging,
     .id = "staging",
     .name = "staging of copies",
     .brief = "staging",
     .changed = "staging",
     .drawnAs = EventKind::HostBlocked,
     .group = CauseGroup::Copies,
     .explanation = "The GPU has nothing to do while the host is blocked in, or just behind, a call that stages or "
                    "waits for a copy.",
     .lesson = "why_pinned",
     .proofs = {{{.turn = ProofTurn::InCall, .ofThread = &doing<HostDoing::BlockingCopy>},
                 {.turn = ProofTurn::Emptied, .ofThread = &emptiedByCopyWaits}}},
     .mayBeWarmUp = true,
     .isOfData = true,
     .goesWithCopies = true,
     .spokenAs = LostCause::Copies},
    {.cause = LostCause::MakingBatches,
     .id = "making_batches",
     .name = "batches made by the launching thread",
     .brief = "loading",
     .changed = "batches made by the launching thread",
     .drawnAs = EventKind::Loader,
     .group = CauseGroup::Loader,
     .explanation =
         "Without workers the launching thread reads and transforms each batch itself, and launches nothing then.",
     .lesson = "workers_and_prefetch",
     .proofs = {{{.turn = ProofTurn::WithBatch, .ofThread = &doing<HostDoing::BatchWork>}}},
     .sentence =
         [](const LossFacts& loss) {
             return fmt::format("The launching thread makes the batches itself: the GPU idles {}{}.{}", loss.lost,
                                firstShareText(loss.facts.places), calledSentence(loss.facts.places));
         },
     .advice = "Let worker processes make them: DataLoader(num_workers=2) or more.",
     .mayBeWarmUp = true,
     .isOfData = true,
     .delaysCopies = true,
     .shownOnHost = kOfBatches,
     .shownOnDevice = {EventKind::CopyH2D}},
    {.cause = LostCause::Batches,
     .id = "batches",
     .name = "waiting for batches",
     .brief = "batches",
     .changed = "waiting for batches",
     .drawnAs = EventKind::Loader,
     .group = CauseGroup::Loader,
     .explanation = "The launching thread waits for the loader, and with it the GPU.",
     .lesson = "workers_and_prefetch",
     .proofs = {{{.turn = ProofTurn::WithBatch, .ofThread = &doing<HostDoing::BatchWait>}}},
     .sentence =
         [](const LossFacts& loss) {
             return fmt::format(
                 "Waiting for batches: the GPU idles {} because the loader has not finished the next one{}.", loss.lost,
                 loss.verdict.loaderSetsPace ? ", though it works all the time: it sets the pace" : "");
         },
     .advice = &batchesAdvice,
     .mayBeWarmUp = true,
     .isOfData = true,
     .delaysCopies = true,
     .shownOnDevice = {EventKind::CopyH2D}},
    {.cause = LostCause::Pinning,
     .id = "pinning",
     .name = "pinning in the training thread",
     .brief = "pinning",
     .changed = "pinning in the training thread",
     .drawnAs = EventKind::Annotation,
     .group = CauseGroup::Loader,
     .explanation = "The training thread pins memory, or copies a batch into such memory, and launches nothing then.",
     .lesson = "pin_then_copy",
     .proofs = {{{.turn = ProofTurn::InCall, .ofThread = &doing<HostDoing::PageLocking>, .ofOthers = false},
                 {.turn = ProofTurn::WithBatch, .ofThread = &doing<HostDoing::Pinning>, .ofOthers = false}}},
     .sentence =
         [](const LossFacts& loss) {
             return fmt::format("{}: the GPU idles {}.",
                                loss.facts.pageLockingNs * 2 >= loss.lostNs
                                    ? "Memory is pinned in the loop"
                                    : "The training thread pins each batch itself",
                                loss.lost);
         },
     .advice = [](const LossFacts& loss) { return loss.advised(Remedy::PinOnce, loss.facts.toDevice); },
     .mayBeWarmUp = true,
     .isOfData = true,
     .delaysCopies = true,
     .shownOnHost = kOfBatches,
     .shownOnDevice = {EventKind::CopyH2D}},
    {.cause = LostCause::Sync,
     .id = "sync",
     .name = "explicit synchronization",
     .brief = "sync",
     .changed = "explicit synchronization",
     .drawnAs = EventKind::Sync,
     .group = CauseGroup::Host,
     .explanation = "The host waited until the GPU had nothing left to do; the GPU is idle for as long as that put the "
                    "host behind.",
     .lesson = "run_ahead",
     .proofs = {{{.turn = ProofTurn::Emptied, .ofThread = &emptiedBySyncs},
                 {.turn = ProofTurn::Emptied, .ofThread = &emptiedByImplicitWaits}}},
     .sentence =
         [](const LossFacts& loss) {
             if (loss.facts.implicit == ImplicitWait::None)
                 return fmt::format(
                     "Synchronizing drains the GPU: the host waits until all is done, and the GPU then idles {} until "
                     "new work arrives.",
                     loss.lost);
             return fmt::format(
                 "Implicit synchronization: {} waits until the GPU is done, and the GPU then idles {} until new work "
                 "arrives.",
                 implicitWaitWords(loss.facts.implicit), loss.lost);
         },
     .advice =
         [](const LossFacts& loss) { return loss.advised(remedyOf(loss.facts.implicit).value_or(Remedy::WaitLess)); },
     .mayBeWarmUp = true},
    {.cause = LostCause::LaunchBound,
     .id = "launch_bound",
     .name = "launch-bound",
     .brief = "launches",
     .changed = "idling between launches",
     .drawnAs = EventKind::RuntimeCall,
     .group = CauseGroup::Host,
     .explanation = "Kernels are so short that each ends before the next launch arrives.",
     .lesson = "small_tensors",
     .proofs = {{{.turn = ProofTurn::ShortGaps, .ofDevice = &betweenShortKernels}}},
     .sentence =
         [](const LossFacts& loss) {
             return fmt::format(
                 "Launch-bound: the GPU idles {} between short kernels, each done before the next launch arrives; its "
                 "{} kernels last {} on average.",
                 loss.lost, formatCount(loss.facts.device->kernels), formatDuration(loss.facts.meanKernelNs));
         },
     .advice =
         [](const LossFacts& loss) {
             return runsGraphs(loss.facts)
                        ? "Launch less: put more of the loop into the CUDA graph, or use a larger batch."
                        : loss.advised(Remedy::LaunchLess);
         },
     .mayBeWarmUp = true},
    {.cause = LostCause::Host,
     .id = "host",
     .name = "host late",
     .brief = "host late",
     .changed = "waiting for the host",
     .drawnAs = EventKind::HostWork,
     .group = CauseGroup::Host,
     .explanation = "The thread that launches works on other things, and nothing is queued on the GPU.",
     .lesson = "run_ahead",
     .proofs = {{{.turn = ProofTurn::AnyWork, .ofThread = &doing<HostDoing::Work>}}},
     .sentence = &hostSentence,
     .advice =
         [](const LossFacts& loss) {
             const VerdictFacts& facts = loss.facts;
             if (const std::optional<Remedy> implicit = remedyOf(facts.implicit))
                 return loss.advised(*implicit);
             // JAX dispatches ahead: what the host does there is the wait for a result, as a rule.
             const bool isUnseen = !facts.hasStacks && facts.hostBetweenNs * 2 >= loss.lostNs &&
                                   facts.program->framework != Framework::Jax;
             return hostAdvice(facts.places, facts.other, facts.launching, *facts.program) +
                    (isUnseen ? " Recorded stacks, or ranges that name the parts of the step, show it." : "");
         },
     .mayBeWarmUp = true},
    {.cause = LostCause::HostBetween,
     .id = "host_between",
     .name = "untraced host code",
     .brief = "host",
     .changed = "waiting for the host",
     .drawnAs = EventKind::HostWork,
     .group = CauseGroup::Host,
     .explanation = "The launching thread runs untraced host code, between two events of the trace.",
     .lesson = "run_ahead",
     .proofs = {{{.turn = ProofTurn::NotRecorded,
                  .ofDevice = [](const ProofContext& of) { return of.host.launchingSpan(of.device.id); }}}},
     .mayBeWarmUp = true,
     .spokenAs = LostCause::Host},
    {.cause = LostCause::Ends,
     .id = "ends",
     .name = "start and end",
     .brief = "ends",
     .changed = "idling at the ends",
     .drawnAs = EventKind::LoaderWait,
     .group = CauseGroup::Idle,
     .explanation = "Before the first and after the last work of the GPU.",
     .lesson = "three_stages",
     .sentence = "The GPU has nothing to do before its first and after its last work: it idles {}.",
     .advice = "Select the part in which the GPU works.",
     .mayBeWarmUp = true},
    {.cause = LostCause::Unknown,
     .id = "unknown",
     .name = "unknown",
     .brief = "unknown",
     .changed = "unknown",
     .drawnAs = EventKind::Overhead,
     .group = CauseGroup::Idle,
     .explanation = "No record shows what the host did then.",
     .lesson = "run_ahead",
     .sentence = "The GPU idles {}; cause unknown: no activity of the launching thread was recorded then.",
     .advice = "Record the host too (ProfilerActivity.CPU, or nsys --trace=cuda,nvtx,osrt), or select a few steps.",
     .mayBeWarmUp = true},
}};
static_assert(standInOrder(kLost, &LostCauseRow::cause));

}  // namespace

std::span<const LostCauseRow> lostCauses()
{
    return kLost;
}

const LostCauseRow& rowOf(LostCause cause)
{
    return kLost[static_cast<std::size_t>(cause)];
}

LostCause spokenOf(LostCause cause)
{
    return rowOf(cause).spokenAs.value_or(cause);
}

LostSums spokenSums(LostSums lostNs)
{
    for (const LostCauseRow& row : lostCauses())
        if (row.spokenAs)
            lostNs[static_cast<std::size_t>(*row.spokenAs)] +=
                std::exchange(lostNs[static_cast<std::size_t>(row.cause)], 0);
    return lostNs;
}

}  // namespace overlane
