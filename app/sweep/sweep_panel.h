// SweepPanel: what to sweep, the sweeps there are, and the plot of those that are ticked.
//
// Lives on the GUI thread; follows its library. Sweeps start from the laboratory's settings.
#pragma once

#include <functional>

#include <QWidget>

#include "app/sweep/sweep_library.h"
#include "app/sweep/sweep_plot.h"
#include "app/widgets/file_chooser.h"

class QComboBox;
class QLabel;
class QListWidget;
class QListWidgetItem;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace overlane
{

class AxisEditor;
class Document;
class ElidedLabel;

class SweepPanel : public QWidget
{
    Q_OBJECT

public:
    // Whether a sweep may go for good.
    using Confirm = std::function<bool(QWidget* parent, const QString& question)>;

    SweepPanel(SweepLibrary* library, Document* document, QWidget* parent = nullptr);

    SweepPlot* plot() const { return m_plot; }
    void setFileChooser(FileChooser chooser) { m_chooser = std::move(chooser); }
    void setConfirm(Confirm confirm) { m_confirm = std::move(confirm); }
    // Sets everything as the ready-made sweep with this key has it; its curves are added at once.
    void takeReady(const QString& key);
    void run();
    int chosen() const;
    void choose(int id);
    QString status() const;

signals:
    void pointChosen(int sweep, qulonglong point);
    void helpRequested(const QString& page, const QString& section);

private:
    static constexpr int kIdRole = Qt::UserRole;
    static constexpr int kProgressSteps = 1000;

    void makeControls(QVBoxLayout* column);
    QWidget* makeList();
    QWidget* makePlotSide();
    void fillList();
    void showItem(QListWidgetItem* item, const KeptSweep& sweep);
    void showChosen();
    void showState();
    void showEngines();
    SweepPlan plan() const;
    QString planText() const;  // its points and overridden settings, or why it cannot run
    void remove();
    void exportAs();

    SweepLibrary* m_library;
    Document* m_document;
    FileChooser m_chooser;
    Confirm m_confirm;
    QComboBox* m_ready;
    AxisEditor* m_first;
    AxisEditor* m_second;
    QComboBox* m_engine;
    QSpinBox* m_repeats;
    QPushButton* m_run;
    QProgressBar* m_progress;
    ElidedLabel* m_status;
    QListWidget* m_list;
    QToolButton* m_goOn;
    QToolButton* m_remove;
    QComboBox* m_metric;
    QComboBox* m_view;
    QComboBox* m_scale;
    SweepPlot* m_plot;
    std::string_view m_wanted = metric_key::kBatch;
    int m_drawn = 0;  // the sweep whose usual figure and plot were chosen last
    QString m_title;  // of the ready-made sweep, until its ranges are changed
    std::string m_readyKey;
};

}  // namespace overlane
