// What SweepPanel shows of its library, and what it writes.
#include <algorithm>

#include <QComboBox>
#include <QFileInfo>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QSaveFile>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

#include "app/session/document.h"
#include "app/sweep/axis_editor.h"
#include "app/sweep/sweep_names.h"
#include "app/sweep/sweep_panel.h"
#include "app/widgets/elided_label.h"
#include "app/widgets/text.h"
#include "core/loader/setting_value.h"
#include "core/sweep/sweep_file.h"

namespace overlane
{

namespace
{

constexpr int kSimulated = -1;

// Which points have no figures, with the reason of the first; empty where all have.
QString failedPoints(const SweepResult& result)
{
    int failed = 0;
    QString first;
    const std::vector<SweepAxis>& axes = result.plan.axes;
    for (std::size_t point = 0; point < result.plan.points(); ++point) {
        const std::string error = result.error(point);
        if (error.empty() || ++failed > 1)
            continue;
        QStringList place;
        for (std::size_t axis = 0; axis < axes.size(); ++axis)
            place << text(axes[axis].setting().label) + ' ' +
                         text(settingValueText(axes[axis].setting(), result.plan.value(point, axis)));
        first = u"%1: %2"_s.arg(place.join(u", "_s), text(error));
    }
    return failed == 0   ? QString()
           : failed == 1 ? u"One point could not run. %1"_s.arg(first)
                         : u"%1 points could not run, the first at %2"_s.arg(failed).arg(first);
}

// "Overrides Workers 4 -> 1 to 16, Batches 64 -> 256.": the laboratory's settings that do not hold in the sweep.
QString overriddenSettings(const SweepPlan& plan, const Scenario& laboratory)
{
    const auto valueOf = [](const Setting& setting, double value) { return text(settingValueText(setting, value)); };
    QStringList named;
    for (const SweepAxis& axis : plan.axes) {
        const Setting& setting = axis.setting();
        const QString present = valueOf(setting, setting.get(laboratory));
        QStringList values;
        for (const double value : axis.values)
            values << valueOf(setting, value);
        const bool listed = values.size() < 3 || setting.kind == SettingKind::Choice;
        named << u"%1 %2 \u2192 %3"_s.arg(
            text(setting.label), present,
            listed ? values.join(u" / "_s) : u"%1 to %2"_s.arg(values.front(), values.back()));
    }
    for (const Setting* setting : differingSettings(laboratory, plan.base)) {
        const bool onAxis = std::any_of(plan.axes.begin(), plan.axes.end(),
                                        [&](const SweepAxis& axis) { return axis.key == setting->key; });
        if (!onAxis)
            named << u"%1 %2 \u2192 %3"_s.arg(text(setting->label), valueOf(*setting, setting->get(laboratory)),
                                              valueOf(*setting, setting->get(plan.base)));
    }
    return named.isEmpty() ? QString() : u"Overrides %1."_s.arg(named.join(u", "_s));
}

}  // namespace

void SweepPanel::showEngines()
{
    const QVariant before = m_engine->currentData();
    m_engine->clear();
    m_engine->addItem(u"Simulated"_s, kSimulated);
    const auto& support = m_document->gpuRuns()->support();
    if (support && support->state == GpuSupport::State::Ready)
        for (std::size_t gpu = 0; gpu < support->devices.size(); ++gpu)
            m_engine->addItem(text(support->devices[gpu]), static_cast<int>(gpu));
    m_engine->setToolTip(m_engine->count() > 1
                             ? u"What runs the points: the simulation, or one of this machine's GPUs, one run after "
                               "the other"_s
                             : u"Simulated: %1"_s.arg(support ? text(support->sentence) : u"looking for a GPU …"_s));
    m_engine->setCurrentIndex(std::max(0, m_engine->findData(before)));
    showState();
}

void SweepPanel::showItem(QListWidgetItem* item, const KeptSweep& sweep)
{
    const QSignalBlocker quiet(m_list);
    QString state;
    if (m_library->running() == sweep.id)
        state = u"running"_s;
    else if (!sweep.complete())
        state = u"%1 of %2 runs"_s.arg(sweep.result.runs.size()).arg(sweep.result.plan.runs());
    else if (!sweep.sheet && !failedPoints(sweep.result).isEmpty())
        state = u"not every point could run"_s;
    const bool gpu = !sweep.sheet && sweep.result.plan.engine == SweepEngine::Gpu;
    const QString where = gpu ? u"measured, %1"_s.arg(sweep.device) : sweep.device;
    const QString name = distinctName(m_library->sweeps(), sweep);
    item->setText(state.isEmpty() ? u"%1\n%2"_s.arg(name, where) : u"%1\n%2, %3"_s.arg(name, where, state));
    QString tip = item->text();
    if (!sweep.sheet) {
        for (const SweepAxis& axis : sweep.result.plan.axes)
            tip += u"\n"_s + text(axisText(axis)).left(160);
        tip += u"\nfrom \"%1\""_s.arg(text(sweep.result.plan.base.name));
    }
    if (!sweep.sheet)
        if (const QString failed = failedPoints(sweep.result); !failed.isEmpty())
            tip += u"\n"_s + failed;
    if (!sweep.file.isEmpty())
        tip += u"\n"_s + sweep.file;
    item->setToolTip(tip);
    item->setData(kIdRole, sweep.id);
    item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
    item->setCheckState(sweep.shown ? Qt::Checked : Qt::Unchecked);
}

void SweepPanel::fillList()
{
    const int before = chosen();
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        for (const KeptSweep& sweep : m_library->sweeps())
            showItem(new QListWidgetItem(m_list), sweep);
    }
    choose(before);
    if (m_list->currentRow() < 0 && m_list->count() > 0)
        m_list->setCurrentRow(m_list->count() - 1);
    showChosen();
}

void SweepPanel::showChosen()
{
    const int id = chosen();
    const KeptSweep* sweep = m_library->find(id);
    if (sweep != nullptr && !sweep->shown)
        m_library->setShown(id, true);
    if (id == m_drawn) {  // a person's choice of figure and plot stays
        m_plot->refresh();
        showState();
        return;
    }
    m_drawn = id;
    if (sweep != nullptr && !sweep->sheet) {
        m_metric->setCurrentIndex(m_metric->findData(text(sweep->metric)));
        m_plot->setMetric(runMetric(sweep->metric));
    }
    m_plot->setChosen(id);
    const bool map = m_plot->hasHeatMap();
    m_view->setEnabled(map);
    // A map where lines would be too many to tell apart.
    const bool many = map && sweep->result.plan.axes[1].values.size() > 4;
    m_view->setCurrentIndex(many ? 1 : 0);
    m_plot->setView(many ? SweepPlot::View::HeatMap : SweepPlot::View::Lines);
    m_metric->setEnabled(sweep == nullptr || !sweep->sheet);
    showState();
}

QString SweepPanel::planText() const
{
    const SweepPlan wanted = plan();
    const auto checked = checkSweep(wanted);
    return checked.ok() ? u"%1 points, %2 runs. %3"_s.arg(wanted.points())
                              .arg(wanted.runs())
                              .arg(overriddenSettings(wanted, m_document->laboratory()->scenario()))
                        : text(checked.error());
}

void SweepPanel::showState()
{
    const bool busy = m_library->busy();
    m_run->setText(busy ? u"&Cancel"_s : u"&Run"_s);
    m_progress->setVisible(busy);
    if (!busy)
        m_progress->setValue(0);
    const KeptSweep* sweep = m_library->find(chosen());
    m_goOn->setEnabled(sweep != nullptr && !busy && !sweep->complete());
    m_remove->setEnabled(sweep != nullptr && m_library->running() != sweep->id);
    const SweepPlan wanted = plan();
    if (busy) {
        const KeptSweep* running = m_library->find(m_library->running());
        m_status->setText(u"%1: %2 of %3 runs"_s.arg(running->title)
                              .arg(running->result.runs.size())
                              .arg(running->result.plan.runs()));
        return;
    }
    for (const AxisEditor* editor : {m_first, m_second})
        if (const QString problem = editor->problem(); !problem.isEmpty()) {
            m_status->setText(problem);
            m_run->setEnabled(false);
            return;
        }
    m_run->setEnabled(checkSweep(wanted).ok());
    QString line = planText();
    if (sweep != nullptr && !sweep->sheet)
        if (const QString failed = failedPoints(sweep->result); !failed.isEmpty())
            line = failed;
    if (const QStringList left = m_plot->leftOut(); !left.isEmpty())
        line += u"  Not drawn, for it runs over another setting: %1."_s.arg(left.join(u", "_s));
    m_status->setText(line);
}

void SweepPanel::remove()
{
    const KeptSweep* sweep = m_library->find(chosen());
    if (sweep == nullptr)
        return;
    const bool asks = !sweep->sheet;  // curves of a profile are there again in a moment
    if (asks &&
        !m_confirm(this,
                   u"Remove \"%1\" with its %2 runs for good?"_s.arg(sweep->title).arg(sweep->result.runs.size())))
        return;
    m_library->remove(sweep->id);
}

void SweepPanel::exportAs()
{
    const KeptSweep* sweep = m_library->find(chosen());
    if (sweep == nullptr) {
        m_status->setText(u"There is no sweep to export yet."_s);
        return;
    }
    const QString path =
        m_chooser.toSave(this, u"Export"_s, u"sweep.png"_s, u"Pictures and tables (*.png *.svg *.pdf *.csv)"_s);
    if (path.isEmpty())
        return;
    QString error;
    if (QFileInfo(path).suffix().toLower() == QLatin1String("csv")) {
        QSaveFile file(path);
        const std::string csv = sweep->sheet ? curvesCsv(*sweep->sheet) : sweepCsv(sweep->result);
        if (!file.open(QIODevice::WriteOnly) || file.write(csv.data(), static_cast<qint64>(csv.size())) < 0 ||
            !file.commit())
            error = u"%1 cannot be written: %2."_s.arg(path, file.errorString());
    } else {
        error = m_plot->write(path);
    }
    m_status->setText(error.isEmpty() ? u"Written to %1"_s.arg(path) : error);
}

}  // namespace overlane
