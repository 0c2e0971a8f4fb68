// Task: a coroutine that an engine or another coroutine owns and awaits.
//
// Starts when it is awaited or resumed for the first time, and destroys its frame with the Task.
// The engine reports failures by ending the run; an exception, of memory that ran out above all, leaves
// through the resume() under way, past the tasks that await, and ends the run as well. One thread at a time.
#pragma once

#include <coroutine>
#include <utility>

namespace overlane
{

class [[nodiscard]] Task
{
public:
    struct promise_type {
        std::coroutine_handle<> continuation;

        Task get_return_object() { return Task(Handle::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        auto final_suspend() noexcept
        {
            struct ToContinuation {
                bool await_ready() noexcept { return false; }
                std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept
                {
                    const auto next = self.promise().continuation;
                    return next ? next : std::noop_coroutine();
                }
                void await_resume() noexcept {}
            };
            return ToContinuation{};
        }
        void return_void() {}
        void unhandled_exception() { throw; }
    };
    using Handle = std::coroutine_handle<promise_type>;

    Task() = default;
    explicit Task(Handle handle) : m_handle(handle) {}
    Task(Task&& other) noexcept : m_handle(std::exchange(other.m_handle, {})) {}
    Task& operator=(Task&& other) noexcept
    {
        std::swap(m_handle, other.m_handle);
        return *this;
    }
    ~Task()
    {
        if (m_handle)
            m_handle.destroy();
    }

    Handle handle() const { return m_handle; }
    bool done() const { return !m_handle || m_handle.done(); }

    bool await_ready() const { return done(); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting)
    {
        m_handle.promise().continuation = awaiting;
        return m_handle;
    }
    void await_resume() const {}

private:
    Handle m_handle;
};

}  // namespace overlane
