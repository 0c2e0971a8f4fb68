#include "core/analysis/role_hints.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/analysis/track_lookup.h"

namespace overlane
{
namespace
{

// Ranges nest no deeper in programs that people write.
constexpr std::size_t kMostRows = 64;

// The first that a name holds decides, so that narrower words stand before wider ones.
constexpr std::array<std::pair<std::string_view, CopyRole>, 33> kHints{{
    {"save_on_cpu", CopyRole::Activation},
    {"pack_to_cpu", CopyRole::Activation},
    {"unpack_from_cpu", CopyRole::Activation},
    {"pack_hook", CopyRole::Activation},
    {"OffloadActivations", CopyRole::Activation},
    {"offload_activation", CopyRole::Activation},
    {"activation_offload", CopyRole::Activation},
    {"kv_cache", CopyRole::KvCache},
    {"KVCache", CopyRole::KvCache},
    {"kv_offload", CopyRole::KvCache},
    {"swap_blocks", CopyRole::KvCache},
    {"offload_grad", CopyRole::Gradient},
    {"post_backward_reduce", CopyRole::Gradient},
    {"_post_backward", CopyRole::Gradient},
    {"copy_grads", CopyRole::Gradient},
    {"inputs_to_device", CopyRole::Batch},
    {"FSDP::all_gather", CopyRole::Parameter},
    {"FSDP::pre_forward", CopyRole::Parameter},
    {"FSDP::pre_backward", CopyRole::Parameter},
    {"FullyShardedDataParallel._pre_", CopyRole::Parameter},
    {"unshard", CopyRole::Parameter},
    {"fetch_sub_module", CopyRole::Parameter},
    {"prefetch_param", CopyRole::Parameter},
    {"load_weights", CopyRole::Parameter},
    {"load_state_dict", CopyRole::Parameter},
    {"optimizer_state", CopyRole::OptimizerState},
    {"transfer_batch_to_device", CopyRole::Batch},
    {"batch_to_device", CopyRole::Batch},
    {"move_data_to_device", CopyRole::Batch},
    {"send_to_device", CopyRole::Batch},
    {"load_batch", CopyRole::Batch},
    {"copy_batch", CopyRole::Batch},
    {"read result", CopyRole::Result},
}};

// 0 is kept for "not asked yet".
constexpr std::uint8_t kNothing = 1;

std::uint8_t classOf(std::string_view name)
{
    const std::optional<CopyRole> role = roleOfName(name);
    return role ? static_cast<std::uint8_t>(kNothing + 1 + static_cast<int>(*role)) : kNothing;
}

}  // namespace

std::optional<CopyRole> roleOfName(std::string_view name)
{
    const auto found = std::find_if(kHints.begin(), kHints.end(),
                                    [&](const auto& hint) { return name.find(hint.first) != std::string_view::npos; });
    return found == kHints.end() ? std::nullopt : std::optional(found->second);
}

RoleHints::RoleHints(const Trace& trace) : m_trace(trace), m_names(trace, classOf) {}

std::optional<CopyRole> RoleHints::around(EventIndex call)
{
    if (!call.valid())
        return {};
    const std::int64_t callNs = m_trace.interval(call).startNs;
    const Track& track = m_trace.track(m_trace.trackOf(call));
    std::optional<CopyRole> role;
    std::int64_t innermostNs = 0;
    for (std::size_t row = 0; row < std::min(track.rows.size(), kMostRows); ++row) {
        const std::uint32_t at = firstEndingAfter(m_trace, track.rows[row], callNs);
        if (at == track.rows[row].last)
            continue;
        const EventIndex event(at);
        const EventKind kind = m_trace.kind(event);
        const Interval interval = m_trace.interval(event);
        const std::uint8_t told = m_names.of(event);
        if (interval.startNs <= callNs && told > kNothing && (!role || interval.lengthNs() < innermostNs) &&
            (kind == EventKind::HostWork || kind == EventKind::Annotation || kind == EventKind::Loader)) {
            role = static_cast<CopyRole>(told - kNothing - 1);
            innermostNs = interval.lengthNs();
        }
    }
    return role;
}

}  // namespace overlane
