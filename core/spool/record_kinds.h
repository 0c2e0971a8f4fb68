// RecordKinds: what is recorded, as a set of named kinds.
//
// Named in `--kinds`, in OVERLANE_RECORD_KINDS and in the trace. Three presets: "default" is what
// the analysis needs; "light" keeps copies, calls that wait, memory and NVTX and leaves the kernels out; "all" is
// everything. Which preset has what follows from what each kind costs a program that launches many
// small kernels (tests/gpu/README.md): CUPTI keeps what a kind needs for as long as it lives, so that
// nothing dear may be switched on even once where the cost matters. Header only, no dependencies. A value; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace overlane
{

enum class RecordKind : std::uint32_t {
    Copies = 1u << 0,        // copies and memsets on the device, and the calls that issued them
    Kernels = 1u << 1,       // kernels on the device
    Launches = 1u << 2,      // the calls that launch kernels and graphs
    Sync = 1u << 3,          // the calls that wait, or let a stream wait
    Memory = 1u << 4,        // allocations and frees of device and pinned memory
    Nvtx = 1u << 5,          // NVTX ranges and marks
    Events = 1u << 6,        // CUDA events and streams
    Overhead = 1u << 7,      // the profiler's own time
    AllCalls = 1u << 8,      // every runtime and driver call
    KernelSample = 1u << 9,  // kernels in short windows
    External = 1u << 10,     // correlation ids that the program pushes
    Waits = 1u << 11,        // for which stream or event each wait is
};

struct RecordKindName {
    RecordKind kind;
    std::string_view name;
    std::string_view explanation;
};

inline constexpr std::array<RecordKindName, 12> kRecordKindNames = {{
    {RecordKind::Copies, "copies", "copies and memsets, and the calls that issued them"},
    {RecordKind::Kernels, "kernels", "every kernel"},
    {RecordKind::Launches, "launches", "the calls that launch kernels and graphs"},
    {RecordKind::Sync, "sync", "the calls that wait, or let a stream wait"},
    {RecordKind::Memory, "memory", "allocations of device and pinned memory"},
    {RecordKind::Nvtx, "nvtx", "NVTX ranges and marks"},
    {RecordKind::Waits, "waits", "for which stream or event each wait is"},
    {RecordKind::Events, "events", "CUDA events and streams"},
    {RecordKind::Overhead, "overhead", "the profiler's own time"},
    {RecordKind::AllCalls, "calls", "every runtime and driver call"},
    {RecordKind::KernelSample, "kernel-sample", "kernels, in a window of 0.1 s every 1.2 s"},
    {RecordKind::External, "external", "correlation ids that the program pushes"},
}};

class RecordKinds
{
public:
    constexpr RecordKinds() = default;
    constexpr explicit RecordKinds(std::uint32_t bits) : m_bits(bits) {}

    constexpr bool has(RecordKind kind) const { return (m_bits & static_cast<std::uint32_t>(kind)) != 0; }
    constexpr RecordKinds with(RecordKind kind) const { return RecordKinds(m_bits | static_cast<std::uint32_t>(kind)); }
    constexpr RecordKinds without(RecordKind kind) const
    {
        return RecordKinds(m_bits & ~static_cast<std::uint32_t>(kind));
    }
    constexpr std::uint32_t bits() const { return m_bits; }
    friend constexpr bool operator==(RecordKinds, RecordKinds) = default;

    static constexpr RecordKinds light()
    {
        return RecordKinds()
            .with(RecordKind::Copies)
            .with(RecordKind::Sync)
            .with(RecordKind::Memory)
            .with(RecordKind::Nvtx)
            .with(RecordKind::Overhead);
    }
    static constexpr RecordKinds standard() { return light().with(RecordKind::Kernels).with(RecordKind::Launches); }
    static constexpr RecordKinds all()
    {
        return standard()
            .with(RecordKind::Waits)
            .with(RecordKind::Events)
            .with(RecordKind::External)
            .with(RecordKind::AllCalls);
    }

    // False at the first word that is no kind or preset, which `unknown` then names.
    static bool parse(std::string_view list, RecordKinds& kinds, std::string_view& unknown)
    {
        std::uint32_t bits = 0;
        while (!list.empty()) {
            const auto comma = list.find(',');
            const std::string_view word = list.substr(0, comma);
            list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
            if (word.empty())
                continue;
            const std::uint32_t added = bitsOf(word);
            if (added == 0) {
                unknown = word;
                return false;
            }
            bits |= added;
        }
        kinds = bits == 0 ? standard() : RecordKinds(bits);
        return true;
    }

    // "copies,kernels,...", in the order of the table.
    std::string text() const
    {
        std::string result;
        for (const RecordKindName& entry : kRecordKindNames)
            if (has(entry.kind))
                result += (result.empty() ? "" : ",") + std::string(entry.name);
        return result;
    }

private:
    static constexpr std::uint32_t bitsOf(std::string_view word)
    {
        if (word == "default")
            return standard().bits();
        if (word == "light")
            return light().bits();
        if (word == "all")
            return all().bits();
        for (const RecordKindName& entry : kRecordKindNames)
            if (entry.name == word)
                return static_cast<std::uint32_t>(entry.kind);
        return 0;
    }

    std::uint32_t m_bits = 0;
};

}  // namespace overlane
