#include "cupti/collector/activity_buffers.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace overlane
{
namespace
{

constexpr std::size_t kMostFreePerClass = 8;

}  // namespace

ActivityBuffers::~ActivityBuffers()
{
    close();
}

void ActivityBuffers::freeReady()
{
    std::array<std::vector<std::uint8_t*>, kClasses> free;
    {
        const std::lock_guard lock(m_mutex);
        free.swap(m_free);
        for (std::size_t kind = 0; kind < kClasses; ++kind)
            m_totalBytes -= free[kind].size() * (kSmallest << kind);
    }
    for (const std::vector<std::uint8_t*>& buffers : free)
        for (std::uint8_t* buffer : buffers)
            std::free(buffer);
}

void ActivityBuffers::close()
{
    std::array<std::vector<std::uint8_t*>, kClasses> free;
    std::deque<Buffer> completed;
    {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        free.swap(m_free);
        completed.swap(m_completed);
        for (std::size_t kind = 0; kind < kClasses; ++kind)
            m_totalBytes -= free[kind].size() * (kSmallest << kind);
        for (const Buffer& buffer : completed)
            m_totalBytes -= buffer.size;
    }
    for (const std::vector<std::uint8_t*>& buffers : free)
        for (std::uint8_t* buffer : buffers)
            std::free(buffer);
    for (const Buffer& buffer : completed)
        std::free(buffer.data);
}

std::size_t ActivityBuffers::classOf(std::size_t size)
{
    return static_cast<std::size_t>(std::countr_zero(size) - std::countr_zero(kSmallest));
}

ActivityBuffers::Buffer ActivityBuffers::request()
{
    Buffer buffer;
    {
        const std::lock_guard lock(m_mutex);
        if (m_closed)
            return {};
        // In the last quarter of the bound many threads share what is left in small pieces.
        buffer.size = m_totalBytes + m_bufferBytes > m_mostBytes / 4 * 3 ? kSmallest : m_bufferBytes;
        std::vector<std::uint8_t*>& free = m_free[classOf(buffer.size)];
        if (!free.empty()) {
            buffer.data = free.back();
            free.pop_back();
            return buffer;
        }
        if (m_totalBytes + buffer.size > m_mostBytes) {
            ++m_refusals;
            return {};
        }
        m_totalBytes += buffer.size;
    }
    buffer.data = static_cast<std::uint8_t*>(std::aligned_alloc(kAlignment, buffer.size));
    if (buffer.data == nullptr) {
        const std::lock_guard lock(m_mutex);
        m_totalBytes -= buffer.size;
        ++m_refusals;
        return {};
    }
    std::memset(buffer.data, 0, buffer.size);
    return buffer;
}

void ActivityBuffers::complete(std::uint8_t* data, std::size_t size, std::size_t valid)
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_closed) {
            m_completed.push_back({data, size, std::min(valid, size)});
            return;
        }
        m_totalBytes -= size;
    }
    std::free(data);
}

ActivityBuffers::Buffer ActivityBuffers::take()
{
    const std::lock_guard lock(m_mutex);
    if (m_completed.empty())
        return {};
    const Buffer buffer = m_completed.front();
    m_completed.pop_front();
    return buffer;
}

void ActivityBuffers::recycle(const Buffer& buffer)
{
    std::memset(buffer.data, 0, buffer.size);
    {
        const std::lock_guard lock(m_mutex);
        std::vector<std::uint8_t*>& free = m_free[classOf(buffer.size)];
        if (!m_closed && free.size() < kMostFreePerClass && buffer.size <= m_bufferBytes) {
            free.push_back(buffer.data);
            return;
        }
        m_totalBytes -= buffer.size;
    }
    std::free(buffer.data);
}

void ActivityBuffers::setRate(double bytesPerSecond)
{
    constexpr double kSecondsPerBuffer = 0.2;
    const double wanted =
        std::clamp(bytesPerSecond * kSecondsPerBuffer, static_cast<double>(kSmallest), static_cast<double>(kLargest));
    const std::size_t size = std::bit_ceil(static_cast<std::size_t>(wanted));
    const std::lock_guard lock(m_mutex);
    m_bufferBytes = std::min(size, kLargest);
}

void ActivityBuffers::prepare()
{
    for (;;) {
        std::size_t size = 0;
        {
            const std::lock_guard lock(m_mutex);
            size = m_bufferBytes;
            // The last quarter of the bound is for whoever asks.
            if (m_closed || m_free[classOf(size)].size() >= kReady || m_totalBytes + size > m_mostBytes / 4 * 3)
                return;
            m_totalBytes += size;
        }
        auto* data = static_cast<std::uint8_t*>(std::aligned_alloc(kAlignment, size));
        if (data != nullptr)
            std::memset(data, 0, size);
        const std::lock_guard lock(m_mutex);
        if (data == nullptr) {
            m_totalBytes -= size;
            return;
        }
        m_free[classOf(size)].push_back(data);
    }
}

std::size_t ActivityBuffers::bufferBytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_bufferBytes;
}

std::size_t ActivityBuffers::totalBytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_totalBytes;
}

std::size_t ActivityBuffers::refusals() const
{
    const std::lock_guard lock(m_mutex);
    return m_refusals;
}

}  // namespace overlane
