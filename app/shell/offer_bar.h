// OfferBar: one sentence with its answers, above everything, until one is chosen or it is closed.
//
// Lives on the GUI thread.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "app/widgets/tinted_bar.h"

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace overlane
{

class OfferBar : public TintedBar
{
    Q_OBJECT

public:
    // What a button says, and what it does once the bar is hidden.
    using Answers = std::vector<std::pair<QString, std::function<void()>>>;

    explicit OfferBar(QWidget* parent = nullptr);

    void offer(const QString& sentence, const Answers& answers);
    QString sentence() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void dress();

    QLabel* m_text;
    QHBoxLayout* m_line;
    std::vector<QPushButton*> m_answers;
};

}  // namespace overlane
