#include "core/findings/cause_family.h"

#include <algorithm>
#include <array>

namespace overlane
{
namespace
{

using enum RuleId;

constexpr std::array kOfCopies{PageableAsync, SyncCopies,    PageableSideStream, SameStream,
                               DefaultStream, StreamWait,    SmallCopies,        SlowLink,
                               LinkBound,     UnifiedMemory, LateCopies,         SyncPerStep};
constexpr std::array kOfReadBack{ReadBack, OneDirection, SyncPerStep, SlowLink, UnifiedMemory};
constexpr std::array kOfCommunication{ExposedCommunication};
constexpr std::array kOfMigration{UnifiedMemory};
constexpr std::array kOfOtherWork{UnifiedMemory, DeviceCopies};
constexpr std::array kOfGraph{GraphGaps};
constexpr std::array kOfDependency{DependencyStall};
constexpr std::array kOfSwap{PrefetchTooDeep};
constexpr std::array kOfBatches{LoaderStarved};
constexpr std::array kOfPinning{PinInTrainingThread, PinnedAllocation};
constexpr std::array kOfSync{SyncPerStep};
constexpr std::array kOfLaunches{LaunchBound};
constexpr std::array kOfHost{HostLate};
constexpr std::array kOfCompute{NothingToWin};

constexpr std::array kOfPageable{PageableAsync, SyncCopies, PageableSideStream, SmallCopies};
constexpr std::array kOfCalls{SyncCopies};
constexpr std::array kOfSameStream{SameStream, SlowLink};
constexpr std::array kOfEvents{StreamWait, SlowLink};
constexpr std::array kOfDefaultStream{DefaultStream, SlowLink};
constexpr std::array kOfLink{LinkBound, SlowLink};
constexpr std::array kOfLate{LateCopies, SlowLink};
constexpr std::array kOfSmall{SmallCopies};
constexpr std::array kOfManaged{UnifiedMemory};

template <typename Families, typename Cause>
std::span<const RuleId> rulesFor(const Families& families, Cause cause)
{
    return families[static_cast<std::size_t>(cause)].rules;
}

}  // namespace

std::span<const CauseFamily> causeFamilies()
{
    static constexpr std::array<CauseFamily, kLostCauseCount> kFamilies{{
        {LostCause::Copies, kOfCopies},
        {LostCause::Staging, kOfCopies},
        {LostCause::ReadBack, kOfReadBack},
        {LostCause::Communication, kOfCommunication},
        {LostCause::Migration, kOfMigration},
        {LostCause::OtherWork, kOfOtherWork},
        {LostCause::Swap, kOfSwap},
        {LostCause::InGraph, kOfGraph},
        {LostCause::Dependency, kOfDependency},
        {LostCause::Batches, kOfBatches},
        {LostCause::MakingBatches, kOfBatches},
        {LostCause::Pinning, kOfPinning},
        {LostCause::Sync, kOfSync},
        {LostCause::LaunchBound, kOfLaunches},
        {LostCause::Host, kOfHost},
        {LostCause::HostBetween, kOfHost},
        {LostCause::Ends, {}},
        {LostCause::Unknown, {}},
    }};
    return kFamilies;
}

std::span<const CopyFamily> copyFamilies()
{
    static constexpr std::array<CopyFamily, kCopyCauseCount> kFamilies{{
        {CopyCause::Hidden, {}},
        {CopyCause::UnifiedMemory, kOfManaged},
        {CopyCause::OutsideKernels, {}},
        {CopyCause::StagedInline, kOfSmall},
        {CopyCause::PageableMemory, kOfPageable},
        {CopyCause::SynchronousCall, kOfCalls},
        {CopyCause::SameStream, kOfSameStream},
        {CopyCause::EventDependency, kOfEvents},
        {CopyCause::LegacyDefaultStream, kOfDefaultStream},
        {CopyCause::EngineBusy, kOfLink},
        {CopyCause::HostSync, kOfSync},
        {CopyCause::UnknownMemory, {}},
        {CopyCause::NoCompute, kOfLate},
        {CopyCause::Unknown, {}},
    }};
    return kFamilies;
}

std::span<const RuleId> rulesOf(const Verdict& verdict)
{
    if (verdict.computeBound)
        return kOfCompute;
    if (!verdict.mainLoss || verdict.tone != VerdictTone::Problem)
        return {};
    if (*verdict.mainLoss != LostCause::Copies)
        return rulesFor(causeFamilies(), *verdict.mainLoss);
    if (verdict.linkBound)
        return kOfLink;
    return verdict.cause ? rulesFor(copyFamilies(), *verdict.cause) : std::span<const RuleId>();
}

const Finding* firstOfTime(const FindingList& list)
{
    const auto found = std::find_if(list.findings.begin(), list.findings.end(),
                                    [](const Finding& finding) { return finding.severity != FindingSeverity::Hazard; });
    return found == list.findings.end() ? nullptr : &*found;
}

bool agree(const Verdict& verdict, const FindingList& list)
{
    const std::span<const RuleId> rules = rulesOf(verdict);
    const Finding* first = firstOfTime(list);
    if (rules.empty())
        return !first || first->severity != FindingSeverity::Problem;
    return first && std::find(rules.begin(), rules.end(), first->rule) != rules.end();
}

}  // namespace overlane
