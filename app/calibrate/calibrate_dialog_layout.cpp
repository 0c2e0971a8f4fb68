// The parts of CalibrateDialog: what stands where and what it is for.
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QTabBar>
#include <QTableWidget>

#include "app/calibrate/calibrate_dialog.h"
#include "app/calibrate/calibration_plot_view.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kCurvesWidthPx = 250;

}  // namespace

QWidget* CalibrateDialog::makeHead()
{
    auto* head = new QWidget(this);
    auto* grid = new QGridLayout(head);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setColumnStretch(1, 1);
    m_profiles = new QComboBox(head);
    m_profiles->setObjectName("profiles");
    m_profiles->setMinimumContentsLength(24);
    m_profiles->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    auto* label = new QLabel(u"&Profile"_s, head);
    label->setBuddy(m_profiles);
    auto* open = new QPushButton(u"&Open …"_s, head);
    open->setObjectName("openProfile");
    open->setToolTip(u"Show the figures and plots of a profile's file."_s);
    open->setAutoDefault(false);
    connect(open, &QPushButton::clicked, this, &CalibrateDialog::openProfile);
    connect(m_profiles, &QComboBox::activated, this,
            [this](int index) { showProfile(m_profiles->itemData(index).toString().toStdString()); });

    m_device = new QComboBox(head);
    m_device->setObjectName("calibratedDevice");
    m_device->setAccessibleName(u"GPU to calibrate"_s);
    m_quick = new QCheckBox(u"&Quick"_s, head);
    m_quick->setObjectName("quick");
    m_quick->setToolTip(u"Fewer samples and no block above 64 MiB: about ten seconds instead of one or two minutes."_s);
    m_start = new QPushButton(u"&Calibrate this machine"_s, head);
    m_start->setObjectName("startCalibration");
    m_start->setAutoDefault(false);
    m_start->setToolTip(
        u"Measures this machine's GPU and memory in a minute or two. Takes at most a quarter of the "
        "available memory, and frees it. Best while nothing else runs."_s);
    connect(m_start, &QPushButton::clicked, this, &CalibrateDialog::start);
    m_cancel = new QPushButton(u"Ca&ncel"_s, head);
    m_cancel->setObjectName("cancelCalibration");
    m_cancel->setToolTip(u"Ends the calibration; nothing is kept."_s);
    connect(m_cancel, &QPushButton::clicked, &m_calibrator, &Calibrator::cancel);

    m_about = new QLabel(head);
    m_about->setObjectName("aboutProfile");
    m_about->setWordWrap(true);
    m_sentence = new QLabel(head);
    m_sentence->setObjectName("calibrationSentence");
    m_sentence->setWordWrap(true);
    m_progress = new QProgressBar(head);
    m_progress->setRange(0, kWhole);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(u"Progress of the calibration"_s);
    m_progress->setMaximumHeight(6);

    grid->addWidget(label, 0, 0);
    grid->addWidget(m_profiles, 0, 1);
    grid->addWidget(open, 0, 2);
    grid->addWidget(m_device, 0, 3);
    grid->addWidget(m_quick, 0, 4);
    grid->addWidget(m_start, 0, 5);
    grid->addWidget(m_cancel, 0, 6);
    grid->addWidget(m_about, 1, 0, 1, 7);
    grid->addWidget(m_sentence, 2, 0, 1, 7);
    grid->addWidget(m_progress, 3, 0, 1, 7);
    return head;
}

QWidget* CalibrateDialog::makePlots()
{
    auto* area = new QWidget(this);
    auto* grid = new QGridLayout(area);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(4);
    m_tabs = new QTabBar(area);
    m_tabs->setObjectName("plots");
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    connect(m_tabs, &QTabBar::currentChanged, this, &CalibrateDialog::choosePlot);
    m_plot = new CalibrationPlotView(area);
    m_plot->setMinimumHeight(220);
    m_curves = new QListWidget(area);
    m_curves->setObjectName("curves");
    m_curves->setAccessibleName(u"Curves of the plot"_s);
    m_curves->setFixedWidth(kCurvesWidthPx);
    m_curves->setWordWrap(true);
    m_curves->setToolTip(u"Which curves are drawn."_s);
    connect(m_curves, &QListWidget::itemChanged, this, [this] {
        QStringList hidden;
        for (int row = 0; row < m_curves->count(); ++row)
            if (m_curves->item(row)->checkState() != Qt::Checked)
                hidden << m_curves->item(row)->text();
        m_plot->setHidden(hidden);
    });
    grid->addWidget(m_tabs, 0, 0, 1, 2);
    grid->addWidget(m_plot, 1, 0);
    grid->addWidget(m_curves, 1, 1);
    grid->setColumnStretch(0, 1);
    grid->setRowStretch(1, 1);
    return area;
}

QWidget* CalibrateDialog::makeTable()
{
    m_table = new QTableWidget(0, Columns, this);
    m_table->setObjectName("figures");
    m_table->setAccessibleName(u"Measured figures"_s);
    m_table->setHorizontalHeaderLabels({u"Figure"_s, u"Median"_s, u"Tenth to ninetieth percentile"_s, u"From"_s});
    // As the cells below them.
    for (const int column : {0, 3})
        m_table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (const int column : {1, 2})
        m_table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);  // arrows go from cell to cell
    m_table->setMinimumHeight(90);
    return m_table;
}

QWidget* CalibrateDialog::makeFoot()
{
    auto* foot = new QWidget(this);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(0, 0, 0, 0);
    const auto add = [&](const QString& label, const char* name, const QString& tip, auto run) {
        auto* button = new QPushButton(label, foot);
        button->setObjectName(name);
        button->setToolTip(tip);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, run);
        row->addWidget(button);
        return button;
    };
    add(u"&Help"_s, "calibrateHelp", u"What each figure is and how it is measured."_s,
        [this] { emit helpRequested("calibrate"); });
    row->addStretch(1);
    add(u"Export &picture …"_s, "exportPicture", u"Write the plot as PNG, SVG or PDF."_s,
        [this] { exportPlot("png"); });
    add(u"Export CS&V …"_s, "exportCsv", u"Write the plot's points as a table."_s, [this] { exportPlot("csv"); });
    m_use = add(u"&Use in the laboratory"_s, "useProfile", u"Simulate on this profile."_s, [this] {
        if (m_profile != nullptr)
            emit profileUsed(text(m_profile->key));
    });
    add(u"Close"_s, "closeCalibrate", {}, [this] { reject(); });
    return foot;
}

}  // namespace overlane
