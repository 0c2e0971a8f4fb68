// Result<T>: a value or an Error, for everything that can fail because of the outside world.
//
// Owns its value. `operator bool` is deleted on purpose: with Result<bool> it would be read two
// ways. Ask ok() and then take value() or error(). Programming mistakes are asserts, not Errors.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace overlane
{

// One sentence a person can act on: what was wrong, where, and what to do next.
struct Error {
    std::string message;
};

template <typename T>
class [[nodiscard]] Result
{
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const = delete;

    bool ok() const { return m_state.index() == 0; }

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

    const std::string& error() const
    {
        assert(!ok());
        return std::get<1>(m_state).message;
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
    const std::string& error() const
    {
        assert(m_failed);
        return m_error.message;
    }

private:
    Error m_error;
    bool m_failed = false;
};

}  // namespace overlane
