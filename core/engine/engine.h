// Engine: the world in which a loader's actors run.
//
// A loader is written once, as one coroutine per actor, and awaits operations. An engine that
// simulates suspends the coroutine and resumes it when its clock says so; an engine that drives a
// real device gives each actor a thread, makes the blocking call inside start() and never suspends.
// Actors therefore share data only through queues. Objects are made before run(), unless said
// otherwise; operations are started by the actor they name. Times in nanoseconds, sizes in bytes.
#pragma once

#include <coroutine>
#include <cstdint>
#include <string_view>

#include "core/base/result.h"
#include "core/engine/operation.h"
#include "core/engine/task.h"

namespace overlane
{

class Engine
{
public:
    virtual ~Engine() = default;

    virtual StringId label(std::string_view text) = 0;
    virtual ActorId addActor(std::string_view name) = 0;
    // NUMA node that the actor runs on, and so the one its memory comes from; 0 where nobody says. An
    // engine whose threads are placed otherwise need not override it.
    virtual void placeActor(ActorId /*actor*/, std::int64_t /*node*/) {}
    virtual QueueId addQueue(std::string_view name) = 0;
    virtual StreamId addStream(std::string_view name) = 0;
    virtual DeviceBufferId addDeviceBuffer(std::int64_t bytes) = 0;
    virtual GpuEventId addEvent() = 0;  // also while actors run

    // The actor's whole life; owned by the engine until run() has ended.
    virtual void spawn(ActorId actor, Task body) = 0;
    // Until every actor has ended, or the world failed (memory exhausted, device lost, cancelled). Once it
    // has failed no actor goes on: it stays where it waits, and its body is destroyed there. What it
    // allocated is released, at the latest with the engine. The Error is the first thing that went wrong.
    virtual Result<void> run() = 0;

    virtual std::int64_t nowNs() const = 0;
    // Whether the work before the event's last record has ended; true for one never recorded.
    virtual bool eventDone(GpuEventId event) const = 0;
    // Ends the preparation: memory is kept, time starts at 0. Only while no GPU work is under way.
    virtual void startClock() = 0;
    // One step of training, from the caller's start to now.
    virtual void noteStep(StringId label, std::int64_t startNs) = 0;

    // Starts an operation of an actor. True: it has ended and `result` is set. False: `resume` is
    // called once it has; both references stay valid until then.
    virtual bool start(ActorId actor, const Operation& operation, std::int64_t& result,
                       std::coroutine_handle<> resume) = 0;
};

// What an actor's coroutine awaits; the value of co_await is the operation's result, 0 for most.
class Await
{
public:
    Await(Engine& engine, ActorId actor, Operation operation) : m_engine(engine), m_actor(actor), m_operation(operation)
    {
    }
    bool await_ready() const { return false; }
    bool await_suspend(std::coroutine_handle<> caller)
    {
        return !m_engine.start(m_actor, m_operation, m_result, caller);
    }
    std::int64_t await_resume() const { return m_result; }

private:
    Engine& m_engine;
    ActorId m_actor;
    Operation m_operation;
    std::int64_t m_result = 0;
};

}  // namespace overlane
