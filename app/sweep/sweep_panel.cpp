#include "app/sweep/sweep_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QSaveFile>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/session/document.h"
#include "app/sweep/axis_editor.h"
#include "app/widgets/elided_label.h"
#include "app/widgets/flat_button.h"
#include "app/widgets/text.h"
#include "core/sweep/sweep_file.h"
#include "core/sweep/sweep_ready.h"

namespace overlane
{

SweepPanel::SweepPanel(SweepLibrary* library, Document* document, QWidget* parent)
    : QWidget(parent),
      m_library(library),
      m_document(document),
      m_confirm([](QWidget* asking, const QString& question) {
          return QMessageBox::question(asking, u"Remove a sweep"_s, question) == QMessageBox::Yes;
      }),
      m_ready(new QComboBox(this)),
      m_first(new AxisEditor(u"&Over"_s, AxisEditor::Need::Required, u"sweepFirst"_s, this)),
      m_second(new AxisEditor(u"and o&ver"_s, AxisEditor::Need::Optional, u"sweepSecond"_s, this)),
      m_engine(new QComboBox(this)),
      m_repeats(new QSpinBox(this)),
      m_run(new QPushButton(u"&Run"_s, this)),
      m_progress(new QProgressBar(this)),
      m_status(new ElidedLabel(this)),
      m_list(new QListWidget(this)),
      m_goOn(flatButton(u"Go on"_s, "sweepGoOn", u"Run the points that are missing"_s, this)),
      m_remove(flatButton(u"Remove"_s, "sweepRemove", u"Remove the chosen sweep and its file"_s, this)),
      m_metric(new QComboBox(this)),
      m_view(new QComboBox(this)),
      m_scale(new QComboBox(this)),
      m_plot(new SweepPlot(library, this))
{
    setObjectName("sweepPanel");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(4);
    makeControls(column);
    auto* across = new QSplitter(Qt::Horizontal, this);
    across->setChildrenCollapsible(false);
    across->addWidget(makeList());
    across->addWidget(makePlotSide());
    across->setStretchFactor(0, 0);
    across->setStretchFactor(1, 1);
    across->setSizes({230, 800});
    column->addWidget(across, 1);

    connect(m_library, &SweepLibrary::listChanged, this, &SweepPanel::fillList);
    connect(m_library, &SweepLibrary::changed, this, [this](int id) {
        for (int row = 0; row < m_list->count(); ++row)
            if (m_list->item(row)->data(kIdRole).toInt() == id)
                if (const KeptSweep* sweep = m_library->find(id))
                    showItem(m_list->item(row), *sweep);
        m_plot->refresh();
        showState();
    });
    connect(m_library, &SweepLibrary::busyChanged, this, &SweepPanel::showState);
    connect(m_library, &SweepLibrary::progressed, this,
            [this](double fraction) { m_progress->setValue(static_cast<int>(fraction * kProgressSteps)); });
    connect(m_library, &SweepLibrary::failed, this, [this](const QString& sentence) { m_status->setText(sentence); });
    connect(m_plot, &SweepPlot::pointChosen, this, &SweepPanel::pointChosen);
    connect(m_document->gpuRuns(), &GpuRuns::supportChanged, this, &SweepPanel::showEngines);
    showEngines();
    fillList();
}

void SweepPanel::makeControls(QVBoxLayout* column)
{
    m_ready->setObjectName("sweepReady");
    m_ready->setAccessibleName(u"Ready-made sweeps"_s);
    m_ready->addItem(u"Ready-made …"_s);
    for (const ReadySweep& sweep : allSweeps()) {
        m_ready->addItem(text(sweep.title), text(sweep.key));
        m_ready->setItemData(m_ready->count() - 1, text(sweep.hint), Qt::ToolTipRole);
    }
    m_ready->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_ready->setMinimumContentsLength(24);
    m_engine->setObjectName("sweepEngine");
    m_engine->setAccessibleName(u"Engine"_s);
    m_repeats->setObjectName("sweepRepeats");
    m_repeats->setRange(1, kMostRepeats);
    m_repeats->setPrefix(u"× "_s);
    m_repeats->setAccessibleName(u"Runs of each point"_s);
    m_repeats->setToolTip(u"Runs of each point, each with another seed: the plot shows their spread"_s);
    m_run->setObjectName("sweepRun");
    m_progress->setObjectName("sweepProgress");
    m_progress->setRange(0, kProgressSteps);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(110);
    m_status->setObjectName("sweepStatus");
    auto* how = flatButton(u"How"_s, "sweepHow", u"What a sweep is and how to read its plot"_s, this);

    auto* top = new QHBoxLayout;
    top->setSpacing(6);
    top->addWidget(m_ready, 1);
    top->addWidget(m_engine);
    top->addWidget(m_repeats);
    top->addWidget(m_run);
    top->addWidget(m_progress);
    top->addWidget(how);
    // One below the other: beside each other they are wider than a small window.
    auto* axes = new QVBoxLayout;
    axes->setSpacing(2);
    axes->addWidget(m_first);
    axes->addWidget(m_second);
    column->addLayout(top);
    column->addLayout(axes);
    column->addWidget(m_status);

    connect(m_ready, &QComboBox::activated, this, [this] { takeReady(m_ready->currentData().toString()); });
    connect(m_run, &QPushButton::clicked, this, [this] { m_library->busy() ? m_library->cancel() : run(); });
    connect(how, &QToolButton::clicked, this, [this] { emit helpRequested(u"sweeps"_s, {}); });
    for (AxisEditor* editor : {m_first, m_second}) {
        editor->setScenario(m_document->laboratory()->scenario());
        connect(editor, &AxisEditor::changed, this, [this] {
            m_title.clear();
            m_readyKey.clear();
            m_wanted = metric_key::kBatch;
            m_ready->setCurrentIndex(0);
            showState();
        });
    }
    connect(m_engine, &QComboBox::activated, this, &SweepPanel::showState);
    connect(m_repeats, &QSpinBox::valueChanged, this, &SweepPanel::showState);
    connect(m_document->laboratory(), &Laboratory::changed, this, [this] {
        for (AxisEditor* editor : {m_first, m_second})
            editor->setScenario(m_document->laboratory()->scenario());
        showState();
    });
}

QWidget* SweepPanel::makeList()
{
    auto* side = new QWidget(this);
    m_list->setObjectName("sweepList");
    m_list->setAccessibleName(u"Sweeps"_s);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setMinimumWidth(120);
    auto* openFile = flatButton(u"Open …"_s, "sweepOpen", u"Show a sweep that is a file: .jsonl"_s, side);
    auto* exporting = flatButton(u"Export …"_s, "sweepExport",
                                 u"Write the plot as PNG, SVG or PDF, or the chosen sweep's points as CSV"_s, side);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(2);
    for (QToolButton* button : {m_goOn, openFile, exporting, m_remove})
        buttons->addWidget(button);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_list, 1);
    column->addLayout(buttons);

    connect(m_list, &QListWidget::currentItemChanged, this, &SweepPanel::showChosen);
    connect(m_list, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
        m_library->setShown(item->data(kIdRole).toInt(), item->checkState() == Qt::Checked);
    });
    connect(m_goOn, &QToolButton::clicked, this, [this] { m_library->resume(chosen()); });
    connect(m_remove, &QToolButton::clicked, this, &SweepPanel::remove);
    connect(exporting, &QToolButton::clicked, this, &SweepPanel::exportAs);
    connect(openFile, &QToolButton::clicked, this, [this] {
        const QString path = m_chooser.toOpen(this, u"Open a sweep"_s, {}, u"Sweeps (*.jsonl)"_s);
        if (path.isEmpty())
            return;
        m_library->open(path);
        choose(m_library->sweeps().empty() ? 0 : m_library->sweeps().back().id);
    });
    return side;
}

QWidget* SweepPanel::makePlotSide()
{
    auto* side = new QWidget(this);
    m_metric->setObjectName("sweepMetric");
    m_metric->setAccessibleName(u"Figure"_s);
    std::string_view group;
    for (const RunMetric& metric : allRunMetrics()) {
        if (!group.empty() && group != metric.group)
            m_metric->insertSeparator(m_metric->count());
        group = metric.group;
        m_metric->addItem(text(metric.title()), text(metric.key));
        m_metric->setItemData(m_metric->count() - 1, text(metric.description), Qt::ToolTipRole);
    }
    m_view->setObjectName("sweepView");
    m_view->setAccessibleName(u"Plot"_s);
    m_view->addItems({u"Lines"_s, u"Heat map"_s});
    m_scale->setObjectName("sweepScale");
    m_scale->setAccessibleName(u"Scale"_s);
    m_scale->addItems({u"Scale: as fits"_s, u"Linear"_s, u"Logarithmic"_s});
    auto* line = new QHBoxLayout;
    line->setSpacing(6);
    for (QComboBox* box : {m_metric, m_view, m_scale})
        line->addWidget(box);
    line->addStretch(1);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    column->addLayout(line);
    column->addWidget(m_plot, 1);
    connect(m_metric, &QComboBox::activated, this,
            [this] { m_plot->setMetric(runMetric(m_metric->currentData().toString().toStdString())); });
    connect(m_view, &QComboBox::activated, this, [this](int at) { m_plot->setView(static_cast<SweepPlot::View>(at)); });
    connect(m_scale, &QComboBox::activated, this,
            [this](int at) { m_plot->setScale(static_cast<SweepPlot::Scale>(at)); });
    return side;
}

SweepPlan SweepPanel::plan() const
{
    SweepPlan plan;
    plan.base = m_document->laboratory()->scenario();
    const DeviceProfile& device = m_document->laboratory()->device();
    // A ready-made one brings settings along, such as enough batches for its largest point.
    if (const ReadySweep* ready = findReadySweep(m_readyKey); ready != nullptr && ready->plan)
        plan.base = ready->plan(plan.base, device).base;
    plan.deviceKey = device.key;
    const int gpu = m_engine->currentData().toInt();
    plan.engine = gpu >= 0 ? SweepEngine::Gpu : SweepEngine::Simulated;
    plan.gpu = std::max(0, gpu);
    plan.repeats = m_repeats->value();
    for (const AxisEditor* editor : {m_first, m_second})
        if (auto axis = editor->axis())
            plan.axes.push_back(std::move(*axis));
    return plan;
}

void SweepPanel::takeReady(const QString& key)
{
    const ReadySweep* ready = findReadySweep(key.toStdString());
    if (ready == nullptr)
        return;
    const DeviceProfile& device = m_document->laboratory()->device();
    if (ready->curves) {
        m_library->addCurves(ready->curves(device), text(device.name));
        choose(m_library->sweeps().back().id);
        // Drawn already: the list names what Run would run, which are the rows below it.
        m_ready->setCurrentIndex(m_readyKey.empty() ? 0 : m_ready->findData(text(m_readyKey)));
        m_status->setText(text(ready->hint));
        return;
    }
    const SweepPlan plan = ready->plan(m_document->laboratory()->scenario(), device);
    m_first->setAxis(plan.axes[0]);
    m_second->setAxis(plan.axes.size() > 1 ? std::optional(plan.axes[1]) : std::nullopt);
    m_title = text(ready->title);
    m_readyKey = ready->key;
    m_wanted = ready->metric;
    m_ready->setCurrentIndex(m_ready->findData(key));
    showState();
    if (!m_library->busy())
        m_status->setText(text(ready->hint) + (m_run->isEnabled() ? u" Press Run: "_s : u" "_s) + planText());
}

void SweepPanel::run()
{
    for (const AxisEditor* editor : {m_first, m_second})
        if (const QString problem = editor->problem(); !problem.isEmpty()) {
            m_status->setText(problem);
            return;
        }
    const SweepPlan wanted = plan();
    const int id = m_library->start(wanted, m_title.isEmpty() ? text(sweepTitle(wanted)) : m_title, m_wanted);
    if (id == 0)
        return;
    choose(id);
}

int SweepPanel::chosen() const
{
    return m_list->currentItem() != nullptr ? m_list->currentItem()->data(kIdRole).toInt() : 0;
}

void SweepPanel::choose(int id)
{
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->data(kIdRole).toInt() == id)
            m_list->setCurrentRow(row);
}

QString SweepPanel::status() const
{
    return m_status->text();
}

}  // namespace overlane
