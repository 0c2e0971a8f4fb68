// TitleLabel: the title above lanes, where a timeline shows more than one trace: a letter or word on a
// colored ground, the name, and what is to be said of it. What does not fit is elided, the name in its
// middle and after the rest; the tool tip has both whole.
//
// Lives on the GUI thread.
#pragma once

#include <QColor>
#include <QLabel>

namespace overlane
{

class TitleLabel : public QLabel
{
    Q_OBJECT

public:
    explicit TitleLabel(QWidget* parent = nullptr);

    void setTitle(const QColor& ground, const QString& badge, const QString& name, const QString& rest);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showTitle();

    QColor m_ground;
    QString m_badge;
    QString m_name;
    QString m_rest;
};

}  // namespace overlane
