#include "core/analysis/copy_role.h"

#include <array>

namespace overlane
{
namespace
{

struct RoleText {
    std::string_view id;
    std::string_view name;
    std::string_view words;
};

constexpr std::array<RoleText, kCopyRoleCount> kTexts{{
    {"unknown", "unknown", "data"},
    {"batch", "batch", "batches"},
    {"parameter", "parameter", "parameters"},
    {"activation", "activation", "activations"},
    {"gradient", "gradient", "gradients"},
    {"optimizer_state", "optimizer state", "optimizer state"},
    {"kv_cache", "KV cache", "KV cache"},
    {"result", "result", "results"},
    {"peer", "peer", "data of another GPU"},
    {"migration", "migration", "managed memory"},
    {"within_device", "within the device", "data within the device"},
}};

bool isManaged(const CopyInfo& info)
{
    return info.source == MemoryKind::Managed || info.destination == MemoryKind::Managed;
}

}  // namespace

std::string_view copyRoleId(CopyRole role)
{
    return kTexts[static_cast<std::size_t>(role)].id;
}

std::string_view copyRoleName(CopyRole role)
{
    return kTexts[static_cast<std::size_t>(role)].name;
}

std::string_view copyRoleWords(CopyRole role)
{
    return kTexts[static_cast<std::size_t>(role)].words;
}

CopyRole roleOfOtherCopy(EventKind kind, std::string_view name, const CopyInfo* info)
{
    if (name.starts_with("Unified memory") || (info && isManaged(*info)))
        return CopyRole::Migration;
    const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    if (has("PtoP") || has("Peer-to-Peer") || has("Peer to Peer"))
        return CopyRole::Peer;
    return kind == EventKind::CopyD2D ? CopyRole::WithinDevice : CopyRole::Unknown;
}

}  // namespace overlane
