// LauncherRow: what starts the ranks of a job on another machine, as a row of the record dialog: torchrun, srun or
// mpirun with a number of processes, or words of one's own.
//
// Lives on the GUI thread.
#pragma once

#include <QWidget>

class QComboBox;
class QSettings;
class QSpinBox;

namespace overlane
{

class LauncherRow : public QWidget
{
public:
    explicit LauncherRow(QWidget* parent);

    // As --launcher takes it; empty: none.
    QString command() const;

    // In the group that the settings are in.
    void restore(const QSettings& settings);
    void store(QSettings& settings) const;

private:
    QComboBox* m_launcher;
    QSpinBox* m_ranks;
};

}  // namespace overlane
