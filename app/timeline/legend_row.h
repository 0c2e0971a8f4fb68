// LegendRow: what the colours and patterns of the timeline mean; always visible.
#pragma once

#include <QWidget>

namespace overlane
{

class LegendRow : public QWidget
{
    Q_OBJECT

public:
    explicit LegendRow(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace overlane
