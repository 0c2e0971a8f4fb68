// ExplainCard: a sentence about the thing under the cursor, and the lesson that shows it, one click away.
//
// Lives on the GUI thread. Stays while the cursor is on the card or on the thing; asked for with the keyboard
// it takes the keys until Esc. Shows one thing at a time.
#pragma once

#include <QFrame>
#include <QTimer>

class QLabel;
class QPushButton;

namespace overlane
{

struct Explained {
    QString words;   // plain text or simple rich text
    QString lesson;  // key of the lesson that shows it; empty: none
    QString title;   // of the lesson
    QRect place;     // of the thing, on the screen
};

class ExplainCard : public QFrame
{
    Q_OBJECT

public:
    explicit ExplainCard(QWidget* parent);

    void showFor(const Explained& explained, bool byKeyboard);
    QString words() const;
    QPushButton* link() const { return m_link; }

signals:
    void lessonRequested(const QString& key);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QPoint cornerBeside(const QRect& place) const;
    void leaveWhenLeft();
    void dress();

    QLabel* m_words;
    QPushButton* m_link;
    QString m_lesson;
    QRect m_place;
    QTimer m_watch;
};

}  // namespace overlane
