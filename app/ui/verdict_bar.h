// VerdictBar: one sentence, one pair of numbers with a picture of where the time goes, what to do, one
// button. Follows the selected range.
//
// Lives on the GUI thread; asks the document. Both texts are whole wherever the window
// has the room: the bar is as high as they need. With a kept run A it names the difference before the
// advice. "Show me" leads to what the verdict is about: the worst exposed copy, the longest wait.
#pragma once

#include <QFrame>

#include "core/base/strong_id.h"

class QLabel;
class QPushButton;

namespace overlane
{

class Document;
class ElidedLabel;
class TimeBar;
struct Verdict;

// "B is 2.4 x faster: 41.0 ms less exposed copy"; empty where either side has no devices.
QString differenceSentence(const Document& document);
// The copy of the range with the most time outside kernels; none where all are hidden.
EventIndex worstExposedCopy(const Document& document);

class VerdictBar : public QFrame
{
    Q_OBJECT

public:
    explicit VerdictBar(Document* document, QWidget* parent = nullptr);

    QString sentence() const;

signals:
    void showRequested(overlane::EventIndex copy);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool event(QEvent* event) override;

private:
    void refresh();
    void showEvidence();
    void showBar(const Verdict& verdict);
    void shareLines();

    Document* m_document;
    ElidedLabel* m_sentence;
    QLabel* m_numbers;
    TimeBar* m_bar;
    ElidedLabel* m_advice;
    QPushButton* m_show;
    int m_heldLines = 0;  // of both texts, since the last file or width
};

}  // namespace overlane
