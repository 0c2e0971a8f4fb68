// MessageBar: one sentence about what went wrong, above everything, until it is closed or replaced.
#pragma once

#include <QFrame>

class QLabel;

namespace overlane
{

class MessageBar : public QFrame
{
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    void showError(const QString& sentence);
    QString sentence() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void dress();

    QLabel* m_text;
};

}  // namespace overlane
