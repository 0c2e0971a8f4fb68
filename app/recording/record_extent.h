// RecordExtent: what of a program is recorded and how much of it, as rows of the record dialog: the kinds of records,
// the loader, stacks, and the bounds in time, iterations and size.
//
// Lives on the GUI thread; its widgets belong to the dialog, which outlives it. Seconds and GiB in the fields, the
// units of RecordOptions in addTo().
#pragma once

#include <QString>

#include "core/recorder/record_session.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QSettings;
class QSpinBox;
class QWidget;

namespace overlane
{

class RecordExtent
{
public:
    // Adds its rows to the form.
    RecordExtent(QFormLayout* form, QWidget* dialog);

    // As RecordKinds::parse() takes them.
    QString kinds() const;
    // What the fields say; every value of them is possible.
    void addTo(RecordOptions& options) const;

    // In the group that the settings are in.
    void restore(const QSettings& settings);
    void store(QSettings& settings) const;

private:
    void makeContents(QFormLayout* form, QWidget* dialog);
    void makeBounds(QFormLayout* form, QWidget* dialog);

    QComboBox* m_kinds;
    QCheckBox* m_pytorch;
    QCheckBox* m_stacks;
    QDoubleSpinBox* m_delay;
    QDoubleSpinBox* m_duration;
    QSpinBox* m_iterations;
    QSpinBox* m_after;
    QDoubleSpinBox* m_size;
};

}  // namespace overlane
