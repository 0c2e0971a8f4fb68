#include "core/manual/manual_files.h"

#include <filesystem>

#include "core/base/text_file.h"
#include "core/manual/completion.h"
#include "core/manual/man_page.h"

namespace overlane
{

std::vector<ManualFile> manualFiles(const ProgramSheet& program)
{
    std::vector<ManualFile> files;
    const auto addPage = [&files](const ManPage& page) { files.push_back({"man/man1/" + page.file, page.text}); };
    addPage(programPage(program));
    for (const CommandSheet& command : program.commands)
        addPage(commandPage(program, command));
    files.push_back({"bash-completion/completions/" + program.name, bashCompletion(program)});
    files.push_back({"zsh/vendor-completions/_" + program.name, zshCompletion(program)});
    files.push_back({"fish/vendor_completions.d/" + program.name + ".fish", fishCompletion(program)});
    return files;
}

Result<void> writeManual(const ProgramSheet& program, const std::string& folder)
{
    for (const ManualFile& file : manualFiles(program)) {
        const std::filesystem::path path = std::filesystem::path(folder) / file.path;
        std::error_code error;
        std::filesystem::create_directories(path.parent_path(), error);
        if (error)
            return Error{path.parent_path().string() + " cannot be made: " + error.message() + "."};
        RETURN_IF_ERROR(writeTextFile(path.string(), file.text));
    }
    return {};
}

}  // namespace overlane
