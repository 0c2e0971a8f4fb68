// The files of a recording: FILE, which grows; FILE.parts, the folder of its spools; FILE.before, what
// FILE replaces, until FILE is complete.
//
// Pure functions of names and the file system, any thread; StartedFiles is one thread's.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/io/overlane_writer.h"
#include "core/recorder/record_session.h"

namespace overlane
{

std::string replacedFile(const std::string& output);
// How to make a trace of what such a folder holds.
std::string recoverCommand(const std::string& folder);
// Why a folder that another recorder holds is left alone.
std::string inUse(const std::string& folder);
// A file with its journal, if any.
void removeRecorded(const std::string& file);
// Its own files only: the folder may be anybody's.
void removeRecording(const std::string& folder);

// What a start has made and moved so far; the destructor takes it back unless it is kept. Killed at any
// moment, it leaves under the name what was there before or a recording that opens.
class StartedFiles
{
public:
    explicit StartedFiles(std::string output) : m_output(std::move(output)) {}
    ~StartedFiles();
    StartedFiles(const StartedFiles&) = delete;
    StartedFiles& operator=(const StartedFiles&) = delete;

    Result<void> makeFolder(RecordCaller caller);
    // The file, without a record yet, in place of what is there, which has a second name from now on.
    Result<OverlaneWriter> makeOutput();
    const std::string& folder() const { return m_folder; }
    // The file that was replaced, which waits for the end of the recording; empty where there was none.
    std::string keep();

private:
    Result<void> keepReplaced();
    void takeBack() const;

    std::string m_output;
    std::string m_folder;
    bool m_keepsReplaced = false;  // under its second name
    bool m_hasOutput = false;      // its first name is this recording's
};

}  // namespace overlane
