// SshProcess: one running `ssh` whose script answers behind a line that no login file can have printed.
//
// Owns the child and its pipes; ends the child when destroyed. One thread. Each wait looks at `progress` ten times a
// second and ends with Error::cancelled() where that is asked for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/descriptor.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/system/child_process.h"

namespace overlane
{

class SshProcess
{
public:
    // `command` is ssh with its options and host; its login command is added here. `host` is for sentences.
    static Result<SshProcess> start(std::vector<std::string> command, std::string host, std::string_view script,
                                    bool deafToKeys);
    ~SshProcess();
    SshProcess(SshProcess&& other) noexcept;
    SshProcess& operator=(SshProcess&&) = delete;

    // The script, and the line before its answer.
    Result<void> begin(const Progress& progress);
    // All of it. False where the other end reads no more.
    Result<bool> send(std::string_view bytes, const Progress& progress);
    void endInput();
    // What has come; empty at the end of it. None after `waitMs` without any.
    std::optional<std::string> read(int waitMs);
    // Everything up to the end.
    Result<std::string> readAll(const Progress& progress);
    // After the end of reading: the Error where ssh itself or the script failed, with their words.
    Result<void> end(const Progress& progress);
    // What it has written to standard error.
    std::string words() const;

private:
    SshProcess(ChildProcess child, std::string host, std::string script);

    std::optional<ChildProcess> m_child;  // none once moved from
    std::string m_host;
    std::string m_script;
    std::string m_mark;
    std::string m_pending;  // read, and not yet handed out
    Descriptor m_input;
    Descriptor m_output;
    Descriptor m_words;
};

}  // namespace overlane
