#include "core/system/file_size_limit.h"

#include <csignal>

namespace overlane
{

void takeFileSizeLimitAsError()
{
    struct sigaction present = {};
    sigaction(SIGXFSZ, nullptr, &present);
    if (present.sa_handler != SIG_DFL)
        return;
    // A handler: programs that are started would inherit that it is ignored.
    struct sigaction nothing = {};
    nothing.sa_handler = [](int) {};
    nothing.sa_flags = SA_RESTART;
    sigaction(SIGXFSZ, &nothing, nullptr);
}

}  // namespace overlane
