// LaboratoryPanel: the form of the laboratory: engine, device, preset with its hint, every setting, and
// below what the last run locked and swapped, and, for this machine's GPU, the buttons that run.
//
// Lives on the GUI thread; made from allSettings(), so that a new setting appears by itself. Writes to
// the document's Laboratory and follows it (undo, presets, an opened trace). A setting that changes
// nothing as the others stand is disabled and says why. Only the settings scroll; where the place of the panel is too
// low for that, they are shown whole, and what the panel stands in scrolls all of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace overlane
{

class Document;
class ElidedLabel;
class RunControls;
class SettingRow;
struct Preset;
struct Setting;

class LaboratoryPanel : public QWidget
{
    Q_OBJECT

public:
    explicit LaboratoryPanel(Document* document, QWidget* parent = nullptr);

    // Folds the controls of one group of settings away, or shows them.
    void setGroupShown(const QString& group, bool shown);
    QSize sizeHint() const override { return {292, 600}; }

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // Scrolls the settings, or shows them whole, by how high the parent is.
    void shareHeight();
    void refreshDevices();
    QWidget* makeHead();
    QScrollArea* makeGroups();
    QWidget* makeFoot();
    QGridLayout* makeGroup(const QString& name, QWidget* page);
    void addRow(const Setting& setting, QGridLayout* grid, QWidget* parent);
    void fillDevices();
    void refresh();
    void refreshEngines();
    void refreshEngine();
    // What the preset is for, and what it would change.
    QString presetTip(const Preset& preset) const;
    void refreshHint();
    void refreshHeaders();
    void refreshMemory();
    void refreshBaseline();

    struct Group {
        QToolButton* header = nullptr;
        QWidget* body = nullptr;
        QGridLayout* grid = nullptr;
    };

    Document* m_document;
    QWidget* m_head = nullptr;
    QScrollArea* m_settings = nullptr;
    QWidget* m_foot = nullptr;
    QComboBox* m_engine = nullptr;
    QComboBox* m_device = nullptr;
    QComboBox* m_preset = nullptr;
    ElidedLabel* m_hint = nullptr;
    QPushButton* m_simulate = nullptr;  // while an opened trace is shown
    QLabel* m_memory = nullptr;
    QPushButton* m_keep = nullptr;
    RunControls* m_run = nullptr;
    std::vector<SettingRow*> m_rows;
    std::map<QString, Group> m_groups;
};

}  // namespace overlane
