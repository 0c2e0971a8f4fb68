#include <memory>
#include <unistd.h>

#include "core/cli/command.h"
#include "core/cli/version_text.h"
#include "core/remote/remote_machine.h"
#include "core/remote/run_folder.h"
#include "core/remote/tool_copy.h"
#include "core/spool/record_environment.h"
#include "core/system/gpu_support.h"

namespace overlane
{
namespace
{

struct ThereArguments {
    std::string action;
    std::string folder;
    std::vector<std::string> command;
    bool now = false;
};

int there(const ThereArguments& options, CommandOutput to)
{
    restoreLibraryPath();
    if (options.action == "facts") {
        to.out << toolFacts(versionName(), !companionPath(record_environment::kInjectLibrary).empty()) << '\n';
        return kExitOk;
    }
    const Result<void> done =
        options.action == "keep"
            ? keepRun(options.folder, options.command)
            : followRun(options.folder, options.now ? FollowFrom::Now : FollowFrom::Begin, STDIN_FILENO, STDOUT_FILENO);
    return done.ok() ? kExitOk : fail(done.failure(), to);
}

std::string thereHelp()
{
    return "Used by \"overlane record --host\" on the other machine.";
}

CommandAction declareThere(OptionList& list)
{
    auto options = std::make_shared<ThereArguments>();
    list.add("ACTION", options->action).required().oneOf({"facts", "keep", "follow"});
    list.add("FOLDER", options->folder);
    list.flag("--now", options->now);
    list.add("COMMAND", options->command);
    return [options](CommandOutput to) { return there(*options, to); };
}

}  // namespace

// Not for people: the other side of core/remote.
constinit const Command thereCommand = {"there", "", thereHelp, declareThere};

}  // namespace overlane
