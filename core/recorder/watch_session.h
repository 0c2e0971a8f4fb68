// WatchSession: a program that is recorded for some iterations now and then, for as long as it runs.
//
// Each of its processes writes a window (core/spool/record_control.h) into a folder of its own and then leaves CUPTI
// alone. A window that is over waits in takeWindow(); writeWindow() makes a trace of it, on any thread. Between two
// windows nothing is recorded, and their spools are gone with RecordedWindow. Should this process be killed, the
// program goes on: a window that is recorded then ends by itself, and none follows. The program keeps its terminal,
// its signals and its exit code.
//
// Owns the folder of the recording, in TMPDIR. One thread: call poll() a few times a second until it answers false.
// Nanoseconds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "core/recorder/record_session.h"
#include "core/spool/record_control.h"
#include "core/spool/record_kinds.h"
#include "core/spool/recorder_lock.h"
#include "core/system/child_process.h"

namespace overlane
{

struct WatchOptions {
    ProgramStart program;
    double everySeconds = 600;               // from the start of a window to that of the next one
    int iterations = 10;                     // whole ones of a window; 0: durationSeconds counts
    int afterIterations = kAfterIterations;  // that pass before the first window
    double durationSeconds = 0;
    double delaySeconds = 30;             // before the first window where no iterations are counted
    double longestSeconds = 60;           // of a window whose iterations do not come
    std::uint64_t maxBytes = 64'000'000;  // of the spools of a window: about a million events, judged in 150 MB
    RecordKinds kinds = RecordKinds::standard();
    std::string library;     // that records inside the program; empty: the one beside this program
    std::string pythonHook;  // folder of the hook for Python; empty: the one that came with this program
};

// The spools of a window, removed with this object.
struct RecordedWindow {
    std::uint32_t number = 0;  // from 1 on
    std::string folder;
    std::int64_t startUnixNs = 0;
    std::int64_t endUnixNs = 0;
    int iterations = 0;  // whole ones; 0 where none are counted
    std::string cut;     // why it has fewer than were asked for, a sentence; empty where it has all
    ProgramStart program;
    RecordKinds kinds;
};

struct WrittenWindow {
    RecordingTotals totals;
    std::vector<std::string> warnings;
};

// A trace of a window. Removes the window's folder, also where that fails.
Result<WrittenWindow> writeWindow(const RecordedWindow& window, const std::string& output);

class WatchSession
{
public:
    // Starts the program. The Error: no injection library, no room.
    static Result<std::unique_ptr<WatchSession>> start(const WatchOptions& options);
    ~WatchSession();
    WatchSession(const WatchSession&) = delete;
    WatchSession& operator=(const WatchSession&) = delete;

    // Does what is due. False once the program has ended; its last window may still wait then.
    bool poll();
    std::optional<RecordedWindow> takeWindow();
    // No window begins until this is taken back: the one before is still looked at.
    void hold(bool holds) { m_holds = holds; }
    // Ends it for good; the program goes on.
    void stop();
    void signal(int number) { m_program.signal(number); }
    std::optional<ProgramEnd> programEnd() { return m_program.poll(); }

    bool isRecording() const { return m_state != State::Resting; }
    std::uint32_t windows() const { return m_control.window(); }
    std::int64_t startNs() const { return m_startNs; }
    // A sentence since the last call that people should hear of at once; empty: none.
    std::string takeWarning();

private:
    enum class State : std::uint8_t { Resting, Recording, Writing };

    WatchSession(WatchOptions options, TemporaryFolder folder, RecordControl control, RecorderLock lock,
                 ChildProcess program);
    bool isDue(std::int64_t nowNs) const;
    void keepFolder() const;
    void begin(std::int64_t nowNs);
    bool isWritten(std::int64_t nowNs) const;
    void finishWindow(bool programEnded);

    const WatchOptions m_options;
    const TemporaryFolder m_folder;
    RecordControl m_control;
    RecorderLock m_lock;
    ChildProcess m_program;
    State m_state = State::Resting;
    bool m_holds = false;
    bool m_stopped = false;
    bool m_warnedOfNone = false;
    std::int64_t m_startNs = 0;
    std::int64_t m_begunNs = 0;  // the window that runs, or the last one; 0: none yet
    std::int64_t m_endedNs = 0;
    std::int64_t m_begunUnixNs = 0;
    std::string m_warning;
    std::optional<RecordedWindow> m_window;
};

}  // namespace overlane
