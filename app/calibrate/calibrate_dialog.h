// CalibrateDialog: measures this machine's GPU and memory, and shows the figures and plots of any device profile.
//
// Lives on the GUI thread. Without a GPU it says why there is none, and shows the profiles that are there all the same.
// A profile that was made is kept among the person's own before anything else happens to it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QDialog>

#include "app/calibrate/calibrator.h"
#include "app/widgets/file_chooser.h"
#include "core/calibration/calibration_plots.h"
#include "core/system/gpu_support.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;
class QTabBar;
class QTableWidget;

namespace overlane
{

class CalibrationPlotView;

class CalibrateDialog : public QDialog
{
    Q_OBJECT

public:
    // With this profile, or the first where none has the key.
    explicit CalibrateDialog(QWidget* parent = nullptr, const std::string& profile = {});

    // What the driver said; nothing before it has answered.
    void setSupport(const std::optional<GpuSupport>& support);
    void setFileChooser(FileChooser chooser) { m_chooser = std::move(chooser); }
    void showProfile(const std::string& key);
    std::string shownProfile() const;
    Calibrator* calibrator() { return &m_calibrator; }
    CalibrationPlotView* plot() const { return m_plot; }

signals:
    // A profile was added to the person's own.
    void profilesChanged(const QString& key);
    void profileUsed(const QString& key);
    void helpRequested(const QString& page);

public slots:
    // Asks whether a calibration under way is to end.
    void reject() override;

protected:
    void changeEvent(QEvent* event) override;

private:
    static constexpr int kWhole = 1000;  // of the progress bar
    enum Column : std::uint8_t { Figure, Median, Spread, From, Columns };

    QWidget* makeHead();
    QWidget* makePlots();
    QWidget* makeTable();
    QWidget* makeFoot();
    void fillProfiles();
    void openProfile();
    void start();
    void refreshRunning();
    void showSentence(const QString& sentence, bool problem);
    void showMade(const CalibratedProfile& calibrated);
    // Draws the record being measured, or the shown profile's.
    void refreshPlots();
    void refreshCurves();
    void refreshTable();
    void exportPlot(const QString& suffix);
    void choosePlot(int index);

    Calibrator m_calibrator;
    FileChooser m_chooser;
    std::optional<GpuSupport> m_support;
    const DeviceProfile* m_profile = nullptr;
    std::vector<CalibrationPlot> m_plots;
    QString m_plotKey;  // the one to stay on

    QComboBox* m_profiles;
    QLabel* m_about;
    QComboBox* m_device;
    QCheckBox* m_quick;
    QPushButton* m_start;
    QPushButton* m_cancel;
    QProgressBar* m_progress;
    QLabel* m_sentence;
    QTabBar* m_tabs;
    CalibrationPlotView* m_plot;
    QListWidget* m_curves;
    QTableWidget* m_table;
    QPushButton* m_use;
};

}  // namespace overlane
