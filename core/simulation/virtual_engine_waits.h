// What the virtual engine's own coroutines await: a time, or a state of the GPU. Internal.
#pragma once

#include "core/simulation/virtual_engine.h"

namespace overlane
{

struct VirtualEngine::Sleep {
    VirtualEngine& engine;
    std::int64_t untilNs;

    bool await_ready() const { return untilNs <= engine.m_nowNs; }
    void await_suspend(std::coroutine_handle<> caller) const { engine.resumeAt(untilNs, caller); }
    void await_resume() const {}
};

struct VirtualEngine::GpuWait {
    VirtualEngine& engine;
    WaitFor what;
    std::uint32_t index = 0;   // of the stream or event
    std::uint64_t ticket = 0;  // of work in the stream, or record of the event
    std::coroutine_handle<> resume = {};

    bool met() const
    {
        switch (what) {
            case WaitFor::StreamStarted:
                return engine.m_gpu.streamStarted(StreamId(index)) >= ticket;
            case WaitFor::StreamDone:
                return engine.m_gpu.streamDone(StreamId(index)) >= ticket;
            case WaitFor::EventReached:
                return engine.m_gpu.eventReached(GpuEventId(index)) >= ticket;
            case WaitFor::Device:
                return engine.m_gpu.outstanding() == 0;
            case WaitFor::LaunchSlot:
                return !engine.launchQueueFull();
        }
        return true;
    }
    bool await_ready() const { return met(); }
    void await_suspend(std::coroutine_handle<> caller)
    {
        resume = caller;
        engine.m_waits.push_back(this);
    }
    void await_resume() const {}
};

}  // namespace overlane
