#include "core/io/nsys_labels.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace overlane
{
namespace
{

// The part of a symbol that differs, or the label in the same spelling: upper case, no separators.
std::string normalized(std::string_view text)
{
    if (const auto kind = text.rfind("_KIND_"); kind != std::string_view::npos)
        text.remove_prefix(kind + 6);
    std::string result;
    for (const char character : text)
        if (std::isalnum(static_cast<unsigned char>(character)))
            result += static_cast<char>(std::toupper(static_cast<unsigned char>(character)));
    return result;
}

}  // namespace

MemoryKind nsysMemoryKind(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, MemoryKind>, 7> kKinds = {{
        {"PAGEABLE", MemoryKind::Pageable},
        {"PINNED", MemoryKind::Pinned},
        {"DEVICE", MemoryKind::Device},
        {"DEVICESTATIC", MemoryKind::Device},
        {"ARRAY", MemoryKind::Array},
        {"MANAGED", MemoryKind::Managed},
        {"MANAGEDSTATIC", MemoryKind::Managed},
    }};
    const std::string key = normalized(text);
    for (const auto& [name, kind] : kKinds)
        if (name == key)
            return kind;
    return MemoryKind::Unknown;
}

NsysCopy nsysCopy(std::string_view text)
{
    struct Row {
        std::string_view symbol;
        std::string_view label;
        NsysCopy copy;
    };
    static constexpr std::array<Row, 13> kCopies = {{
        {"HTOD", "HOSTTODEVICE", {EventKind::CopyH2D, "Memcpy HtoD"}},
        {"DTOH", "DEVICETOHOST", {EventKind::CopyD2H, "Memcpy DtoH"}},
        {"HTOA", "HOSTTOARRAY", {EventKind::CopyH2D, "Memcpy HtoA"}},
        {"ATOH", "ARRAYTOHOST", {EventKind::CopyD2H, "Memcpy AtoH"}},
        {"ATOA", "ARRAYTOARRAY", {EventKind::CopyD2D, "Memcpy AtoA"}},
        {"ATOD", "ARRAYTODEVICE", {EventKind::CopyD2D, "Memcpy AtoD"}},
        {"DTOA", "DEVICETOARRAY", {EventKind::CopyD2D, "Memcpy DtoA"}},
        {"DTOD", "DEVICETODEVICE", {EventKind::CopyD2D, "Memcpy DtoD"}},
        {"HTOH", "HOSTTOHOST", {EventKind::CopyOther, "Memcpy HtoH"}},
        {"PTOP", "PEERTOPEER", {EventKind::CopyD2D, "Memcpy PtoP", false, true}},
        {"UVMHTOD", "UNIFIEDHOSTTODEVICE", {EventKind::CopyOther, "Unified memory HtoD", true}},
        {"UVMDTOH", "UNIFIEDDEVICETOHOST", {EventKind::CopyOther, "Unified memory DtoH", true}},
        {"UVMDTOD", "UNIFIEDDEVICETODEVICE", {EventKind::CopyOther, "Unified memory DtoD", true}},
    }};
    const std::string key = normalized(text);
    for (const Row& row : kCopies)
        if (key == row.symbol || key == row.label)
            return row.copy;
    return {};
}

std::string_view nsysApiName(std::string_view name)
{
    const auto mark = name.rfind("_v");
    // Versions of the CUDA API have four digits or more (3020, 11060).
    if (mark == std::string_view::npos || name.size() - mark < 6)
        return name;
    const std::string_view digits = name.substr(mark + 2);
    const bool isVersion =
        std::all_of(digits.begin(), digits.end(), [](char character) { return character >= '0' && character <= '9'; });
    return isVersion ? name.substr(0, mark) : name;
}

AsyncFlag nsysAsyncFlag(std::string_view apiName)
{
    if (apiName.find("Memcpy") == std::string_view::npos && apiName.find("MemPrefetch") == std::string_view::npos)
        return AsyncFlag::Unknown;
    return apiName.find("Async") != std::string_view::npos ? AsyncFlag::Async : AsyncFlag::Sync;
}

NsysTexts nsysCopyTexts()
{
    static constexpr std::array<std::string_view, 14> kTexts = {"",     "HTOD",    "DTOH",    "HTOA",   "ATOH",
                                                                "ATOA", "ATOD",    "DTOA",    "DTOD",   "HTOH",
                                                                "PTOP", "UVMHTOD", "UVMDTOH", "UVMDTOD"};
    return kTexts;
}

NsysTexts nsysSyncTexts()
{
    static constexpr std::array<std::string_view, 5> kTexts = {"", "Event sync", "Stream wait sync", "Stream sync",
                                                               "Context sync"};
    return kTexts;
}

NsysTexts nsysMemoryOperationTexts()
{
    static constexpr std::array<std::string_view, 2> kTexts = {"ALLOCATION", "DEALLOCATION"};
    return kTexts;
}

NsysTexts nsysNvtxTexts()
{
    static const std::array<std::string_view, 61> kTexts = [] {
        std::array<std::string_view, 61> texts;
        texts[33] = "NvtxCategory";
        texts[34] = "NvtxMark";
        texts[39] = "NvtxThread";
        texts[59] = "NvtxPushPopRange";
        texts[60] = "NvtxStartEndRange";
        return texts;
    }();
    return kTexts;
}

NsysTexts nsysSeverityTexts()
{
    static constexpr std::array<std::string_view, 5> kTexts = {"", "Info", "Warning", "Error", "Verbose"};
    return kTexts;
}

NsysTexts nsysMemoryTexts(NsysMemoryNumbers numbers)
{
    static constexpr std::array<std::string_view, 7> kNsight = {"PAGEABLE", "PINNED",       "DEVICE",       "ARRAY",
                                                                "MANAGED",  "DEVICESTATIC", "MANAGEDSTATIC"};
    static constexpr std::array<std::string_view, 8> kCupti = {"",      "PAGEABLE", "PINNED",       "DEVICE",
                                                               "ARRAY", "MANAGED",  "DEVICESTATIC", "MANAGEDSTATIC"};
    return numbers == NsysMemoryNumbers::Nsight ? NsysTexts(kNsight) : NsysTexts(kCupti);
}

std::optional<NsysMemoryNumbers> nsysMemoryNumbers(EventKind copy, std::int64_t source, std::int64_t target)
{
    if (copy != EventKind::CopyH2D && copy != EventKind::CopyD2H)
        return std::nullopt;
    switch (copy == EventKind::CopyH2D ? target : source) {
        case 2:
            return NsysMemoryNumbers::Nsight;
        case 3:
            return NsysMemoryNumbers::Cupti;
        default:
            return std::nullopt;
    }
}

bool nsysIsWait(std::string_view osCall)
{
    constexpr std::array<std::string_view, 12> kWaits = {"wait",  "poll",       "select",        "sleep",
                                                         "futex", "mutex_lock", "rwlock_rdlock", "rwlock_wrlock",
                                                         "join",  "recv",       "accept",        "sigsuspend"};
    return std::any_of(kWaits.begin(), kWaits.end(),
                       [&](std::string_view part) { return osCall.find(part) != std::string_view::npos; });
}

}  // namespace overlane
