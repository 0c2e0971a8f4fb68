// Advice: what to change, by what a copy carries and in the words of the framework that ran.
//
// One sentence or two that a person with that program can do. Names a DataLoader only where the trace has one,
// and no framework where none is known. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/copy_cause.h"
#include "core/analysis/copy_role.h"
#include "core/analysis/host_stacks.h"
#include "core/analysis/implicit_wait.h"
#include "core/analysis/program_traits.h"

namespace overlane
{

enum class Remedy : std::uint8_t {
    Pin,         // page-lock the host's side and copy asynchronously
    NoWait,      // copy asynchronously
    CopyStream,  // copy on a stream of its own
    Ahead,       // ask for the copy earlier
    ReadLater,   // let what goes to the host go there beside kernels
    SendLess,    // the link is too narrow
    PinOnce,     // allocate pinned memory outside the loop
    WaitLess,    // do not wait for the device
    LaunchLess,  // fewer, longer kernels
    HostLess,    // the thread that launches does something else
    FreeLess,    // allocate device memory once, or in stream order
    LoadEarly,   // load kernels before the loop
};

std::string_view advice(Remedy remedy, CopyRole role, const ProgramTraits& program);
// How to have results come to pinned memory.
std::string_view pinnedResultsAdvice(const ProgramTraits& program);
// Whether a late thread was mostly where it launches: at the first place of the launch-bound time.
bool isLaunching(const std::vector<CodeShare>& places, const std::vector<CodeShare>& launching);
// What to do where the launching thread is late, by what its stacks show: what it waits for is to come earlier, work of
// its own is to go elsewhere, unless it is where the thread launches (`launching`: places of the launch-bound time).
std::string hostAdvice(const std::vector<CodeShare>& places, const std::optional<OtherThread>& other,
                       const std::vector<CodeShare>& launching, const ProgramTraits& program);
// What to do about calls that wait for the device although they are not called so; none for None.
std::optional<Remedy> remedyOf(ImplicitWait wait);
// What to do about copies that a cause keeps from hiding; empty for Hidden.
std::string_view causeAdvice(CopyCause cause, CopyRole role, const ProgramTraits& program);

}  // namespace overlane
