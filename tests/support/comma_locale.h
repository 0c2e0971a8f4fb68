// CommaLocale: the process under a locale that writes 1,5 for one and a half, as a window has it that
// Qt started in Germany or Turkey. Makes the locale itself (localedef, of Debian's package `locales`),
// since a bare machine has none. Ends with the object; one at a time.
#pragma once

#include <clocale>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/support/temp_dir.h"

namespace overlane::test
{

class CommaLocale
{
public:
    CommaLocale()
    {
        const std::string made = m_folder.path("de_DE.UTF-8");
        const std::string command = "localedef --no-archive -i de_DE -f UTF-8 '" + made + "' >/dev/null 2>&1";
        if (std::system(command.c_str()) != 0)
            return;
        setenv("LOCPATH", m_folder.path().c_str(), 1);
        setlocale(LC_ALL, "de_DE.UTF-8");
    }
    ~CommaLocale()
    {
        setlocale(LC_ALL, "C");
        unsetenv("LOCPATH");
    }
    CommaLocale(const CommaLocale&) = delete;
    CommaLocale& operator=(const CommaLocale&) = delete;

    // False only where localedef or its sources are missing, which install_packages.sh installs.
    static bool active() { return std::string_view(localeconv()->decimal_point) == ","; }

private:
    TempDir m_folder;
};

}  // namespace overlane::test
