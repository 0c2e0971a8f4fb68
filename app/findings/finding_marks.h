// The two small pictures of a finding: a mark for its severity, told by shape as well as color, and a
// bar for its cost.
//
// Widgets of the GUI thread.
#pragma once

#include <QWidget>

#include "core/findings/finding.h"

namespace overlane
{

// An octagon with "!" for a hazard, a triangle for a problem, a circle for a hint, a tick for what is good.
class SeverityMark : public QWidget
{
    Q_OBJECT

public:
    explicit SeverityMark(QWidget* parent = nullptr);
    void setSeverity(FindingSeverity severity);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    FindingSeverity m_severity = FindingSeverity::Hint;
};

class CostBar : public QWidget
{
    Q_OBJECT

public:
    explicit CostBar(QWidget* parent = nullptr);
    // 0 to 1 of the bar's width; a cost is never too small to see.
    void setShare(double share);
    double share() const { return m_share; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double m_share = 0;
};

}  // namespace overlane
