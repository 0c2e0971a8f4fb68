// RecordDialog: asks which program to record and how, and starts the recorder.
//
// Lives on the GUI thread. What cannot be done is said in the dialog, which keeps what was typed; it
// closes once the program has started. With `remember`, what was typed comes back at the next start.
#pragma once

#include <memory>
#include <string>

#include <QDialog>
#include <QStringList>

#include "app/widgets/file_chooser.h"
#include "core/base/result.h"
#include "core/recorder/record_session.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace overlane
{

class GpuRuns;
class LauncherRow;
class RecordExtent;
class Recorder;

class RecordDialog : public QDialog
{
    Q_OBJECT

public:
    // `chooser` answers for the names of files; `library` replaces the one that records inside the
    // program where it is not empty.
    RecordDialog(Recorder* recorder, bool remember, const FileChooser& chooser, const std::string& library,
                 QWidget* parent = nullptr);
    ~RecordDialog() override;

    // Says at the top where the machine has no GPU that a recording could be of.
    void follow(GpuRuns* runs);

    // What the fields say. The Error is for the person.
    Result<RecordOptions> options() const;
    // Empty: this machine.
    QString host() const;
    // As the command line takes it; empty: none, and on this machine.
    QString launcher() const;
    QString error() const;

protected:
    bool event(QEvent* event) override;
    // While a recording starts on another machine it ends that, and the dialog stays.
    void reject() override;

private:
    void makeRoom();
    void makeHost(QFormLayout* form);
    void followHost();
    void showStep(const QString& sentence);
    void makeFields(QFormLayout* form);
    void restore();
    void store() const;
    void suggestOutput();
    void chooseDirectory();
    void chooseOutput();
    void start();
    void setStarting(bool starting);
    void showError(const QString& sentence);
    void showSecrets();

    Recorder* m_recorder;
    const bool m_remember;
    const FileChooser m_chooser;
    const std::string m_library;
    QString m_folder;     // of the suggested file
    QString m_suggested;  // what the field held when the program last suggested it
    QWidget* m_here;      // what is said of this machine alone
    QComboBox* m_host;
    QFormLayout* m_form = nullptr;
    LauncherRow* m_launcher;  // on another machine
    QLineEdit* m_command;
    QLineEdit* m_directory;
    QPushButton* m_chooseDirectory;
    QPlainTextEdit* m_environment;
    QLabel* m_secrets;      // below it: what is not stored
    QStringList m_leftOut;  // names of what was not stored the last time
    std::unique_ptr<RecordExtent> m_extent;
    QLineEdit* m_output;
    QCheckBox* m_overwrite;
    QLabel* m_step;  // what goes on on another machine before the program runs
    QLabel* m_error;
    QPushButton* m_start;
};

}  // namespace overlane
