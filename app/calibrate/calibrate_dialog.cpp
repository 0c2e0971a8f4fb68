#include "app/calibrate/calibrate_dialog.h"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStandardPaths>
#include <QTabBar>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/calibrate/calibration_plot_view.h"
#include "app/session/profile_label.h"
#include "app/theme/palette.h"
#include "app/widgets/screen_room.h"
#include "app/widgets/text.h"
#include "app/widgets/tinted_bar.h"
#include "core/base/counted.h"
#include "core/calibration/calibration_text.h"
#include "core/devices/user_profiles.h"

namespace overlane
{

namespace
{

constexpr QSize kFirstSize{1080, 720};

}  // namespace

CalibrateDialog::CalibrateDialog(QWidget* parent, const std::string& profile) : QDialog(parent), m_calibrator(this)
{
    setWindowTitle(u"Calibrate"_s);
    setObjectName("calibrateDialog");
    setModal(false);
    auto* column = new QVBoxLayout(this);
    column->addWidget(makeHead());
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(makePlots());
    split->addWidget(makeTable());
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setChildrenCollapsible(false);
    column->addWidget(split, 1);
    column->addWidget(makeFoot());
    resize(withinScreen(*this, kFirstSize));

    connect(&m_calibrator, &Calibrator::runningChanged, this, &CalibrateDialog::refreshRunning);
    connect(&m_calibrator, &Calibrator::progressed, this, [this](double fraction, const QString& doing) {
        m_progress->setValue(static_cast<int>(fraction * kWhole));
        if (!doing.isEmpty() && !m_calibrator.cancelling())
            showSentence(u"Measuring %1 …"_s.arg(doing), false);
    });
    connect(&m_calibrator, &Calibrator::recordGrown, this, &CalibrateDialog::refreshPlots);
    connect(&m_calibrator, &Calibrator::finished, this, &CalibrateDialog::showMade);
    connect(&m_calibrator, &Calibrator::failed, this, [this](const QString& sentence) {
        refreshPlots();
        showSentence(sentence, true);
    });
    connect(&m_calibrator, &Calibrator::stopped, this, [this] {
        refreshPlots();
        showSentence(u"Cancelled. No profile was saved, and all memory was freed."_s, false);
    });
    setSupport({});
    fillProfiles();
    showProfile(findDeviceProfile(profile) != nullptr ? profile : allDeviceProfiles().front().key);
    refreshRunning();
}

void CalibrateDialog::setSupport(const std::optional<GpuSupport>& support)
{
    m_support = support;
    m_device->clear();
    const bool ready = support && support->state == GpuSupport::State::Ready;
    if (ready)
        for (const std::string& name : support->devices)
            m_device->addItem(text(name));
    m_device->setVisible(ready && support->devices.size() > 1);
    if (!m_calibrator.running())
        showSentence(!support ? u"Querying the GPU driver …"_s : ready ? QString() : text(support->sentence), false);
    fillProfiles();
    refreshRunning();
}

void CalibrateDialog::fillProfiles()
{
    const std::string shown = shownProfile();
    m_profiles->clear();
    for (const DeviceProfile& profile : allDeviceProfiles())
        m_profiles->addItem(text(profile.name), text(profile.key));
    for (const DeviceProfile* profile : userDeviceProfiles())
        m_profiles->addItem(profileLabel(*profile, m_support), text(profile->key));
    if (m_profile != nullptr && m_profiles->findData(text(shown)) < 0)
        m_profiles->addItem(text(m_profile->name), text(shown));
    m_profiles->setCurrentIndex(m_profiles->findData(text(shown)));
}

std::string CalibrateDialog::shownProfile() const
{
    return m_profile != nullptr ? m_profile->key : std::string();
}

void CalibrateDialog::showProfile(const std::string& key)
{
    if (const DeviceProfile* profile = findDeviceProfile(key))
        m_profile = profile;
    fillProfiles();
    m_about->setText(m_profile != nullptr ? text(m_profile->about) : QString());
    refreshPlots();
    refreshTable();
}

void CalibrateDialog::openProfile()
{
    const QString path =
        m_chooser.toOpen(this, u"Open a device profile"_s, text(userProfileFolder()), u"Device profiles (*.json)"_s);
    if (path.isEmpty())
        return;
    const auto profile = readDeviceProfile(path.toStdString());
    if (!profile.ok()) {
        showSentence(text(profile.error()), true);
        return;
    }
    showSentence({}, false);
    showProfile(profile.value()->key);
}

void CalibrateDialog::start()
{
    CalibrationRunOptions options;
    options.device = std::max(0, m_device->currentIndex());
    options.quick = m_quick->isChecked();
    showSentence(u"Starting …"_s, false);
    m_progress->setValue(0);
    m_calibrator.start(options);
    refreshPlots();
}

void CalibrateDialog::refreshRunning()
{
    const bool running = m_calibrator.running();
    const bool ready = m_support && m_support->state == GpuSupport::State::Ready;
    m_start->setEnabled(ready && !running);
    m_quick->setEnabled(ready && !running);
    m_device->setEnabled(!running);
    m_profiles->setEnabled(!running);
    m_use->setEnabled(!running);
    m_cancel->setVisible(running);
    m_cancel->setEnabled(!m_calibrator.cancelling());
    m_progress->setVisible(running);
    if (m_calibrator.cancelling())
        showSentence(u"Freeing what was taken …"_s, false);
}

void CalibrateDialog::showSentence(const QString& sentence, bool problem)
{
    const Palette& colors = Palette::current(palette());
    setInk(m_sentence, problem ? colors.error : colors.mutedText);
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
}

void CalibrateDialog::showMade(const CalibratedProfile& calibrated)
{
    const std::string file = profileFilePath(calibrated.profile);
    const auto saved = file.empty()
                           ? Result<void>(Error{"There is no folder for profiles, because the system names no home."})
                           : saveProfile(calibrated, file);
    if (!saved.ok()) {
        refreshPlots();
        showSentence(text(saved.error()), true);
        return;
    }
    const auto read = readDeviceProfile(file);
    if (!read.ok()) {
        showSentence(text(read.error()), true);
        return;
    }
    showProfile(read.value()->key);
    const std::size_t misses = calibrated.record.misses.size();
    const QString rest = misses > 0 ? u" %1 failed; the table says which figures are not measured."_s.arg(
                                          text(counted(static_cast<std::int64_t>(misses), "measurement")))
                                    : QString();
    showSentence(
        u"Measured in %1 and kept as %2.%3"_s.arg(text(formatDuration(calibrated.record.tookNs)), text(file), rest),
        false);
    emit profilesChanged(text(read.value()->key));
}

void CalibrateDialog::refreshPlots()
{
    if (m_profile == nullptr)
        return;
    const bool live = m_calibrator.running();
    const auto kept =
        live ? Result<std::optional<CalibrationRecord>>(std::optional(m_calibrator.record())) : recordOf(*m_profile);
    const CalibrationRecord* record = kept.ok() && kept.value() ? &*kept.value() : nullptr;
    const QString key = m_plotKey;
    m_plots = calibrationPlots(*m_profile, record);
    {
        const QSignalBlocker quiet(m_tabs);
        while (m_tabs->count() > 0)
            m_tabs->removeTab(0);
        for (const CalibrationPlot& plot : m_plots)
            m_tabs->addTab(text(plot.title));
        const auto same = std::find_if(m_plots.begin(), m_plots.end(),
                                       [&](const CalibrationPlot& plot) { return text(plot.key) == key; });
        if (same != m_plots.end())
            m_tabs->setCurrentIndex(static_cast<int>(same - m_plots.begin()));
    }
    // A bar that was empty when it was laid out has no height, and tells nobody that it needs one now.
    m_tabs->updateGeometry();
    choosePlot(m_tabs->currentIndex());
    if (!key.isEmpty() && !live)  // the wish stays where the profile cannot fulfil it
        m_plotKey = key;
}

void CalibrateDialog::choosePlot(int index)
{
    if (index < 0 || index >= static_cast<int>(m_plots.size())) {
        m_plot->clear();
        m_curves->clear();
        return;
    }
    const CalibrationPlot& plot = m_plots[static_cast<std::size_t>(index)];
    m_plotKey = text(plot.key);
    m_plot->setPlot(plot);
    refreshCurves();
}

void CalibrateDialog::refreshCurves()
{
    const Palette& colors = Palette::current(palette());
    QStringList hidden;
    for (int row = 0; row < m_curves->count(); ++row)
        if (m_curves->item(row)->checkState() != Qt::Checked)
            hidden << m_curves->item(row)->text();
    const QSignalBlocker quiet(m_curves);
    m_curves->clear();
    const std::vector<PlotCurve>& curves = m_plot->plot().curves;
    for (std::size_t at = 0; at < curves.size(); ++at) {
        auto* item = new QListWidgetItem(CalibrationPlotView::curveSwatch(colors, at, devicePixelRatioF()),
                                         text(curves[at].name), m_curves);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsSelectable);
        item->setCheckState(hidden.contains(text(curves[at].name)) ? Qt::Unchecked : Qt::Checked);
        item->setToolTip(text(curves[at].how));
    }
    m_plot->setHidden(hidden);
}

void CalibrateDialog::refreshTable()
{
    m_table->setRowCount(0);
    if (m_profile == nullptr)
        return;
    const std::vector<FigureRow> rows = figureRows(*m_profile);
    m_table->setRowCount(static_cast<int>(rows.size()));
    const Palette& colors = Palette::current(palette());
    for (int at = 0; at < m_table->rowCount(); ++at) {
        const FigureRow& row = rows[static_cast<std::size_t>(at)];
        const auto put = [&](Column column, const std::string& value) {
            auto* item = new QTableWidgetItem(text(value));
            item->setToolTip(text(row.source));
            if (!row.measured)
                item->setForeground(colors.mutedText);
            if (column == Median)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(at, column, item);
        };
        put(Figure, row.key);
        put(Median, row.value);
        put(Spread, row.spread);
        put(From, row.source);
    }
    for (const Column column : {Figure, Median, Spread})
        m_table->resizeColumnToContents(column);
}

void CalibrateDialog::exportPlot(const QString& suffix)
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const QString suggested = u"%1/%2_%3.%4"_s.arg(folder, text(shownProfile()), text(m_plot->plot().key), suffix);
    const QString filters = suffix == "csv" ? u"Table (*.csv)"_s : u"Picture (*.png *.svg *.pdf)"_s;
    QString path = m_chooser.toSave(this, u"Export the plot"_s, suggested, filters);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += "." + suffix;
    const QString failure = m_plot->write(path);
    showSentence(failure.isEmpty() ? u"Written to %1."_s.arg(path) : failure, !failure.isEmpty());
}

void CalibrateDialog::reject()
{
    if (m_calibrator.running()) {
        const auto answer =
            QMessageBox::question(this, u"Calibrate"_s, u"End the calibration? Nothing of it is kept."_s,
                                  QMessageBox::Yes | QMessageBox::No, QMessageBox::No);
        if (answer != QMessageBox::Yes)
            return;
        m_calibrator.cancel();
    }
    QDialog::reject();
}

void CalibrateDialog::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && m_profile != nullptr) {
        refreshCurves();
        refreshTable();
    }
    QDialog::changeEvent(event);
}

}  // namespace overlane
