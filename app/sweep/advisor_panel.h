// AdvisorPanel: the best loader settings under a limit of memory: the answer in a sentence, the
// trade-off between time and pinned memory, and the code to paste.
//
// Lives on the GUI thread; searches, and measures where there is a GPU, on a worker. The answer is about
// the laboratory's settings when it was asked for and says so once they have changed.
#pragma once

#include <optional>

#include <QWidget>

#include "app/session/background_worker.h"
#include "core/sweep/advisor.h"

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace overlane
{

class Document;
class FrontPlot;
class QuantityBox;

class AdvisorPanel : public QWidget
{
    Q_OBJECT

public:
    explicit AdvisorPanel(Document* document, QWidget* parent = nullptr);

    void search();
    bool busy() const { return m_worker.busy(); }
    const std::optional<Advice>& advice() const { return m_advice; }
    FrontPlot* plot() const { return m_plot; }
    // Sets the laboratory to what is advised, or to a place in the front.
    void use(const AdvisorCandidate& candidate);

signals:
    void helpRequested(const QString& page, const QString& section);

protected:
    void changeEvent(QEvent* event) override;

private:
    static constexpr int kProgressSteps = 1000;

    QWidget* makeLimits();
    QWidget* makeAnswer();
    void confirm();
    void showAdvice();
    void showState();

    Document* m_document;
    QuantityBox* m_ram;
    QuantityBox* m_pinned;
    QSpinBox* m_cores;
    QPushButton* m_search;
    QProgressBar* m_progress;
    QLabel* m_words;
    FrontPlot* m_plot;
    QPlainTextEdit* m_code;
    QToolButton* m_copy;
    QPushButton* m_use;
    QPushButton* m_confirm;
    std::optional<Advice> m_advice;
    Scenario m_asked;
    QString m_error;
    BackgroundWorker m_worker;
};

}  // namespace overlane
