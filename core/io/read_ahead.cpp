#include "core/io/read_ahead.h"

#include <algorithm>

namespace overlane
{
namespace
{
constexpr std::size_t kBlockBytes = std::size_t{512} << 10;
constexpr std::size_t kBlocksAhead = 8;
}  // namespace

ReadAhead::ReadAhead(std::unique_ptr<ByteSource> inner) : m_inner(std::move(inner))
{
    m_thread = std::thread([this] { produce(); });
}

ReadAhead::~ReadAhead()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void ReadAhead::produce()
{
    for (;;) {
        std::vector<char> block(kBlockBytes);
        Result<std::size_t> count = m_inner->read(block);
        m_fraction.store(m_inner->fraction(), std::memory_order_relaxed);
        std::unique_lock lock(m_mutex);
        if (!count.ok() || count.value() == 0) {
            if (!count.ok())
                m_error = count.failure();
            m_damage = m_inner->damage();
            m_finished = true;
            m_changed.notify_all();
            return;
        }
        block.resize(count.value());
        m_changed.wait(lock, [this] { return m_stop || m_blocks.size() < kBlocksAhead; });
        if (m_stop)
            return;
        m_blocks.push_back(std::move(block));
        m_changed.notify_all();
    }
}

Result<std::size_t> ReadAhead::read(std::span<char> target)
{
    if (m_currentAt == m_current.size()) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_finished || !m_blocks.empty(); });
        if (m_blocks.empty()) {
            if (m_error)
                return *m_error;
            return std::size_t{0};
        }
        m_current = std::move(m_blocks.front());
        m_currentAt = 0;
        m_blocks.pop_front();
        m_changed.notify_all();
    }
    const std::size_t count = std::min(target.size(), m_current.size() - m_currentAt);
    std::copy_n(m_current.data() + m_currentAt, count, target.data());
    m_currentAt += count;
    return count;
}

std::string ReadAhead::damage() const
{
    const std::lock_guard lock(m_mutex);
    return m_damage;
}

}  // namespace overlane
