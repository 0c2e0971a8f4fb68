// WhatIfRow: one change to try: a switch, its value where it has one, and what the step would take, as a
// number and as a bar beside the step without it. A change within the noise has no bar and says so; one that
// cannot be predicted says why instead.
//
// Lives on the GUI thread. Nanoseconds.
#pragma once

#include <cstdint>

#include <QWidget>

#include "app/second/what_if_choices.h"
#include "app/second/what_if_source.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace overlane
{

class ElidedLabel;
class StepBar;

class WhatIfRow : public QWidget
{
    Q_OBJECT

public:
    explicit WhatIfRow(ChangeKind kind, QWidget* parent = nullptr);
    ~WhatIfRow() override;

    ChangeKind kind() const { return m_kind; }
    void setChoices(const WhatIfChoices& choices);
    // `nowNs`: the step with what is switched on; `scaleNs`: what a full bar stands for.
    void setTrial(const WhatIfTrial& trial, std::int64_t nowNs, std::int64_t scaleNs);

    // Writes switch and value of this row into the choices.
    void store(WhatIfChoices& choices) const;

    QCheckBox* box() const { return m_box; }
    QString figure() const;
    QString reason() const;  // why it cannot be predicted

signals:
    // The row's part of the choices, as the person set it.
    void changed(overlane::ChangeKind kind);

private:
    QWidget* makeValue();

    ChangeKind m_kind;
    QCheckBox* m_box;
    QSpinBox* m_count = nullptr;
    QDoubleSpinBox* m_rate = nullptr;
    QComboBox* m_device = nullptr;
    QLabel* m_figure;
    StepBar* m_bar;
    ElidedLabel* m_reason;
    ElidedLabel* m_unclear;  // in the bar's place, where the change is within the noise
};

}  // namespace overlane
