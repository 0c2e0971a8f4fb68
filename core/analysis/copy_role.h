// What a copy carries, its role in the program: a batch, parameters, activations that come back later.
//
// Plain values; any thread. Roles are found by assignRoles() (core/analysis/copy_roles.h) from records alone;
// Unknown is an answer.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/trace/event.h"

namespace overlane
{

enum class CopyRole : std::uint8_t {
    Unknown,
    Batch,           // input of an iteration
    Parameter,       // weights that live on the host, or their upload before the first iteration
    Activation,      // to the host in the forward pass, back in the backward pass
    Gradient,        // to an optimizer on the host
    OptimizerState,  // to the device for the update and back
    KvCache,         // keys and values that grow by a token at a time
    Result,          // read by the host: a loss, outputs
    Peer,            // between devices
    Migration,       // managed memory that moves when it is touched
    WithinDevice,
};
constexpr int kCopyRoleCount = 11;

// "batch", "optimizer_state", "kv_cache": what JSON names it by; never changes.
std::string_view copyRoleId(CopyRole role);
// "batch", "optimizer state", "KV cache": in tables.
std::string_view copyRoleName(CopyRole role);
// As the object of a sentence: "batches", "parameters", "optimizer state"; "data" for Unknown.
std::string_view copyRoleWords(CopyRole role);

// Lives on the host for want of device memory and comes to the device when it is needed.
constexpr bool isOffloaded(CopyRole role)
{
    return role >= CopyRole::Parameter && role <= CopyRole::KvCache;
}

// Of a copy that is neither to nor from a device: Peer, Migration, WithinDevice, else Unknown.
CopyRole roleOfOtherCopy(EventKind kind, std::string_view name, const CopyInfo* info);

}  // namespace overlane
