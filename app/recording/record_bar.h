// RecordBar: what the recorder is doing, above the timeline: state, time, counts, warnings, and the
// buttons that stop the recording or end the program; below it, on demand, the program's output.
//
// Lives on the GUI thread; follows the recorder and stays after the end until it is closed.
#pragma once

#include "app/session/recorder.h"
#include "app/widgets/tinted_bar.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QToolButton;

namespace overlane
{

class RecordBar : public TintedBar
{
    Q_OBJECT

public:
    explicit RecordBar(Recorder* recorder, QWidget* parent = nullptr);

    QString sentence() const;
    QString warning() const;
    // The button that opens the recording, for when it did not open by itself.
    void offerToOpen(bool offered);
    // Another trace is shown: goes, unless something is still to be done here.
    void retire();

signals:
    void openRequested(const QString& file);

protected:
    void changeEvent(QEvent* event) override;

private:
    void begin();
    void show(const RecorderStatus& status);
    void showStep(const QString& sentence);
    void end(const RecorderOutcome& outcome);
    void addWarning(const QString& sentence);
    void refreshButtons();
    void showOutput(bool shown);
    void readOutput();
    void dress();

    Recorder* m_recorder;
    QString m_program;
    QStringList m_warned;
    qint64 m_readBytes = 0;
    QLabel* m_mark;
    QLabel* m_text;
    QLabel* m_warning;
    QPushButton* m_stop;
    QPushButton* m_kill;
    QPushButton* m_open;
    QToolButton* m_details;
    QToolButton* m_close;
    QPlainTextEdit* m_output;
};

// "python ended with exit code 1", in the words of the bar.
QString endText(const ProgramEnd& end);

}  // namespace overlane
