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
        // Numbers alone: all of de_DE takes a second of a core.
        const std::string source = m_folder.write("source",
                                                  "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\n"
                                                  "grouping 3;3\nEND LC_NUMERIC\n"
                                                  "LC_CTYPE\ncopy \"POSIX\"\nEND LC_CTYPE\n");
        const std::string made = m_folder.path("comma");
        // It fails where it warns, as of each part that is missing.
        const std::string command =
            "localedef -c --no-archive -i '" + source + "' -f ANSI_X3.4-1968 '" + made + "' >/dev/null 2>&1";
        static_cast<void>(std::system(command.c_str()));
        setenv("LOCPATH", m_folder.path().c_str(), 1);
        setlocale(LC_ALL, "comma");
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
