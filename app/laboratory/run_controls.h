// RunControls: the part of the laboratory that runs its settings on this machine's GPU: run, run on
// both engines, stop, and one line about the run under way or what the next one would be.
//
// Lives on the GUI thread; writes to the document and follows it.
#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QPushButton;

namespace overlane
{

class Document;
struct GpuRunStatus;

class RunControls : public QWidget
{
    Q_OBJECT

public:
    explicit RunControls(Document* document, QWidget* parent = nullptr);

private:
    void refresh();
    void show(const GpuRunStatus& status);

    Document* m_document;
    QPushButton* m_run;
    QPushButton* m_both;
    QPushButton* m_stop;
    QCheckBox* m_force;
    QLabel* m_status;
    QString m_counted;  // of the run under way
    bool m_stopping = false;
};

}  // namespace overlane
