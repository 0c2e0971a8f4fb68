// BudgetBox: a spin box for a length of time, shown and typed with its unit: "90 s", "5 min", "1.5 h".
//
// Lives on the GUI thread. The value is in seconds; a number without a unit is minutes.
#pragma once

#include <optional>

#include <QDoubleSpinBox>

namespace overlane
{

class BudgetBox : public QDoubleSpinBox
{
    Q_OBJECT

public:
    explicit BudgetBox(QWidget* parent = nullptr);

    // "5 min" of seconds.
    static QString timeText(double seconds);
    // "4:05", "1:02:30" of seconds that go by.
    static QString clockText(qint64 seconds);
    // Seconds; none where it is no time.
    static std::optional<double> parsedTime(const QString& text);

    QString textFromValue(double value) const override { return timeText(value); }
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
    void stepBy(int steps) override;
};

}  // namespace overlane
