// KernelCollectives: which collective each communication kernel of a recorded process carries out, as NCCL told it.
//
// A kernel belongs to the call of NCCL in whose range its thread launched it. Where one range launches several kernels,
// the first has its bytes and number and the others only kind and communicator, since NCCL does not say how it divides
// them. Kernels of CUDA graphs belong to none. Calls are kept up to a bound. One thread; the spool's clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "core/spool/spool_format.h"
#include "core/trace/collective.h"

namespace overlane
{

class KernelCollectives
{
public:
    // By the name, mangled or not.
    static bool isAsked(std::string_view kernel);

    void add(const spool::Collective& call);
    bool isEmpty() const { return m_kept == 0; }

    enum class Answer : std::uint8_t { Later, None, Found };  // Later: the call may not be read yet
    // Of the kernel launched by this thread at this time. `intern` makes the name of its communicator.
    Answer find(std::uint32_t thread, std::int64_t launchNs, const std::function<StringId(std::string_view)>& intern,
                CollectiveInfo& info);

private:
    struct Call {
        spool::Collective told;
        bool isTaken = false;
    };
    std::unordered_map<std::uint32_t, std::deque<Call>> m_calls;  // by thread, in order of their start
    std::size_t m_kept = 0;
};

// The larger of what one rank puts in and gets out, from what NCCL calls the size of the message; 0 where unknown.
std::int64_t collectiveBytes(CollectiveKind kind, std::uint64_t messageBytes, std::int32_t ranks);

}  // namespace overlane
