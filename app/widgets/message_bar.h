// MessageBar: one sentence about what went wrong, above everything, until it is closed or replaced; a notice
// also outlives what makes an error old. GUI thread.
#pragma once

#include "app/widgets/tinted_bar.h"

class QLabel;

namespace overlane
{

class MessageBar : public TintedBar
{
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    void showError(const QString& sentence);
    void showNotice(const QString& sentence);
    // What went wrong before is over; a notice stays until it is closed.
    void hideError();
    QString sentence() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void show(const QString& sentence, bool notice);
    void dress();

    QLabel* m_text;
    bool m_notice = false;
};

}  // namespace overlane
