// RecordSession: one recording of a program and everything it starts, from its first instruction to
// the finished file.
//
// The program runs with the injection library in its environment; each of its processes that uses
// CUDA writes a spool into FILE.parts, and the session merges them into FILE about once a second.
// Whatever is killed, at most the last second is lost: the file opens with what it holds, and what
// the folder holds besides is merged by recoverRecording(). A file that is replaced waits as
// FILE.before until the new one is complete. The program itself is never touched: it
// keeps its terminal, its signals and its exit code, and goes on when recording cannot.
//
// Owns the file, the folder and the threads that sample gauges and stacks. One thread: call poll() a few times a second
// until it answers false, then finish().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/recorder/perf_ring.h"
#include "core/spool/record_kinds.h"
#include "core/spool/recording_merger.h"
#include "core/system/child_process.h"

namespace overlane
{

// Who asks, and so in whose words a sentence says what to do next.
enum class RecordCaller : std::uint8_t { Terminal, Window };

// Python code waits some tenths of a millisecond for a look, other code some microseconds:
// resources/help/stacks.md.
constexpr std::int64_t kStacksUs = 20'000;

// Caches fill and kernels are compiled in the first ones.
constexpr int kAfterIterations = 10;

struct RecordOptions {
    ProgramStart program;
    std::string output;  // .overlane
    bool overwrite = false;
    double delaySeconds = 0;     // of recording; the program starts at once
    double durationSeconds = 0;  // of recording; 0 = until the program ends
    // Of the program's own loop: so many whole ones behind the first afterIterations, in place of seconds; 0 = no
    // bound.
    int iterations = 0;
    int afterIterations = kAfterIterations;
    std::uint64_t maxBytes = 0;  // of spools; 0 = no limit
    RecordKinds kinds = RecordKinds::standard();
    bool gauges = true;
    std::string library;   // that records inside the program; empty: the one beside this program
    bool pytorch = false;  // show PyTorch's DataLoader as well
    // Between two looks at the stacks of programs that use GPUs, on average; 0 = none. A hook inside looks at those of
    // Python, where this program came with it, the recorder itself at those of all others (native_stacks.h).
    std::int64_t stacksUs = 0;
    OpenPerfEvent openPerfEvent;  // how it does; empty: as the system does
    std::string pytorchHook;      // folder of the hook for the loader and for Python's stacks; empty: the one that came
                                  // with this program
    RecordCaller caller = RecordCaller::Terminal;
    // Where another process than the program is recorded, which handed itself this recording's environment
    // (python/overlane/_record.py): what the trace is called, and whose memory the gauges show. Empty and 0: the
    // program.
    std::string title;
    pid_t gaugesOf = 0;
};

struct RecordOutcome {
    std::string file;
    std::optional<ProgramEnd> program;  // none where it still runs
    RecordingTotals totals;
    std::string failure;                // how a program that failed ended, a sentence; also in the trace's notes
    std::vector<std::string> warnings;  // sentences of the recording that takeWarnings() did not answer
};

// "The program ended with exit code 1 after 3.20 s"; empty for one that did not fail.
std::string failureText(const ProgramEnd& end, std::int64_t afterNs);

class RecordSession
{
public:
    enum class State : std::uint8_t {
        Waiting,  // for the delay or the first iterations to pass
        Recording,
        Stopped,  // the program goes on
        Ended,    // the program has ended
    };

    // Starts the program. The Error: no injection library, a file that exists already, no room.
    static Result<std::unique_ptr<RecordSession>> start(const RecordOptions& options);
    ~RecordSession();
    RecordSession(const RecordSession&) = delete;
    RecordSession& operator=(const RecordSession&) = delete;

    // Does what is due. False once the program has ended.
    bool poll();
    void stopRecording();
    // To the program.
    void signal(int number) { m_program.signal(number); }

    State state() const { return m_state; }
    std::int64_t elapsedNs() const;  // of recording
    // Where iterations bound it: those that began, in the program and within the recording.
    int iterationsBegun() const;
    int iterationsRecorded() const;
    const RecordOptions& options() const { return m_options; }
    const RecordingTotals& totals() const;
    std::optional<ProgramEnd> programEnd() { return m_program.poll(); }
    // Sentences since the last call that people should hear of at once.
    std::vector<std::string> takeWarnings();

    // Merges the rest and closes the file. Also before the program's end: then it goes on unrecorded.
    Result<RecordOutcome> finish();

private:
    struct Merge;  // the file, and what fills it

    RecordSession(RecordOptions options, ChildProcess program, std::string folder);
    void mergeNow();
    void awaitLastFlush();
    std::vector<std::string> untold() const;
    void followState(std::int64_t nowNs);
    std::string iterationsText() const;

    const RecordOptions m_options;
    const std::string m_folder;
    ChildProcess m_program;
    State m_state = State::Waiting;
    std::unique_ptr<Merge> m_merge;
    std::vector<std::string> m_warnings;
    std::set<std::string> m_told;  // taken by takeWarnings()
    std::int64_t m_startNs = 0;
    std::int64_t m_recordingNs = 0;  // when it began; 0 = not yet
    std::int64_t m_stoppedNs = 0;
    std::int64_t m_endedNs = 0;  // when the program's end was seen
    std::int64_t m_mergedNs = 0;
    bool m_warnedOfNone = false;
};

// The folder of a recording whose recorder did not live to finish it.
std::string recordingFolder(const std::string& output);
// Merges such a folder into `output`, which must not exist, and removes the folder.
Result<RecordOutcome> recoverRecording(const std::string& folder, const std::string& output);

}  // namespace overlane
