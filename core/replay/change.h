// Change: one thing that a person could do to a program or its machine, to be tried on a replay.
//
// Plain data with a text form that command line and settings share: "pin", "side_stream=2". Times in
// nanoseconds, rates in bytes per second. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/copy_role.h"
#include "core/analysis/program_traits.h"
#include "core/base/result.h"
#include "core/devices/device_profile.h"

namespace overlane
{

enum class ChangeKind : std::uint8_t {
    Pin,          // the host memory of copies is page-locked, either way; a loader with workers gets a pin thread
    NonBlocking,  // no call waits for the copy to the device that it asked for
    SideStream,   // copies to the device on a stream of their own; value: batches ahead, 0: in the order they have
    DropSyncs,    // no waits for a stream or the device within a step, and no results read there
    MergeSmall,   // small copies to the device that follow each other become one
    Workers,      // value: number of worker processes
    Device,       // `device`: another GPU and the machine around it
    Link,         // bytesPerSecond: another rate of page-locked copies, either way
    ReadLater,    // no call waits for copies to page-locked memory of the host, which reads them an iteration later
};
constexpr int kChangeKindCount = 9;

struct Change {
    ChangeKind kind = ChangeKind::Pin;
    std::int64_t value = 0;
    double bytesPerSecond = 0;
    const DeviceProfile* device = nullptr;

    friend bool operator==(const Change&, const Change&) = default;
};

// "pin", "non_blocking", "side_stream", "side_stream=2", "drop_syncs", "merge_small", "workers=8",
// "device=a100_pcie4", "link=25" (GB/s), "read_later".
Result<Change> parseChange(std::string_view text);
std::string changeText(const Change& change);
std::string changeText(std::span<const Change> changes);  // "pin + side_stream=2"; "no change"
// Whose memory pinning is about: that of copies to the device, of results that come back, or of both.
struct ChangedData {
    ChangedData(CopyRole role) : toDevice(role) {}
    CopyRole toDevice;  // what most of them carry
    bool isToDevice = true;
    bool isResults = false;
};
// What to do, by what the copies carry and in the words of the framework that ran.
std::string changeAdvice(const Change& change, const ChangedData& data, const ProgramTraits& program);
// The same in a few words, as what a person does, without a full stop: "Pin the loader's batches".
std::string changeAction(const Change& change, const ChangedData& data, const ProgramTraits& program);
// "pin", "side_stream=DEPTH", ...: every form that parseChange() takes, with a few words each, and as an action with
// places for the data that the copies carry and for the value.
struct ChangeForm {
    std::string_view form;
    std::string_view words;
    std::string_view action;
};
std::span<const ChangeForm> allChangeForms();
// By names without values, "pin+read_later"; those that are no change are left out.
std::vector<ChangeKind> changeKinds(std::string_view names);

}  // namespace overlane
