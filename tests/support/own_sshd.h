// OwnSshd: OpenSSH's own server for a test (sshd -i behind ProxyCommand, so that no port is opened), and an `ssh`
// before all others in PATH that knows it as "there". It is "changed" with another host key, and "closed" to the key.
#pragma once

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <string>

#include "tests/support/temp_dir.h"

namespace overlane::test
{

class OwnSshd
{
public:
    OwnSshd()
    {
        std::error_code error;
        if (!std::filesystem::exists(kServer, error) || !std::filesystem::exists(kClient, error))
            return;
        for (const char* key : {"host", "other", "key"})
            if (run(fmt::format("ssh-keygen -q -t ed25519 -N '' -f {}", m_dir.path(key))) != 0)
                return;
        std::filesystem::copy_file(m_dir.path("key.pub"), m_dir.path("authorized"));
        m_dir.write("server",
                    fmt::format("HostKey {0}/host\nAuthorizedKeysFile {0}/authorized\nPidFile none\nUsePAM no\n"
                                "StrictModes no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n",
                                m_dir.path().string()));
        std::string config;
        for (const auto& [name, known, key] :
             {std::array{"there", "known", "key"}, {"changed", "wrong", "key"}, {"closed", "known", "other"}})
            config += fmt::format(
                "Host {1}\n  HostKeyAlias there\n  ProxyCommand {2} -i -f {0}/server\n  IdentityFile {0}/{4}\n"
                "  IdentitiesOnly yes\n  IdentityAgent none\n  UserKnownHostsFile {0}/{3}\n"
                "  GlobalKnownHostsFile none\n  StrictHostKeyChecking yes\n",
                m_dir.path().string(), name, kServer, known, key);
        m_dir.write("config", config);
        for (const auto& [file, key] : {std::pair{"known", "host.pub"}, {"wrong", "other.pub"}})
            m_dir.write(file, "there " + readFile(m_dir.path(key)));
        std::filesystem::create_directory(m_dir.path("bin"));
        m_dir.write("bin/ssh", fmt::format("#!/bin/sh\nexec {} -F {} \"$@\"\n", kClient, m_dir.path("config")));
        std::filesystem::permissions(m_dir.path("bin/ssh"), std::filesystem::perms::owner_all);
        m_path = std::getenv("PATH");
        setenv("PATH", (m_dir.path("bin:") + m_path).c_str(), 1);
        m_letsIn = run("mkdir -p /run/sshd 2>/dev/null; ssh there true") == 0;
    }
    ~OwnSshd()
    {
        if (!m_path.empty())
            setenv("PATH", m_path.c_str(), 1);
    }
    OwnSshd(const OwnSshd&) = delete;
    OwnSshd& operator=(const OwnSshd&) = delete;

    // Else there is no server here, or it lets this user not in.
    bool letsIn() const { return m_letsIn; }

private:
    static constexpr const char* kServer = "/usr/sbin/sshd";
    static constexpr const char* kClient = "/usr/bin/ssh";

    static int run(const std::string& command)
    {
        return std::system((command + " >/dev/null 2>&1 </dev/null").c_str());
    }

    TempDir m_dir;
    std::string m_path;
    bool m_letsIn = false;
};

}  // namespace overlane::test
