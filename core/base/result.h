// Result<T>: a value or an Error, for everything that can fail because of the outside world.
//
// Owns its value. `operator bool` is deleted on purpose: with Result<bool> it would be read two
// ways. Ask ok() and then take value() or error(). Programming mistakes are asserts, not Errors.
// A function that only hands an error on says so in one line: ASSIGN_OR_RETURN, RETURN_IF_ERROR.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace overlane
{

enum class ErrorKind : std::uint8_t {
    Failed,
    Cancelled,  // somebody asked for it: nothing to tell, nothing to mend
};

// One sentence a person can act on: what was wrong, where, and what to do next.
struct Error {
    std::string message;
    ErrorKind kind = ErrorKind::Failed;

    static Error cancelled() { return {"Cancelled.", ErrorKind::Cancelled}; }
    bool isCancelled() const { return kind == ErrorKind::Cancelled; }

    // "WHERE: message"; that something was cancelled needs no place.
    Error in(std::string_view where) const
    {
        return isCancelled() ? *this : Error{std::string(where) + ": " + message, kind};
    }
};

template <typename T>
class [[nodiscard]] Result
{
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const = delete;

    bool ok() const { return m_state.index() == 0; }
    bool isCancelled() const { return !ok() && failure().isCancelled(); }

    const T& value() const&
    {
        assert(ok());
        return std::get<0>(m_state);
    }
    T& value() &
    {
        assert(ok());
        return std::get<0>(m_state);
    }
    T&& value() &&
    {
        assert(ok());
        return std::get<0>(std::move(m_state));
    }

    // What to show a person.
    const std::string& error() const { return failure().message; }
    // What to hand on.
    const Error& failure() const
    {
        assert(!ok());
        return std::get<1>(m_state);
    }

private:
    std::variant<T, Error> m_state;
};

// Success or an Error, for operations without a value.
template <>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)), m_failed(true) {}

    explicit operator bool() const = delete;

    bool ok() const { return !m_failed; }
    bool isCancelled() const { return m_failed && m_error.isCancelled(); }
    const std::string& error() const { return failure().message; }
    const Error& failure() const
    {
        assert(m_failed);
        return m_error;
    }

private:
    Error m_error;
    bool m_failed = false;
};

}  // namespace overlane

// RETURN_IF_ERROR(expression): evaluates a Result, and leaves the function with its Error if it failed.
#define RETURN_IF_ERROR(...)                             \
    do {                                                 \
        if (auto result_ = (__VA_ARGS__); !result_.ok()) \
            return result_.failure();                    \
    } while (false)

// ASSIGN_OR_RETURN(const Trace trace, readTrace(path)): declares or assigns what is left of the comma from the value of
// a Result, or leaves the function with its Error. Two statements, so not after an `if` without braces.
#define ASSIGN_OR_RETURN(target, ...) OVERLANE_ASSIGN_OR_RETURN(OVERLANE_JOIN(result_, __LINE__), target, __VA_ARGS__)

#define OVERLANE_ASSIGN_OR_RETURN(result, target, ...) \
    auto result = (__VA_ARGS__);                       \
    if (!result.ok())                                  \
        return result.failure();                       \
    target = std::move(result).value()
#define OVERLANE_JOIN(left, right) OVERLANE_JOIN_NOW(left, right)
#define OVERLANE_JOIN_NOW(left, right) left##right
