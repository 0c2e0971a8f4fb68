#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

#include "core/base/text_file.h"
#include "core/base/units.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/device_figures.h"
#include "core/cli/info_text.h"
#include "core/cli/judge_file.h"
#include "core/content/terminal.h"
#include "core/names/call_tree_text.h"

namespace overlane
{
namespace
{

struct FlameOptions {
    std::string file;
    std::string output;
    std::string iteration;
    std::vector<std::string> threads;
    std::size_t top = 30;
    bool bottomUp = false;
    bool byThread = false;
    bool sampled = false;
    bool whole = false;
    bool folded = false;
    bool json = false;
};

// The tracks with such a name or number, and those whose name has it in it where there are none.
Result<std::vector<TrackId>> chosenTracks(const Trace& trace, CallSource source, const FlameOptions& options)
{
    const std::vector<TrackId> all = callTracks(trace, source);
    std::vector<TrackId> chosen;
    for (const std::string& wanted : options.threads) {
        const auto keep = [&](auto matches) {
            std::copy_if(all.begin(), all.end(), std::back_inserter(chosen),
                         [&](TrackId id) { return matches(trace.track(id)); });
        };
        const std::size_t before = chosen.size();
        keep([&](const Track& track) { return track.name == wanted || std::to_string(track.nativeId) == wanted; });
        if (chosen.size() == before)
            keep([&](const Track& track) { return track.name.find(wanted) != std::string::npos; });
        if (chosen.size() > before)
            continue;
        std::vector<std::string> names;
        names.reserve(all.size());
        for (const TrackId id : all)
            names.push_back(trace.track(id).name);
        constexpr std::size_t kMostNamed = 10;
        names.resize(std::min(names.size(), kMostNamed));
        return Error{fmt::format("No thread of {} is called {}; {}.", options.file, wanted,
                                 names.empty() ? "none has events" : fmt::format("try {}", fmt::join(names, ", ")))};
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

OrderedJson nodesJson(const CallTree& tree)
{
    OrderedJson nodes = OrderedJson::array();
    for (std::uint32_t node = 0; node < tree.nodes().size(); ++node) {
        const CallTree::Node& own = tree.nodes()[node];
        nodes.push_back({{"name", tree.name(node)},
                         {"parent", node == 0 ? OrderedJson() : OrderedJson(own.parent)},
                         {"total_ns", own.totalNs},
                         {"self_ns", own.selfNs},
                         {"count", own.count}});
    }
    return nodes;
}

std::string flameText(const CallTree& tree, const FlameOptions& options, CallSource source, Interval range)
{
    std::string text = fmt::format("{} from {} to {}\n", options.whole ? "The whole trace," : "The active range,",
                                   formatDuration(range.startNs), formatDuration(range.endNs));
    if (tree.empty())
        return text + (source == CallSource::Samples
                           ? "No stack was sampled in it; try --whole, or record with stacks.\n"
                           : "No host event lies in it; try --whole, or record host events.\n");
    Table table = callTable(tree, options.top);
    table.title = fmt::format("{}, {}: {} on {}", source == CallSource::Samples ? "Sampled stacks" : "Host time",
                              options.bottomUp ? "calls with their callers below" : "callers with their calls below",
                              formatDuration(tree.root().totalNs),
                              options.threads.empty() ? "all threads together" : "the chosen threads");
    text += "\n" + terminalText(table);
    if (tree.leftOut() > 0)
        text +=
            fmt::format("{} calls lie too deep or on too many paths; {}.\n", formatCount(tree.leftOut()),
                        options.bottomUp ? "not all their callers are listed" : "their time is that of their callers");
    return text;
}

int drawFlame(const FlameOptions& options, CommandOutput to)
{
    const bool forPeople = !options.json && (!options.folded || !options.output.empty());
    const auto drawing = forPeople ? LongTask::Drawing::OnTerminal : LongTask::Drawing::Never;
    const auto judged = judgeFile(options.file, drawing, {options.iteration});
    if (!judged.ok())
        return fail(judged.failure(), to);
    const JudgedTrace& found = *judged.value();
    const Interval range = options.whole ? found.trace.span() : found.judgement.range;
    const CallSource source = options.sampled ? CallSource::Samples : bestCallSource(found.trace);
    auto tracks = chosenTracks(found.trace, source, options);
    if (!tracks.ok())
        return fail(tracks.failure(), to);
    LongTask summing("Summing host time", drawing);
    auto tree = callTree(found.trace, {range, source, std::move(tracks).value(), options.byThread}, summing.progress());
    if (tree.ok() && options.bottomUp)
        tree = invertedTree(tree.value(), summing.progress());
    if (!tree.ok())
        return fail(tree.failure(), to);
    if (options.json) {
        to.out << toText({{"file", options.file},
                          {"range_ns", {range.startNs, range.endNs}},
                          {"source", source == CallSource::Samples ? "samples" : "events"},
                          {"direction", options.bottomUp ? "bottom-up" : "top-down"},
                          {"left_out", tree.value().leftOut()},
                          {"nodes", nodesJson(tree.value())}});
    } else if (!options.output.empty()) {
        const std::string stacks = foldedStacks(tree.value());
        if (const auto written = writeTextFile(options.output, stacks); !written.ok())
            return fail(written.failure(), to);
        to.out << fmt::format("{} written, {} stacks\n", options.output,
                              formatCount(std::count(stacks.begin(), stacks.end(), '\n')));
    } else if (options.folded) {
        to.out << foldedStacks(tree.value());
    } else {
        to.out << flameText(tree.value(), options, source, range);
    }
    return exitCodeOf(found.trace, options.file, to);
}

std::string flameHelp()
{
    return R"(
Host time by who calls whom: operators, calls, ranges and Python lines, or sampled stacks where a
trace has nothing else. Self is the time without the calls inside, total with them. The range is the
active one that the verdict is of; events are clipped to it. A name that only calls one other is left
out of the text. --bottom-up lists names by self time, with their callers below them.

--folded prints a line for each stack, names between semicolons and nanoseconds behind them, for
flamegraph.pl, inferno or speedscope. --json holds every node, in the order of the tree.

Examples:
  overlane flame trace.json.gz
  overlane flame --bottom-up --top 10 trace.json.gz
  overlane flame --folded --whole trace.overlane | flamegraph.pl --countname ns > flame.svg
  overlane flame --thread main -o main.folded trace.overlane

)" + std::string(kExitCodesHelp);
}

CommandAction declareFlame(OptionList& list)
{
    auto options = std::make_shared<FlameOptions>();
    list.add("FILE", options->file, "The trace to read").required();
    list.flag("--bottom-up", options->bottomUp, "From calls to their callers");
    list.add("--thread", options->threads, "Of this thread only, by name or number; may be repeated")
        .type("NAME")
        .one();
    list.flag("--by-thread", options->byThread, "Each thread for itself");
    list.flag("--samples", options->sampled, "Of sampled stacks, not of events");
    list.add("--top", options->top, "Rows of the table").showDefault().notNegative();
    list.flag("--whole", options->whole, "Of the whole trace, startup and end too");
    addIterationOption(list, options->iteration);
    const Option folded = list.flag("--folded", options->folded, "Print folded stacks instead of text");
    list.add("-o,--output", options->output, "Write folded stacks to a file").type("FILE");
    list.flag("--json", options->json, "Print JSON with stable keys instead of text").excludes(folded);
    return [options](CommandOutput to) {
        if (options->json && !options->output.empty())
            return fail("-o writes folded stacks: leave out --json, or redirect its output.", to, kExitUsage);
        return drawFlame(*options, to);
    };
}

}  // namespace

constinit const Command flameCommand = {"flame", "Show host time as a call tree, or as stacks for a flame graph.",
                                        flameHelp, declareFlame};

}  // namespace overlane
