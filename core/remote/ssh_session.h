// SshSession: another machine over the person's own `ssh`: their configuration, agent, keys and jump hosts.
//
// All calls share one connection (ControlMaster, its socket in a private temporary folder), so that a password is asked
// once; where the folder's name is too long for a socket each call connects for itself. Owns the folder and that
// connection, which ends with this object, or a minute after a process that was killed. One thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "core/remote/ssh_process.h"

namespace overlane
{

class SshSession
{
public:
    // Connects to nothing yet. `host` is whatever ssh takes: user@machine, a name of ~/.ssh/config, ssh://machine:port.
    static Result<SshSession> make(const std::string& host);
    ~SshSession();
    SshSession(SshSession&&) = default;
    SshSession& operator=(SshSession&&) = delete;

    const std::string& host() const { return m_host; }
    // Starts a script of a POSIX shell there, up to the beginning of its answer.
    Result<SshProcess> start(std::string_view script, const Progress& progress);
    // What the script prints. The Error where it exits with another code than 0: its last words.
    Result<std::string> ask(std::string_view script, const Progress& progress);

private:
    SshSession(std::string host, TemporaryFolder folder);
    std::vector<std::string> command() const;

    std::string m_host;
    TemporaryFolder m_folder;
    bool m_connected = false;
};

}  // namespace overlane
