// VerdictBar: one sentence, one pair of numbers with a picture of where the time goes, what to do, one
// button. Follows the selected range.
//
// Lives on the GUI thread; asks the document. The height is one for a width of the window, so that nothing below
// moves under the pointer: the finding and what to do have the room that they need at every usual size, and what
// else there is follows sentence by sentence as far as it fits. Where there is less room, the finding takes the lines
// below it, then the place of the figures; "More" shows all of it over the window. With a
// kept run A the bar names the difference before the advice. "Show me" leads to what the verdict is about: the
// worst exposed copy, the longest wait. Below the figures stands the easiest change (core/replay/easiest_change.h) as a
// link, once it is predicted; in a low window it takes the place of the numbers.
#pragma once

#include <QStringList>

#include "app/verdict/easiest_source.h"
#include "app/widgets/tinted_bar.h"
#include "core/base/strong_id.h"
#include "core/replay/change.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace overlane
{

class Document;
class ElidedLabel;
class TimeBar;
struct Judgement;

// "B is 2.4 x faster than A: 41.0 ms less exposed copy"; empty where
// either side has no devices, or one is simulated and one measured.
QString differenceSentence(const Document& document);
// The copy with the most time outside kernels in what the verdict is about; none where all are hidden.
EventIndex worstExposedCopy(const Document& document);

class VerdictBar : public TintedBar
{
    Q_OBJECT

public:
    explicit VerdictBar(Document* document, QWidget* parent = nullptr);

    QString sentence() const;
    // What has no room in the bar; else empty.
    QString more() const { return m_more; }
    const EasiestSource& easiest() const { return m_source; }

signals:
    void showRequested(overlane::EventIndex copy);
    // The easiest change was clicked.
    void changeRequested(const overlane::Change& change);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool event(QEvent* event) override;

private:
    void refresh();
    void showEvidence();
    void showBar(const Judgement& judgement);
    void showEasiest();
    void requestEasiest();
    void shareLines();
    // Whether the finding has its lines with the figures beside it.
    bool fitsBesideFigures(int lines) const;
    void showMore();

    Document* m_document;
    ElidedLabel* m_sentence;
    QLabel* m_numbers;
    TimeBar* m_bar;
    QLabel* m_easiest;
    EasiestSource m_source;
    ElidedLabel* m_advice;
    QPushButton* m_show;
    QToolButton* m_showMore;
    QStringList m_below;  // what stands under the finding, the most telling first
    QString m_more;
    bool m_hasBar = false;
    bool m_refreshing = false;
};

}  // namespace overlane
