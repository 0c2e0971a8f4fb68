// RecordControl: a page shared by the recorder and every process it records, through a mapped file.
//
// The recorder creates it, sets the state and the limit and reads the totals; each process reads
// the state about ten times a second, more often where iterations are counted, and adds what it wrote. A process
// without the file records at once and without a limit. Everything shared is an atomic, so any thread of any process
// may use it. The file is small and written when made, so that a full disk cannot get in its way.
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
        // A recording of some iterations; all 0 for any other.
        std::atomic<std::uint32_t> iterationsAfter;   // to let pass first
        std::atomic<std::uint32_t> iterationsWanted;  // whole ones
        std::atomic<std::uint32_t> iterationsBegun;   // so far, the most that a process counted
        std::atomic<std::uint32_t> iterationsFrom;    // that ran when recording had begun; 0 = it has not
        std::atomic<std::uint32_t> waited;            // processes that were attached and waited to record
        // A recording in windows; all 0 for any other. Each window has a folder of its own (windowFolder()), from 1 on.
        std::atomic<std::uint32_t> windowed;
        std::atomic<std::uint32_t> window;        // that is recorded, or was last
        std::atomic<std::uint32_t> windowLeft;    // processes that recorded it and have written all of it
        std::atomic<std::int64_t> windowUntilNs;  // when it ends at the latest; of the spool's clock
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

    // Recording waits for the first `after` iterations to pass, holds `wanted` whole ones and then stops.
    void boundIterations(std::uint32_t after, std::uint32_t wanted);
    bool isBounded() const;
    // By what counts: as many iterations began in a process so far.
    void countIterations(std::uint32_t begun);
    // Begins and stops the recording as the count says. By the recorder and each process that looks at the state.
    void followIterations();
    // By a process that is attached and waits, and by each whose recording has begun: which may have taken a while, so
    // that whole iterations begin here for one that waited.
    void waits();
    void beganRecording(bool waited);
    // By a process that waited and cannot record: others need not wait for it.
    void cannotRecord();

    // Recording comes and goes: between two windows the state is Wait. Before any process opens the page.
    void divideIntoWindows();
    bool isDivided() const;
    std::uint32_t window() const;
    // By the recorder, between two windows: so many whole iterations (0 = none are counted), at most until then and to
    // that size. Each process ends its part itself, also once the recorder is gone.
    void beginWindow(std::uint32_t iterations, std::int64_t untilNs, std::uint64_t limitBytes);
    // Does nothing between two windows.
    void endWindow();
    // By each process that recorded it, behind its last write.
    void leftWindow();

private:
    bool windowIsOver() const;
    explicit RecordControl(Page* page) : m_page(page) {}
    static RecordControl map(int file);

    Page* m_page = nullptr;
};

// The folder of a window within that of the recording; number 0 has what processes say when they are attached.
std::string windowFolder(const std::string& directory, std::uint32_t window);

}  // namespace overlane
