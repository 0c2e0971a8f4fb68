// ActivityBuffers: owns the memory CUPTI writes its records into.
//
// CUPTI asks for a buffer from any thread, often one of the program's, and gives it back full on any
// thread; the collector takes the full ones. Everything here is safe from all of them, and nothing
// holds the lock while it allocates, zeroes or calls out. Buffers are zeroed before they are given
// (CUPTI is told so and need not do it in the program's thread), aligned to 64 bytes, and their sum
// is bounded: near the bound they get small, at the bound there is none and CUPTI counts what it
// drops. The size follows the rate of records, because CUPTI gives a buffer back when it is full,
// and what is in no full buffer is lost when the program is killed. Once closed everything is freed,
// and what CUPTI still has is freed when it comes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace overlane
{

class ActivityBuffers
{
public:
    static constexpr std::size_t kSmallest = 16u << 10;
    static constexpr std::size_t kLargest = 4u << 20;
    static constexpr std::size_t kAlignment = 64;

    explicit ActivityBuffers(std::size_t mostBytes = 96u << 20) : m_mostBytes(mostBytes) {}
    ActivityBuffers(const ActivityBuffers&) = delete;
    ActivityBuffers& operator=(const ActivityBuffers&) = delete;
    ~ActivityBuffers();

    struct Buffer {
        std::uint8_t* data = nullptr;
        std::size_t size = 0;
        std::size_t valid = 0;
    };

    // data is nullptr where the bound is reached.
    Buffer request();
    void complete(std::uint8_t* data, std::size_t size, std::size_t valid);

    // The next full buffer, in order of completion; data is nullptr where there is none.
    Buffer take();
    // Zeroes a taken buffer and keeps it for the next request.
    void recycle(const Buffer& buffer);

    // Frees what lies ready; the next request allocates anew.
    void freeReady();
    // Gives no buffer any more and keeps none.
    void close();

    // Sizes the next buffers for a rate of records.
    void setRate(double bytesPerSecond);
    // Makes buffers of that size until some lie ready, so that the program's threads need not allocate
    // and touch them.
    void prepare();
    std::size_t bufferBytes() const;
    // Held in all, given out or not.
    std::size_t totalBytes() const;
    std::size_t refusals() const;

private:
    static constexpr std::size_t kReady = 2;
    static constexpr std::size_t kClasses = 9;  // kSmallest doubled eight times is kLargest
    static std::size_t classOf(std::size_t size);

    const std::size_t m_mostBytes;
    mutable std::mutex m_mutex;
    std::array<std::vector<std::uint8_t*>, kClasses> m_free;
    std::deque<Buffer> m_completed;
    std::size_t m_bufferBytes = 256u << 10;
    std::size_t m_totalBytes = 0;
    std::size_t m_refusals = 0;
    bool m_closed = false;
};

}  // namespace overlane
