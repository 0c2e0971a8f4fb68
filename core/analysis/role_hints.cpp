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
constexpr std::array<std::pair<std::string_view, CopyRole>, 35> kHints{{
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
    {"accumulate_grad_in_cpu", CopyRole::Gradient},
    {"copy_grad_to_fp32", CopyRole::Gradient},
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
constexpr std::uint8_t kFirstRole = 2;
constexpr std::uint8_t kOptimizer = kFirstRole + kCopyRoleCount;

std::uint8_t hintClass(std::string_view name)
{
    const std::optional<CopyRole> role = roleOfName(name);
    return role                    ? static_cast<std::uint8_t>(kFirstRole + static_cast<int>(*role))
           : isOptimizerName(name) ? kOptimizer
                                   : kNothing;
}

}  // namespace

std::optional<CopyRole> roleOfName(std::string_view name)
{
    const auto found = std::find_if(kHints.begin(), kHints.end(),
                                    [&](const auto& hint) { return name.find(hint.first) != std::string_view::npos; });
    return found == kHints.end() ? std::nullopt : std::optional(found->second);
}

bool isOptimizerName(std::string_view name)
{
    static constexpr std::array<std::string_view, 6> kSteps{"Optimizer.step", "optimizer.step", "optimizer_step",
                                                            "optimizer step", "cpu_adam",       "optim/"};
    // A schedule wraps a step, and sets a rate outside of it.
    return name.find("lr_scheduler") == std::string_view::npos &&
           std::any_of(kSteps.begin(), kSteps.end(),
                       [&](std::string_view step) { return name.find(step) != std::string_view::npos; });
}

RoleHints::RoleHints(const Trace& trace) : m_trace(trace), m_names(trace, hintClass)
{
    for (std::size_t at = 0; at < trace.tracks().size(); ++at)
        if (const Track& track = trace.tracks()[at]; track.kind == TrackKind::Stacks && track.nativeId != 0)
            m_stacks.try_emplace({track.parent, track.nativeId}, TrackId(at));
}

RoleHint RoleHints::around(EventIndex call)
{
    RoleHint hint;
    if (!call.valid())
        return hint;
    const std::int64_t callNs = m_trace.interval(call).startNs;
    const Track& track = m_trace.track(m_trace.trackOf(call));
    look(track, callNs, hint);
    if (const auto stacks = m_stacks.find({track.parent, track.nativeId}); stacks != m_stacks.end())
        look(m_trace.track(stacks->second), callNs, hint);
    return hint;
}

// A sample is drawn until the next one: it tells whose step it is, not which of the copies within it was asked for.
void RoleHints::look(const Track& track, std::int64_t timeNs, RoleHint& hint)
{
    std::int64_t innermostNs = 0;
    for (std::size_t row = 0; row < std::min(track.rows.size(), kMostRows); ++row) {
        const std::uint32_t at = firstEndingAfter(m_trace, track.rows[row], timeNs);
        if (at == track.rows[row].last)
            continue;
        const EventIndex event(at);
        const EventKind kind = m_trace.kind(event);
        const Interval interval = m_trace.interval(event);
        const bool isSample = isStackFrame(kind);
        if (interval.startNs > timeNs ||
            (!isSample && kind != EventKind::HostWork && kind != EventKind::Annotation && kind != EventKind::Loader))
            continue;
        const std::uint8_t told = m_names.of(event);
        if (told == kOptimizer) {
            if (!hint.optimizer || interval.lengthNs() < hint.optimizer->lengthNs())
                hint.optimizer = interval;
        } else if (told > kNothing && !isSample && (!hint.role || interval.lengthNs() < innermostNs)) {
            hint.role = static_cast<CopyRole>(told - kFirstRole);
            innermostNs = interval.lengthNs();
        }
    }
}

}  // namespace overlane
