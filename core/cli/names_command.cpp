#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

#include "core/base/units.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/device_figures.h"
#include "core/cli/info_text.h"
#include "core/cli/judge_file.h"
#include "core/cli/names_answer.h"
#include "core/content/terminal.h"
#include "core/names/named_work.h"

namespace overlane
{
namespace
{

struct NamesOptions {
    std::string file;
    std::string iteration;
    NamesQuestion question;
    std::size_t top = 15;
    bool csv = false;
    bool json = false;
};

// What fits into a hundred columns.
Table forTerminal(const Table& table, WorkGroupKind group, std::size_t mostRows)
{
    if (group == WorkGroupKind::Copies)
        return table.picked(
            {"name", "share", "count", "total_ns", "exposed_ns", "median_ns", "p95_ns", "bytes", "rate"}, mostRows);
    if (rowOf(group).nests)
        return table.picked({"name", "share", "count", "self_ns", "total_ns", "mean_ns", "median_ns", "p95_ns"},
                            mostRows);
    return table.picked({"name", "share", "count", "total_ns", "mean_ns", "median_ns", "p95_ns", "longest_ns"},
                        mostRows);
}

int print(const NamesOptions& options, CommandOutput to)
{
    const bool forPeople = !options.json && !options.csv;
    const auto drawing = forPeople ? LongTask::Drawing::OnTerminal : LongTask::Drawing::Never;
    const auto judged = judgeFile(options.file, drawing, {options.iteration});
    if (!judged.ok())
        return fail(judged.failure(), to);
    const JudgedTrace& found = *judged.value();
    const auto& [of, whole] = options.question;
    const Interval range = whole ? found.trace.span() : found.judgement.range;
    std::string text = fmt::format("{} from {} to {}\n", whole ? "The whole trace," : "The active range,",
                                   formatDuration(range.startNs), formatDuration(range.endNs));
    LongTask summing("Summing by name", drawing);
    if (options.json) {
        const Result<OrderedJson> json = namesJson(found, options.file, options.question, summing.progress());
        if (!json.ok())
            return fail(json.failure(), to);
        to.out << toText(json.value());
        return exitCodeOf(found.trace, options.file, to);
    }
    std::size_t rows = 0;
    for (const WorkGroupRow& group : workGroups()) {
        if (!of.empty() && of != group.id)
            continue;
        const auto work = namedWork(found.trace, found.analysis, {group.kind, range}, summing.progress());
        if (!work.ok())
            return fail(work.failure(), to);
        const Table all = nameTable(work.value(), group.kind);
        rows += all.rows.size();
        if (options.csv) {
            to.out << commaSeparated(all);
        } else if (!all.rows.empty()) {
            Table shown = forTerminal(all, group.kind, options.top);
            shown.title = all.rows.size() > shown.rows.size()
                              ? fmt::format("{}, the first {} of {} names", group.title, shown.rows.size(),
                                            formatCount(static_cast<std::int64_t>(all.rows.size())))
                              : std::string(group.title);
            text += "\n" + terminalText(shown);
        }
    }
    if (forPeople)
        to.out << text << (rows > 0 ? "" : "Nothing of this kind starts in it; try --whole, or another --of.\n");
    return exitCodeOf(found.trace, options.file, to);
}

std::vector<std::string> groupIds()
{
    std::vector<std::string> ids;
    for (const WorkGroupRow& group : workGroups())
        ids.emplace_back(group.id);
    return ids;
}

std::string namesHelp()
{
    return R"(
Kernels and copies by the time they take, calls, host work and sampled functions by the time of their
own: less the work inside them on the same thread. Copies are alike where direction, host memory and
size agree; exposed is their time not under kernels. The range is the active one that the verdict is
of; an event belongs to it where it starts there, and counts whole. p95: 95 of 100 are shorter.

--csv and --json hold every row, times in nanoseconds; --csv is of one group.

Examples:
  overlane names trace.json.gz
  overlane names --of kernels --csv trace.overlane > kernels.csv
  overlane names --of host-work --whole --top 40 trace.overlane

)" + std::string(kExitCodesHelp);
}

CommandAction declareNames(OptionList& list)
{
    auto options = std::make_shared<NamesOptions>();
    list.add("FILE", options->file, "The trace to read").required();
    const Option of = list.add("--of", options->question.of, fmt::format("One group: {}", fmt::join(groupIds(), ", ")));
    of.type("GROUP").oneOf(groupIds());
    list.add("--top", options->top, "Rows of each table").showDefault().notNegative();
    list.flag("--whole", options->question.whole, "Of the whole trace, startup and end too");
    addIterationOption(list, options->iteration);
    const Option csv = list.flag("--csv", options->csv, "Print comma-separated values; needs --of");
    list.flag("--json", options->json, "Print JSON with stable keys instead of text").excludes(csv);
    return [options](CommandOutput to) {
        if (options->csv && options->question.of.empty())
            return fail("--csv prints one table: choose it with --of.", to, kExitUsage);
        return print(*options, to);
    };
}

}  // namespace

constinit const Command namesCommand = {"names", "Sum kernels, copies, calls and host work by name.", namesHelp,
                                        declareNames};

}  // namespace overlane
