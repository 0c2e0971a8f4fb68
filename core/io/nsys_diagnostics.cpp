#include <algorithm>
#include <string>
#include <vector>

#include "core/base/printable_text.h"
#include "core/io/nsys_import.h"
#include "core/trace/profiler_messages.h"

namespace overlane
{
namespace
{

// Nsight Systems repeats its messages per process; a file of a stranger may have any number.
constexpr std::size_t kMostMessages = 20;
constexpr std::size_t kMostSaid = 3;
constexpr std::size_t kLongestMessage = 300;

bool isOfTheGpu(std::string_view text)
{
    return text.find("CUDA") != std::string_view::npos || text.find("CUPTI") != std::string_view::npos ||
           text.find("GPU") != std::string_view::npos;
}

std::string_view nameOf(const NsysNames& names, std::optional<std::int64_t> id)
{
    const auto found = id ? names.find(*id) : names.end();
    return found == names.end() ? std::string_view() : std::string_view(found->second);
}

void addOnce(std::vector<std::string>& list, const std::string& text)
{
    if (list.size() < kMostSaid && std::find(list.begin(), list.end(), text) == list.end())
        list.push_back(text);
}

}  // namespace

Result<void> importNsysDiagnostics(NsysImport& import)
{
    ASSIGN_OR_RETURN(const NsysNames levels,
                     readNsysEnum(import, "ENUM_DIAGNOSTIC_SEVERITY_LEVEL", nsysSeverityTexts()));
    std::size_t messages = 0;
    std::vector<std::string> warned;  // of the GPU, in the order of the file
    std::vector<std::string> told;
    Result<void> done = import.eachRow("DIAGNOSTIC_EVENT", {"text", "severity"}, 1, [&](const NsysTable& row) {
        const std::string text = printableText(row.text(0).substr(0, kLongestMessage));
        const std::string_view level = nameOf(levels, row.integer(1));
        const bool warns = level.starts_with("Warning") || level.starts_with("Error");
        if (isOfTheGpu(text))
            addOnce(warns ? warned : told, text);
        const std::string reason = "profiler_message: " + text;
        const bool known = import.builder.stats().count(reason) > 0;
        if (known || messages < kMostMessages)
            import.skip(reason, "the profiler says of its own record", warns ? Severity::Warning : Severity::Info);
        else
            import.skip("profiler_message: others", "further messages of the profiler", Severity::Info);
        messages += !known;
    });
    std::string said;
    for (const std::string& text : warned.empty() ? told : warned)
        said += (said.empty() ? "" : " ") + text;
    if (!said.empty())
        import.builder.metadata().properties[kProfilerSays] = said;
    return done;
}

}  // namespace overlane
