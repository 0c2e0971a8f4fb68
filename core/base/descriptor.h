// Descriptor: an open file descriptor, closed with its owner. Moved, not copied; -1 is none.
#pragma once

#include <unistd.h>
#include <utility>

namespace overlane
{

class Descriptor
{
public:
    explicit Descriptor(int number = -1) : m_number(number) {}
    Descriptor(Descriptor&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(m_number, other.m_number);
        return *this;
    }
    ~Descriptor()
    {
        if (m_number >= 0)
            ::close(m_number);
    }

    bool valid() const { return m_number >= 0; }
    int get() const { return m_number; }

private:
    int m_number;
};

}  // namespace overlane
