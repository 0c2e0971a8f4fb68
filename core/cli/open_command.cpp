#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

#include "core/cli/command.h"
#include "core/cli/window_program.h"

namespace overlane
{
namespace
{

bool isSet(const char* variable)
{
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

struct OpenOptions {
    std::vector<std::string> files;
    bool reuse = false;
    std::string compare;
    std::vector<std::string> changes;
};

int open(const OpenOptions& options, CommandOutput to)
{
    if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY") && !isSet("QT_QPA_PLATFORM"))
        return fail(fmt::format("There is no display here to open a window on; `overlane report {}` writes one "
                                "page with the same answer.",
                                options.files.empty() ? "FILE" : options.files.front()),
                    to);
    std::vector<std::string> arguments{windowProgram()};
    arguments.insert(arguments.end(), options.files.begin(), options.files.end());
    if (options.reuse)
        arguments.emplace_back("--reuse");
    if (!options.compare.empty())
        arguments.insert(arguments.end(), {"--compare", options.compare});
    for (const std::string& change : options.changes)
        arguments.insert(arguments.end(), {"--what-if", change});
    std::vector<char*> pointers;
    pointers.reserve(arguments.size() + 1);
    for (std::string& argument : arguments)
        pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execvp(pointers.front(), pointers.data());
    return fail(errno == ENOENT ? "The window, overlane-ui, is not installed here: neither next to this program nor "
                                  "in PATH. Install the package overlane-ui: its wheel, or its .deb."
                                : fmt::format("{} cannot be started: {}.", arguments.front(), std::strerror(errno)),
                to);
}

std::string openHelp()
{
    return R"(Becomes overlane-ui, the window, where that is installed and there is a display. Without FILE the
laboratory opens.

Examples:
  overlane open trace.json.gz
  overlane open --reuse one.overlane two.overlane
  overlane open before.overlane --compare after.overlane
  overlane open train.overlane --what-if pin

Without a display: `overlane info FILE` says the same in words, `overlane report FILE` as a page.

)" + std::string(kExitCodesHelp);
}

CommandAction declareOpen(OptionList& list)
{
    auto options = std::make_shared<OpenOptions>();
    list.add("FILE", options->files, "The traces to open, each in a tab").existingFile();
    list.flag("--reuse", options->reuse, "Hand the files to a window that is open already, where there is one");
    list.add("--compare", options->compare, "A second trace, shown below FILE and compared with it").existingFile();
    list.add("--what-if", options->changes,
             "Switch this change on, as `overlane whatif --change` takes it; may be repeated")
        .one()
        .type("CHANGE");
    return [options](CommandOutput to) { return open(*options, to); };
}

}  // namespace

constinit const Command openCommand = {"open", "Show a trace, or two side by side, in the window.", openHelp,
                                       declareOpen};

}  // namespace overlane
