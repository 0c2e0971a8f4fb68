// RecordControl: a page shared by the recorder and every process it records, through a mapped file.
//
// The recorder creates it, sets the state and the limit and reads the totals; each process reads
// the state about ten times a second and adds what it wrote. A process without the file records at
// once and without a limit. Everything shared is an atomic, so any thread of any process may use
// it. The file is small and written when made, so that a full disk cannot get in its way.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace overlane
{

enum class RecordState : std::uint32_t {
    Wait = 0,  // attached, nothing enabled
    Record = 1,
    Stop = 2,  // stop for good; what was recorded is kept
};

class RecordControl
{
public:
    // The shared page; fields are appended, never moved.
    struct Page {
        std::uint32_t magic = 0;
        std::uint32_t version = 0;
        std::atomic<std::uint32_t> state;       // RecordState
        std::atomic<std::uint32_t> writeError;  // errno of the first process that could not write
        std::atomic<std::uint64_t> bytes;       // written by all processes together
        std::atomic<std::uint64_t> limitBytes;  // 0 = none
        std::atomic<std::uint32_t> processes;   // that began to record
        std::atomic<std::uint32_t> stopReason;  // RecordStatus of whoever stopped all, else 0
    };

    RecordControl() = default;
    RecordControl(RecordControl&& other) noexcept;
    RecordControl& operator=(RecordControl&& other) noexcept;
    ~RecordControl();

    // Both are not valid() when the file cannot be made or opened; errno says why.
    static RecordControl create(const char* directory);
    static RecordControl open(const char* directory);

    bool valid() const { return m_page != nullptr; }
    RecordState state() const;
    void setState(RecordState state);
    void setLimit(std::uint64_t bytes);
    std::uint64_t bytes() const;
    // Keeps the errno of the first process that could not write; its own spool cannot say so.
    void tellWriteError(int error);
    int writeError() const;  // 0 = none
    Page* page() const { return m_page; }

    // Adds to the total; false where that passes the limit, and then the state is Stop for all.
    bool addBytes(std::uint64_t bytes);

private:
    explicit RecordControl(Page* page) : m_page(page) {}
    static RecordControl map(int file);

    Page* m_page = nullptr;
};

}  // namespace overlane
