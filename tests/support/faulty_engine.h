// FaultyEngine: another engine in which chosen operations fail, take longer, or cancel the run.
//
// For tests of what a loader does when its world breaks. Passes every call on to the engine inside;
// a fault counts the operations of its kind over all actors and strikes at the n-th. A failed
// operation never returns to its actor: the run is cancelled through the Progress that the inner
// engine watches, and run() answers with the fault's own sentence. Owns neither of the two. Called
// from whatever threads the inner engine's actors run on. Nanoseconds.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/engine/engine.h"

namespace overlane
{

struct Fault {
    enum class At : std::uint8_t {
        Allocation,  // malloc, cudaHostAlloc and cudaHostRegister
        Copy,
        Launch,
        Device,  // whatever needs the GPU: copies, launches, events, waits for them
        Any,
    };
    enum class What : std::uint8_t {
        Fail,    // the operation returns an error, which ends the run
        Delay,   // it starts `delayNs` later
        Cancel,  // somebody asks the run to stop just before it
    };
    At at = At::Any;
    What what = What::Fail;
    std::int64_t number = 1;  // of the operation it strikes, from 1
    std::int64_t delayNs = 0;
};

class FaultyEngine final : public Engine
{
public:
    // `progress` is the one that `inner` was made with.
    FaultyEngine(Engine& inner, Progress& progress, std::vector<Fault> faults);
    FaultyEngine(const FaultyEngine&) = delete;
    FaultyEngine& operator=(const FaultyEngine&) = delete;

    StringId label(std::string_view text) override { return m_inner.label(text); }
    ActorId addActor(std::string_view name) override { return m_inner.addActor(name); }
    void placeActor(ActorId actor, std::int64_t node) override { m_inner.placeActor(actor, node); }
    QueueId addQueue(std::string_view name) override { return m_inner.addQueue(name); }
    StreamId addStream(std::string_view name) override { return m_inner.addStream(name); }
    DeviceBufferId addDeviceBuffer(std::int64_t bytes) override { return m_inner.addDeviceBuffer(bytes); }
    GpuEventId addEvent() override { return m_inner.addEvent(); }
    void spawn(ActorId actor, Task body) override { m_inner.spawn(actor, std::move(body)); }
    Result<void> run() override;
    std::int64_t nowNs() const override { return m_inner.nowNs(); }
    bool eventDone(GpuEventId event) const override { return m_inner.eventDone(event); }
    void startClock() override { m_inner.startClock(); }
    void noteStep(StringId label, std::int64_t startNs) override { m_inner.noteStep(label, startNs); }
    bool start(ActorId actor, const Operation& operation, std::int64_t& result,
               std::coroutine_handle<> resume) override;

    // Operations started so far, of all kinds.
    std::int64_t operations() const { return m_started[static_cast<std::size_t>(Fault::At::Any)]; }

private:
    struct Call {
        ActorId actor;
        const Operation* operation = nullptr;
        std::int64_t* result = nullptr;
        std::coroutine_handle<> resume;
        bool returned = false;  // start() has returned: the actor must be resumed
        bool ended = false;
    };

    const Fault* strikes(const Operation& operation);
    bool delay(ActorId actor, std::int64_t delayNs, const Operation& operation, std::int64_t& result,
               std::coroutine_handle<> resume);
    Task delayed(Call& call, std::int64_t delayNs);

    Engine& m_inner;
    Progress& m_progress;
    const std::vector<Fault> m_faults;
    StringId m_delayLabel;
    mutable std::mutex m_mutex;  // of all below
    std::int64_t m_started[5] = {};
    std::string m_failure;
    std::deque<Call> m_calls;
    std::vector<Task> m_delays;
};

}  // namespace overlane
