// RemoteRecording: a recording that goes on on another machine, followed from here.
//
// The recorder there has a session of its own: a connection that breaks ends neither it nor the program, and its trace
// waits in the folder run(). Owns the connection's process; one thread: call poll() until it answers false.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/remote/remote_frames.h"
#include "core/remote/ssh_session.h"
#include "core/remote/tool_copy.h"

namespace overlane
{

struct RemoteRecordOptions {
    std::string folder;                                            // there, absolute: RemoteMachine::folder
    std::string directory;                                         // there, where the program runs; empty: the home
    std::vector<std::pair<std::string, std::string>> environment;  // set for the program; in no list of processes
    std::vector<std::string> launcher;                             // that starts a recorder for each rank; empty: none
    std::vector<std::string> arguments;                            // of `overlane record`, but for the file's name
    std::string name;                                              // of the trace; empty: the recorder chooses
    std::string shownIn;                                           // the folder here that its sentences are to name
    std::vector<std::string> command;                              // the program
};

class RemoteRecording
{
public:
    using Take = std::function<void(const RemoteFrame&)>;

    static Result<RemoteRecording> start(SshSession& session, const RemoteTool& tool,
                                         const RemoteRecordOptions& options, const Progress& progress);
    // One that goes on there; `tool` is RemoteTraces::tool.
    static Result<RemoteRecording> follow(SshSession& session, const std::string& run, const std::string& tool,
                                          const Progress& progress);

    const std::string& run() const { return m_run; }
    // Waits a moment for what comes. False once the recording has ended or the connection has.
    bool poll(const Take& take);
    // To the recorder and all it started.
    void signal(int number);
    // After the last poll(): how the recorder ended; none where the connection or the recorder was lost.
    const std::optional<ProgramEnd>& end() const { return m_end; }
    // The recorder there is gone and left no word.
    bool isLost() const { return m_lost; }
    // ssh's words of a connection that broke.
    std::string words() const { return m_process.words(); }

private:
    RemoteRecording(SshProcess process, std::string run) : m_process(std::move(process)), m_run(std::move(run)) {}

    SshProcess m_process;
    FrameReader m_frames;
    std::string m_run;
    std::optional<ProgramEnd> m_end;
    bool m_lost = false;
};

}  // namespace overlane
