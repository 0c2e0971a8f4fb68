// ReadAhead: reads another source ahead on a thread of its own, a few blocks at most.
//
// Owns the inner source and the thread. read() is for one consumer; the destructor stops the
// thread even where nobody read to the end.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/io/byte_source.h"

namespace overlane
{

class ReadAhead final : public ByteSource
{
public:
    explicit ReadAhead(std::unique_ptr<ByteSource> inner);
    ~ReadAhead() override;
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;

    Result<std::size_t> read(std::span<char> target) override;
    std::string damage() const override;
    double fraction() const override { return m_fraction.load(std::memory_order_relaxed); }

private:
    void produce();

    std::unique_ptr<ByteSource> m_inner;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::vector<char>> m_blocks;  // guarded by m_mutex, as are the next four
    std::optional<Error> m_error;
    std::string m_damage;
    bool m_finished = false;
    bool m_stop = false;
    std::atomic<double> m_fraction = 0;
    std::vector<char> m_current;
    std::size_t m_currentAt = 0;
    std::thread m_thread;
};

}  // namespace overlane
