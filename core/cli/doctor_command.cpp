#include <algorithm>
#include <memory>

#include "core/cli/command.h"
#include "core/cli/doctor_text.h"
#include "core/cli/info_text.h"
#include "core/cli/window_program.h"

namespace overlane
{
namespace
{

struct DoctorArguments {
    std::string purpose;
    std::string python;
    bool json = false;
};

std::vector<std::string> purposeIds()
{
    std::vector<std::string> ids;
    ids.reserve(kPurposes.size());
    for (const PurposeRow& row : kPurposes)
        ids.emplace_back(row.id);
    return ids;
}

Purposes askedFor(const std::string& id, const Diagnosis& diagnosis)
{
    const auto* const row =
        std::find_if(kPurposes.begin(), kPurposes.end(), [&id](const PurposeRow& one) { return one.id == id; });
    return row == kPurposes.end() ? diagnosis.fitting() : Purposes{row->purpose};
}

std::string doctorHelp()
{
    return R"(Looks at the driver and its GPUs, CUPTI and what may use it, Python and PyTorch, limits of memory, the
container around, display and fonts. A problem stops a requested use; a note does not. Nothing is
changed, and no memory of a GPU is taken.

Without --for: opening traces, recording and runs where this machine has a GPU or its driver, the
window where there is a display.

Examples:
  overlane doctor
  overlane doctor --for record --python ~/env/bin/python
  overlane doctor --json | jq -r '.checks[] | select(.state == "problem") | .do'

Exit codes: 0 the requested use works, 1 something stops it, 2 the command line is wrong.)";
}

CommandAction declareDoctor(OptionList& list)
{
    auto arguments = std::make_shared<DoctorArguments>();
    list.add("--for", arguments->purpose, "Judge by this use alone: open, record, measure (runs on the GPU) or window")
        .oneOf(purposeIds())
        .type("USE");
    list.add("--python", arguments->python, "The Python to look at; default: that of PATH").type("PROGRAM");
    list.flag("--json", arguments->json, "Print JSON with stable keys instead of text");
    return [arguments](CommandOutput to) {
        DoctorOptions options;
        options.variables = ownVariables();
        options.python = arguments->python;
        options.windowProgram = windowProgram();
        const Diagnosis diagnosis(readDoctorFacts(options));
        const Purposes asked = askedFor(arguments->purpose, diagnosis);
        to.out << (arguments->json ? toText(doctorJson(diagnosis, asked)) : doctorText(diagnosis, asked));
        return diagnosis.stopsAny(asked) ? kExitFailed : kExitOk;
    };
}

}  // namespace

constinit const Command doctorCommand = {
    "doctor", "Check what Overlane needs of this machine, and what to do where it is missing.", doctorHelp,
    declareDoctor};

}  // namespace overlane
