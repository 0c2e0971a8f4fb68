// LaboratoryPanel: the form of the laboratory: engine, device, preset with its hint, every setting, and
// below what the last run locked and swapped, and, for this machine's GPU, the buttons that run.
//
// Lives on the GUI thread; made from allSettings(), so that a new setting appears by itself. Writes to
// the document's Laboratory and follows it (undo, presets, an opened trace). A setting that changes
// nothing as the others stand is disabled and says why.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
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

private:
    void refreshDevices();
    QWidget* makeHead();
    QWidget* makeGroups();
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
