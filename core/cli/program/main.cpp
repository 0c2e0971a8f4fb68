#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

#include "build_commit.h"
#include "core/cli/cli.h"
#include "core/cli/version_text.h"
#include "core/content/terminal.h"
#include "core/system/file_size_limit.h"

namespace
{

// 0: standard output is no terminal.
std::size_t terminalColumns()
{
    winsize size{};
    return isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

int main(int argc, char** argv)
{
    overlane::takeFileSizeLimitAsError();
    overlane::setVersionCommit(OVERLANE_COMMIT);
    overlane::setTextColumns(terminalColumns());
    return overlane::runCli({argv + 1, argv + argc}, std::cout, std::cerr);
}
