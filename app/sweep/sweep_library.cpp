#include "app/sweep/sweep_library.h"

#include <algorithm>

#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include "app/widgets/text.h"
#include "core/io/format.h"
#include "core/sweep/sweep_file.h"
#include "core/sweep/sweep_ready.h"

namespace overlane
{

namespace
{

constexpr int kCollectMs = 50;
constexpr const char* kSuffix = ".jsonl";

QString deviceName(const SweepPlan& plan, const std::vector<SweepRun>& runs)
{
    for (const SweepRun& run : runs)
        if (!run.device.empty())
            return text(run.device);
    if (plan.engine == SweepEngine::Gpu)
        return u"GPU %1"_s.arg(plan.gpu);
    const DeviceProfile* profile = findDeviceProfile(plan.deviceKey);
    return profile != nullptr ? text(profile->name) : text(plan.deviceKey);
}

// The file keeps the title of a ready-made sweep, not which figure that is about.
std::string_view metricOf(const SweepPlan& plan)
{
    const auto ready = std::ranges::find(allSweeps(), plan.title, &ReadySweep::title);
    return ready == allSweeps().end() ? metric_key::kBatch : ready->metric;
}

KeptSweep keptOf(SweepText read, const QString& path)
{
    KeptSweep kept;
    kept.result = std::move(read.result);
    kept.metric = metricOf(kept.result.plan);
    kept.title = text(sweepTitle(kept.result.plan));
    kept.device = deviceName(kept.result.plan, kept.result.runs);
    kept.file = path;
    return kept;
}

}  // namespace

SweepLibrary::SweepLibrary(QString folder, QObject* parent) : QObject(parent), m_folder(std::move(folder))
{
    m_poll.setInterval(kCollectMs);
    connect(&m_poll, &QTimer::timeout, this, &SweepLibrary::collect);
    connect(&m_worker, &BackgroundWorker::progressed, this, &SweepLibrary::progressed);
}

SweepLibrary::~SweepLibrary()
{
    m_worker.cancel();
}

void SweepLibrary::load()
{
    if (m_folder.isEmpty())
        return;
    const QFileInfoList files =
        QDir(m_folder).entryInfoList({u"*"_s + QLatin1String(kSuffix)}, QDir::Files, QDir::Name);
    for (const QFileInfo& file : files) {
        auto read = readSweep(file.absoluteFilePath().toStdString());
        if (!read.ok())
            continue;
        KeptSweep kept = keptOf(std::move(read).value(), file.absoluteFilePath());
        kept.shown = false;
        add(std::move(kept));
    }
    emit listChanged();
}

const KeptSweep* SweepLibrary::find(int id) const
{
    const auto found = std::find_if(m_sweeps.begin(), m_sweeps.end(), [id](const KeptSweep& s) { return s.id == id; });
    return found == m_sweeps.end() ? nullptr : &*found;
}

KeptSweep* SweepLibrary::at(int id)
{
    return const_cast<KeptSweep*>(std::as_const(*this).find(id));
}

KeptSweep& SweepLibrary::add(KeptSweep sweep)
{
    sweep.id = m_nextId++;
    m_sweeps.push_back(std::move(sweep));
    return m_sweeps.back();
}

int SweepLibrary::start(const SweepPlan& plan, const QString& title, std::string_view metric)
{
    if (busy())
        return 0;
    if (const auto checked = checkSweep(plan); !checked.ok()) {
        emit failed(text(checked.error()));
        return 0;
    }
    KeptSweep kept;
    kept.result.plan = plan;
    kept.result.plan.title = title.toStdString();
    kept.title = title;
    kept.device = deviceName(plan, {});
    kept.metric = metric;
    if (!m_folder.isEmpty() && QDir().mkpath(m_folder)) {
        const QString stem = QDateTime::currentDateTime().toString(u"yyyyMMdd-HHmmss-zzz"_s);
        kept.file = QDir(m_folder).filePath(stem + QLatin1String(kSuffix));
    }
    KeptSweep& added = add(std::move(kept));
    emit listChanged();
    run(added);
    return added.id;
}

void SweepLibrary::resume(int id)
{
    KeptSweep* sweep = at(id);
    if (sweep == nullptr || busy() || sweep->complete())
        return;
    run(*sweep);
}

void SweepLibrary::run(KeptSweep& sweep)
{
    const SweepPlan plan = sweep.result.plan;
    const DeviceProfile* device = findDeviceProfile(plan.deviceKey);
    if (device == nullptr) {
        emit failed(u"The profile \"%1\" that this sweep simulates is not here."_s.arg(text(plan.deviceKey)));
        return;
    }
    std::erase_if(sweep.result.runs, [](const SweepRun& run) { return !run.error.empty(); });
    m_running = sweep.id;
    m_arrived = std::make_shared<Arrived>();
    SweepOptions options = m_options;
    // What was measured cannot be had again by simulating it.
    options.traces = plan.engine == SweepEngine::Gpu && !sweep.file.isEmpty();
    const QString unkept =
        sweep.file.isEmpty() && !m_folder.isEmpty()
            ? u"This sweep goes with the window: the folder %1, where it would be kept, cannot be made."_s.arg(m_folder)
            : QString();
    m_worker.run(
        u"Sweeping"_s,
        [plan, profile = *device, done = sweep.result.runs, options, file = sweep.file.toStdString(),
         arrived = m_arrived, result = sweep.result, traces = sweep, unkept](Progress& progress) -> Result<void> {
            std::optional<SweepWriter> writer;
            QString error = unkept;
            if (!file.empty()) {
                auto created = SweepWriter::create(file, result);
                if (created.ok())
                    writer.emplace(std::move(created).value());
                else
                    error = text(created.error());
            }
            const auto sink = [&](const SweepRun& run, const Trace* trace) {
                if (writer)
                    if (const auto kept = writer->append(plan, run); !kept.ok() && error.isEmpty())
                        error = text(kept.error());
                if (trace != nullptr) {
                    Progress writing;
                    const auto kept = writeTrace(*trace, traceFile(traces, run.point).toStdString(), writing);
                    if (!kept.ok() && error.isEmpty())
                        error = text(kept.error());
                }
                const std::lock_guard lock(arrived->mutex);
                arrived->runs.push_back(run);
            };
            const auto ran = runSweep(plan, profile, done, sink, progress, options);
            if (!ran.ok() && !ran.isCancelled())
                error = text(ran.error());
            if (!error.isEmpty())
                return Error{error.toStdString()};
            return {};
        },
        [this](const Result<void>& swept) { ended(swept.ok() ? QString() : text(swept.error())); });
    m_poll.start();
    emit busyChanged();
}

void SweepLibrary::collect()
{
    KeptSweep* sweep = at(m_running);
    std::vector<SweepRun> runs;
    if (m_arrived) {
        const std::lock_guard lock(m_arrived->mutex);
        runs.swap(m_arrived->runs);
    }
    if (sweep == nullptr || runs.empty())
        return;
    sweep->result.runs.insert(sweep->result.runs.end(), runs.begin(), runs.end());
    sweep->device = deviceName(sweep->result.plan, sweep->result.runs);
    emit changed(sweep->id);
}

void SweepLibrary::ended(const QString& error)
{
    collect();
    m_poll.stop();
    const int id = m_running;
    m_running = 0;
    m_arrived.reset();
    emit busyChanged();
    emit changed(id);
    emit listChanged();
    if (!error.isEmpty())
        emit failed(error);
}

void SweepLibrary::addCurves(CurveSheet sheet, const QString& device)
{
    KeptSweep kept;
    kept.title = text(sheet.title);
    kept.device = device;
    kept.sheet = std::move(sheet);
    add(std::move(kept));
    emit listChanged();
}

void SweepLibrary::open(const QString& path)
{
    auto read = readSweep(path.toStdString());
    if (!read.ok()) {
        emit failed(text(read.error()));
        return;
    }
    add(keptOf(std::move(read).value(), path));
    emit listChanged();
}

void SweepLibrary::cancel()
{
    m_worker.cancel();
}

void SweepLibrary::remove(int id)
{
    if (id == m_running)
        return;
    const KeptSweep* sweep = find(id);
    if (sweep == nullptr)
        return;
    // A file of somebody else's is only left.
    if (!sweep->file.isEmpty() && !m_folder.isEmpty() && QFileInfo(sweep->file).dir() == QDir(m_folder)) {
        for (std::size_t point = 0; point < sweep->result.plan.points(); ++point)
            if (const QString trace = traceFile(*sweep, point); !trace.isEmpty())
                QFile::remove(trace);
        QFile::remove(sweep->file);
    }
    std::erase_if(m_sweeps, [id](const KeptSweep& kept) { return kept.id == id; });
    emit listChanged();
}

void SweepLibrary::setShown(int id, bool shown)
{
    KeptSweep* sweep = at(id);
    if (sweep == nullptr || sweep->shown == shown)
        return;
    sweep->shown = shown;
    emit changed(id);
}

QString SweepLibrary::traceFile(const KeptSweep& sweep, std::size_t point)
{
    if (sweep.file.isEmpty() || sweep.result.plan.engine != SweepEngine::Gpu)
        return {};
    const QFileInfo file(sweep.file);
    return file.dir().filePath(u"%1.point-%2.overlane"_s.arg(file.completeBaseName()).arg(point));
}

}  // namespace overlane
