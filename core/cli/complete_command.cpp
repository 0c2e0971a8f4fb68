#include <array>
#include <memory>

#include "core/cli/command.h"
#include "core/cli/parser.h"
#include "core/manual/completion.h"
#include "core/manual/manual_files.h"

namespace overlane
{
namespace
{

struct Shell {
    const char* name;
    std::string (*script)(const ProgramSheet&);
};
constexpr std::array kShells = {Shell{"bash", bashCompletion}, Shell{"zsh", zshCompletion},
                                Shell{"fish", fishCompletion}};

std::vector<std::string> shellNames()
{
    std::vector<std::string> names;
    names.reserve(kShells.size());
    for (const Shell& shell : kShells)
        names.emplace_back(shell.name);
    return names;
}

std::string completeHelp()
{
    return R"(Packages bring these files along. For a copy in a folder of your own:

Examples:
  source <(overlane complete bash)                                 # in ~/.bashrc
  overlane complete zsh > ~/.zfunc/_overlane                       # a folder of fpath
  overlane complete fish > ~/.config/fish/completions/overlane.fish

)" + std::string(kExitCodesHelp);
}

CommandAction declareComplete(OptionList& list)
{
    auto name = std::make_shared<std::string>();
    list.add("SHELL", *name, "bash, zsh or fish").required().oneOf(shellNames());
    return [name](CommandOutput to) {
        for (const Shell& shell : kShells)
            if (shell.name == *name)
                to.out << shell.script(programSheet());
        return kExitOk;
    };
}

std::string manualHelp()
{
    return "Writes the manual pages and completion of overlane as an installation has them below share.";
}

CommandAction declareManual(OptionList& list)
{
    auto folder = std::make_shared<std::string>();
    list.add("FOLDER", *folder).required();
    return [folder](CommandOutput to) {
        const auto written = writeManual(programSheet(), *folder);
        return written.ok() ? kExitOk : fail(written.failure(), to);
    };
}

}  // namespace

constinit const Command completeCommand = {"complete", "Print what completes the command line in bash, zsh or fish.",
                                           completeHelp, declareComplete};

// Of the build, for packages.
constinit const Command manualCommand = {"manual", "", manualHelp, declareManual};

}  // namespace overlane
