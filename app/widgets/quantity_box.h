// QuantityBox: a spin box for one number of a scenario, shown and typed with the unit people use.
//
// Lives on the GUI thread. The value is in the setting's own unit (bytes, microseconds, a count);
// "48 MiB", "1.5 ms" and "200" can be typed. A logarithmic setting steps in ratios.
#pragma once

#include <QDoubleSpinBox>

#include "core/loader/settings.h"

namespace overlane
{

class QuantityBox : public QDoubleSpinBox
{
    Q_OBJECT

public:
    explicit QuantityBox(const Setting& setting, QWidget* parent = nullptr);

    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
    void stepBy(int steps) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

private:
    const Setting& m_setting;
};

}  // namespace overlane
