#include <chrono>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/base/process_news.h"
#include "core/base/text_file.h"
#include "core/base/units.h"
#include "core/calibration/calibrated_profile.h"
#include "core/calibration/calibration_plots.h"
#include "core/calibration/calibration_text.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/long_task.h"
#include "core/content/column_table.h"
#include "core/content/terminal.h"
#include "core/devices/user_profiles.h"
#include "core/engine/gpu_backend.h"
#include "core/engine/gpu_backend_library.h"

namespace overlane
{
namespace
{

struct CalibrateOptions {
    std::string out;
    std::string show;  // a profile instead of measuring
    std::string csv;   // folder
    std::string from;  // a calibrated profile whose record is read instead of measuring
    int device = 0;
    bool quick = false;
    bool json = false;
    bool stream = false;  // tell another process what happens
};

std::string today()
{
    return fmt::format("{:%Y-%m-%d}",
                       fmt::localtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

// Sizes down, curves across, medians in the cells.
std::string plotTable(const CalibrationPlot& plot)
{
    std::vector<std::string> heads{"#" + plot.xLabel};
    std::vector<double> places;
    std::string text = plot.title + ", medians of " + plot.yLabel;
    if (plot.bound)
        text += fmt::format(" (at most {}: {})", plotValueText(plot.bound->value, plot.y), plot.bound->name);
    text += "\n";
    for (std::size_t at = 0; at < plot.curves.size(); ++at) {
        heads.push_back(fmt::format("#({})", at + 1));
        text += fmt::format("  ({}) {}\n", at + 1, plot.curves[at].name);
        for (const PlotPoint& point : plot.curves[at].points)
            places.push_back(point.x);
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    ColumnTable table(heads);
    for (const double place : places) {
        std::vector<std::string> cells{plotValueText(place, plot.x)};
        for (const PlotCurve& curve : plot.curves) {
            const auto point = std::find_if(curve.points.begin(), curve.points.end(),
                                            [&](const PlotPoint& each) { return each.x == place; });
            cells.push_back(point != curve.points.end() ? plotValueText(point->median, plot.y) : "-");
        }
        table.row(std::move(cells));
    }
    return text + table.text() + "\n";
}

std::string profileText(const DeviceProfile& profile, const CalibrationRecord* record)
{
    std::string text = profile.key + ": " + profile.name + "\n" + wrapText(profile.about, "") + "\n";
    ColumnTable table({"figure", "#median", "tenth to ninetieth percentile, samples", "from"});
    for (const FigureRow& row : figureRows(profile))
        table.row({row.key, row.value, row.spread.empty() ? "-" : row.spread,
                   row.measured ? "measured" : row.source.substr(0, row.source.find_first_of(":,;("))});
    text += table.text() + "\n";
    for (const CalibrationPlot& plot : calibrationPlots(profile, record))
        text += plotTable(plot);
    if (record != nullptr) {
        for (const ProbeMiss& miss : record->misses)
            text += fmt::format("Not measured: {}: {}.\n", miss.probe, miss.reason);
        text += fmt::format("Measured in {} on {}.\n", formatDuration(record->tookNs), record->date);
    }
    return text;
}

Result<void> writeCsv(const std::string& folder, const DeviceProfile& profile, const CalibrationRecord* record)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    for (const CalibrationPlot& plot : calibrationPlots(profile, record))
        if (auto written = writeTextFile(folder + "/" + plot.key + ".csv", plotCsv(plot)); !written.ok())
            return written;
    return {};
}

int tell(const CalibrateOptions& options, const DeviceProfile& profile, const CalibrationRecord* record,
         const std::string& fileText, CommandOutput to)
{
    if (!options.csv.empty())
        if (const auto written = writeCsv(options.csv, profile, record); !written.ok())
            return fail(written.failure(), to);
    to.out << (options.json ? fileText : profileText(profile, record));
    return kExitOk;
}

int showProfile(const CalibrateOptions& options, CommandOutput to)
{
    const auto profile = deviceProfileFrom(options.show);
    if (!profile.ok())
        return fail(profile.failure(), to, namesProfileFile(options.show) ? kExitFailed : kExitUsage);
    const auto record = recordOf(*profile.value());
    if (!record.ok())
        return fail(record.failure(), to);
    const CalibrationRecord* kept = record.value() ? &*record.value() : nullptr;
    const std::string text = kept ? profileFileText({*profile.value(), *kept}) : deviceProfileText(*profile.value());
    return tell(options, *profile.value(), kept, text, to);
}

Result<CalibrationSamples> measureGpu(const CalibrateOptions& options, CommandOutput to)
{
    ASSIGN_OR_RETURN(const auto backend, loadGpuBackend());
    const bool quiet = options.json || options.stream;
    LongTask task("Calibrating", quiet ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal);
    CalibrationOptions asked;
    asked.device = options.device;
    asked.quick = options.quick;
    asked.progress = &task.progress();
    if (options.stream) {
        asked.onStep = [&](const std::string& doing) {
            to.out << lineOf(ProcessNews{task.progress().fraction(), doing}) << std::flush;
        };
        asked.onSeries = [&](const ProbeSeries& series) {
            if (!series.samples.empty())
                to.out << seriesLine(measured(series)) << std::flush;
        };
    }
    return backend->calibrate(asked);
}

Result<CalibrationRecord> recordFor(const CalibrateOptions& options, CommandOutput to)
{
    if (options.from.empty()) {
        ASSIGN_OR_RETURN(const auto samples, measureGpu(options, to));
        return recordOf(samples, today(), options.quick);
    }
    ASSIGN_OR_RETURN(const auto text, readTextFile(options.from));
    const auto record = recordIn(text);
    if (!record.ok())
        return record.failure();
    if (!record.value())
        return Error{fmt::format("{} holds no record of a calibration: only profiles that overlane calibrate wrote do.",
                                 options.from)};
    return *record.value();
}

int calibrate(const CalibrateOptions& options, CommandOutput to)
{
    if (!options.show.empty())
        return showProfile(options, to);
    const auto record = recordFor(options, to);
    if (!record.ok())
        return fail(record.failure(), to);
    const CalibratedProfile made = calibratedProfile(record.value());
    const std::string file = options.out.empty() ? profileFilePath(made.profile) : options.out;
    if (file.empty())
        return fail("There is no folder for profiles, because the system names no home; write -o FILE.", to);
    if (const auto saved = saveProfile(made, file); !saved.ok())
        return fail(saved.failure(), to);
    if (options.stream)
        return kExitOk;
    const int code = tell(options, made.profile, &made.record, profileFileText(made), to);
    if (code == kExitOk && !options.json)
        to.out << fmt::format("Profile written to {}; simulate it with: overlane run --device {}\n", file,
                              options.out.empty() ? made.profile.key : file);
    return code;
}

std::string calibrateHelp()
{
    return R"(Measures, in a minute or two: what allocating, touching, registering and freeing memory costs by
size; how fast copies run and how long their calls block the host, by size, direction and kind of
memory; staging, both directions at once, launches, events, waits; the memory of the host alone and
by threads. It takes at most a quarter of the available memory and frees it. Every figure is a
median with the tenth and the ninetieth percentile. What cannot be measured keeps the value of the
nearest profile and is marked so.

Without -o the profile goes to the folder of your own profiles ($XDG_DATA_HOME/overlane/devices),
where "overlane run --device" and the window find it.

Examples:
  overlane calibrate                          measure, and keep the profile among your own
  overlane calibrate --quick -o here.json     few samples, nothing above 64 MiB, ten seconds
  overlane run --device here.json             simulate that machine
  overlane calibrate --show h200 --csv plots  the figures of a known profile, plots as CSV

)" + std::string(kExitCodesHelp);
}

CommandAction declareCalibrate(OptionList& list)
{
    auto options = std::make_shared<CalibrateOptions>();
    list.add("-o,--output", options->out, "The profile's file").type("FILE");
    list.add("--device", options->device, "Which GPU, as CUDA counts them").within(0, 1023).showDefault();
    list.flag("--quick", options->quick, "Fewer samples, and no block above 64 MiB");
    list.add("--show", options->show, "Do not measure: show the figures of a profile, by name or file").type("PROFILE");
    list.add("--from", options->from, "Do not measure: make a profile again from the record in a calibrated one")
        .type("FILE");
    list.add("--csv", options->csv, "Also write the plots as CSV files into a folder").type("FOLDER");
    list.flag("--json", options->json, "Print the profile's file instead of text");
    list.flag("--stream", options->stream).hidden();
    return [options](CommandOutput to) { return calibrate(*options, to); };
}

}  // namespace

constinit const Command calibrateCommand = {
    "calibrate", "Measure this machine's GPU and memory; write a device profile.", calibrateHelp, declareCalibrate};

}  // namespace overlane
