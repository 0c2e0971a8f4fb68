#include "app/recording/record_dialog.h"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QVBoxLayout>

#include "app/recording/launcher_row.h"
#include "app/recording/record_extent.h"
#include "app/session/command_text.h"
#include "app/session/environment_text.h"
#include "app/session/gpu_notice.h"
#include "app/session/gpu_runs.h"
#include "app/session/recorder.h"
#include "app/theme/code_font.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"
#include "app/widgets/tinted_bar.h"

namespace overlane
{

namespace
{

constexpr int kEnvironmentLines = 3;
constexpr int kMostHosts = 10;  // of the history
const QString kSuffix = u".overlane"_s;

// Where the program was started, or the documents where nobody can have meant that.
QString homeOfRecordings()
{
    QString here = QDir::currentPath();
    if (here != QDir::rootPath() && QFileInfo(here).isWritable())
        return here;
    return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
}

// For rows whose field is not alone.
QLabel* labelFor(const QString& words, QWidget* field)
{
    auto* label = new QLabel(words, field->parentWidget());
    label->setBuddy(field);
    return label;
}

}  // namespace

RecordDialog::RecordDialog(Recorder* recorder, bool remember, const FileChooser& chooser, const std::string& library,
                           QWidget* parent)
    : QDialog(parent),
      m_recorder(recorder),
      m_remember(remember),
      m_chooser(chooser),
      m_library(library),
      m_folder(homeOfRecordings()),
      m_here(new QWidget(this)),
      m_step(new QLabel(this)),
      m_error(new QLabel(this))
{
    setObjectName("recordDialog");
    setWindowTitle(u"Record a program"_s);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form = form;
    makeHost(form);
    makeFields(form);
    m_extent = std::make_unique<RecordExtent>(form, this);
    m_step->setObjectName("recordStep");
    m_step->setTextFormat(Qt::PlainText);
    m_step->setWordWrap(true);
    m_step->hide();
    m_error->setObjectName("recordError");
    m_error->setWordWrap(true);
    m_error->setTextFormat(Qt::PlainText);
    m_error->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_error->hide();

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_start = buttons->addButton(u"&Start recording"_s, QDialogButtonBox::AcceptRole);
    m_start->setObjectName("recordStart");
    m_start->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &RecordDialog::start);
    connect(buttons, &QDialogButtonBox::rejected, this, &RecordDialog::reject);

    auto* column = new QVBoxLayout(this);
    column->addWidget(m_here);
    column->addLayout(form);
    column->addWidget(m_step);
    column->addWidget(m_error);
    column->addStretch(1);
    column->addWidget(buttons);
    resize(620, sizeHint().height());

    connect(m_command, &QLineEdit::textChanged, this, &RecordDialog::suggestOutput);
    connect(recorder, &Recorder::started, this, [this] {
        store();
        accept();
    });
    connect(recorder, &Recorder::notStarted, this, [this](const QString& sentence) {
        setStarting(false);
        if (!sentence.isEmpty())
            showError(sentence);
    });
    connect(recorder, &Recorder::stepped, this, &RecordDialog::showStep);
    restore();
    followHost();
    suggestOutput();
    m_command->setFocus();
}

RecordDialog::~RecordDialog() = default;

void RecordDialog::follow(GpuRuns* runs)
{
    auto* column = new QVBoxLayout(m_here);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(new GpuNotice(runs, u"A recording made here holds no GPU work."_s, m_here));
    // A window does not grow by itself for lines that wrap.
    const auto fit = [this] {
        layout()->invalidate();
        resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
    };
    connect(runs, &GpuRuns::supportChanged, this, fit);
    fit();
}

void RecordDialog::makeHost(QFormLayout* form)
{
    m_host = new QComboBox(this);
    m_host->setObjectName("recordHost");
    m_host->setEditable(true);
    m_host->setInsertPolicy(QComboBox::NoInsert);
    m_host->setMaxCount(kMostHosts);
    m_host->lineEdit()->setPlaceholderText(u"this machine"_s);
    m_host->setToolTip(
        u"Where the program runs: empty, or what ssh takes (user@machine, a name of ~/.ssh/config). Overlane is sent "
        "there where it is missing, and the trace comes here. ssh cannot prompt for a password here: log in with a "
        "key or ssh-agent, or install ssh-askpass."_s);
    connect(m_host, &QComboBox::currentTextChanged, this, &RecordDialog::followHost);
    form->addRow(u"&Host"_s, m_host);
}

QString RecordDialog::host() const
{
    return m_host->currentText().trimmed();
}

void RecordDialog::followHost()
{
    const bool here = host().isEmpty();
    m_here->setVisible(here);
    m_chooseDirectory->setEnabled(here);
    m_form->setRowVisible(m_launcher, !here);
    m_directory->setPlaceholderText(here ? QDir::currentPath() : u"the home directory there"_s);
    m_directory->setToolTip(here ? u"Where the program runs."_s
                                 : u"Where the program runs on that machine; ~/project is below its home."_s);
}

QString RecordDialog::launcher() const
{
    return host().isEmpty() ? QString() : m_launcher->command();
}

void RecordDialog::makeFields(QFormLayout* form)
{
    m_command = new QLineEdit(this);
    m_command->setObjectName("recordCommand");
    showAsCode(m_command);
    m_command->setPlaceholderText(u"python train.py --epochs 1"_s);
    m_command->setToolTip(
        u"The program and its arguments, written as in a shell. Every process that it starts is recorded too. For "
        "pipes write sh -c '…'."_s);

    const auto withButton = [this](QLineEdit* field, const char* name, const QString& label, auto choose) {
        auto* line = new QHBoxLayout;
        auto* button = new QPushButton(u"Choose …"_s, this);
        button->setObjectName(name);
        button->setAccessibleName(label);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, choose);
        line->addWidget(field, 1);
        line->addWidget(button);
        return line;
    };
    m_directory = new QLineEdit(this);
    m_directory->setObjectName("recordDirectory");
    m_environment = new QPlainTextEdit(this);
    m_environment->setObjectName("recordEnvironment");
    showAsCode(m_environment);
    m_environment->setPlaceholderText(u"CUDA_VISIBLE_DEVICES=0"_s);
    m_environment->setToolTip(
        u"Variables that are set for the program, one NAME=VALUE a line. They are kept for the next time, except "
        "values that look secret: with TOKEN, KEY, SECRET or PASSWORD in the name, or a password in an address."_s);
    m_environment->setTabChangesFocus(true);
    m_environment->setFixedHeight(m_environment->fontMetrics().lineSpacing() * kEnvironmentLines + 12);
    m_secrets = new QLabel(this);
    m_secrets->setObjectName("recordSecrets");
    m_secrets->setWordWrap(true);
    m_secrets->setTextFormat(Qt::PlainText);
    m_secrets->hide();
    connect(m_environment, &QPlainTextEdit::textChanged, this, &RecordDialog::showSecrets);
    m_output = new QLineEdit(this);
    m_output->setObjectName("recordOutputFile");
    m_output->setToolTip(
        u"The trace that is written, and opened at the end. What the program prints goes into "
        "a file next to it, of the same name with .log appended."_s);
    m_overwrite = new QCheckBox(u"Replace the file if it exists"_s, this);
    m_overwrite->setObjectName("recordOverwrite");

    m_launcher = new LauncherRow(this);
    form->addRow(labelFor(u"&Launcher"_s, m_launcher), m_launcher);
    form->addRow(u"&Command"_s, m_command);
    form->addRow(
        labelFor(u"&Directory"_s, m_directory),
        withButton(m_directory, "recordChooseDirectory", u"Choose the directory"_s, [this] { chooseDirectory(); }));
    m_chooseDirectory = findChild<QPushButton*>("recordChooseDirectory");
    form->addRow(u"&Environment"_s, m_environment);
    form->addRow(QString(), m_secrets);
    form->addRow(labelFor(u"&Write to"_s, m_output),
                 withButton(m_output, "recordChooseOutput", u"Choose the file"_s, [this] { chooseOutput(); }));
    form->addRow(QString(), m_overwrite);
}

void RecordDialog::restore()
{
    if (!m_remember)
        return;
    QSettings settings;
    settings.beginGroup("record");
    m_host->addItems(settings.value("hosts").toStringList());
    m_host->setCurrentText(settings.value("host").toString());
    m_launcher->restore(settings);
    m_command->setText(settings.value("command").toString());
    m_directory->setText(settings.value("directory").toString());
    m_leftOut = settings.value("environmentLeftOut").toStringList();
    m_environment->setPlainText(settings.value("environment").toString());
    showSecrets();
    m_extent->restore(settings);
    const QString folder = settings.value("folder").toString();
    if (!folder.isEmpty() && QFileInfo(folder).isWritable())
        m_folder = folder;
}

void RecordDialog::store() const
{
    if (!m_remember)
        return;
    QSettings settings;
    settings.beginGroup("record");
    settings.setValue("host", host());
    QStringList hosts = settings.value("hosts").toStringList();
    hosts.removeAll(host());
    if (!host().isEmpty())
        hosts.prepend(host());
    settings.setValue("hosts", hosts.mid(0, kMostHosts));
    m_launcher->store(settings);
    settings.setValue("command", m_command->text());
    settings.setValue("directory", m_directory->text());
    const StorableEnvironment environment = storableEnvironment(m_environment->toPlainText());
    settings.setValue("environment", environment.lines);
    settings.setValue("environmentLeftOut", environment.leftOut);
    m_extent->store(settings);
    settings.setValue("folder", QFileInfo(m_output->text()).absolutePath());
}

// What is not kept, and what was not kept the last time.
void RecordDialog::showSecrets()
{
    const QStringList typed = storableEnvironment(m_environment->toPlainText()).leftOut;
    QStringList missing = m_leftOut;
    missing.removeIf([&](const QString& name) { return typed.contains(name); });
    QStringList sentences;
    if (!typed.isEmpty())
        sentences << u"Used now and not stored, because it looks secret: %1."_s.arg(typed.join(u", "_s));
    if (!missing.isEmpty())
        sentences << u"Was not stored the last time; write it again if it is needed: %1."_s.arg(missing.join(u", "_s));
    m_secrets->setText(sentences.join(' '));
    m_secrets->setVisible(!sentences.isEmpty());
}

void RecordDialog::suggestOutput()
{
    if (m_output->text() != m_suggested)
        return;  // typed by hand
    const Result<QStringList> words = parseCommand(m_command->text());
    if (!words.ok() && !m_suggested.isEmpty())
        return;  // in the middle of being typed
    const QString name = words.ok() ? programName(words.value()) : QString();
    const QString stamp = QDateTime::currentDateTime().toString(u"yyyyMMdd-HHmmss"_s);
    m_suggested = QDir(m_folder).filePath((name.isEmpty() ? u"recording"_s : name) + '-' + stamp + kSuffix);
    m_output->setText(m_suggested);
}

void RecordDialog::chooseDirectory()
{
    const QString path = m_chooser.toFolder(this, u"Where the program runs"_s,
                                            m_directory->text().isEmpty() ? QDir::currentPath() : m_directory->text());
    if (!path.isEmpty())
        m_directory->setText(path);
}

void RecordDialog::chooseOutput()
{
    const QString path =
        m_chooser.toSave(this, u"Write the recording to"_s, m_output->text(), u"Overlane traces (*.overlane)"_s);
    if (path.isEmpty())
        return;
    m_output->setText(path);
    m_overwrite->setChecked(QFileInfo::exists(path));  // the chooser has asked
}

Result<RecordOptions> RecordDialog::options() const
{
    RecordOptions options;
    const bool here = host().isEmpty();
    ASSIGN_OR_RETURN(const QStringList words,
                     here ? parseCommand(m_command->text()) : parseCommandThere(m_command->text()));
    if (words.isEmpty())
        return Error{u"Which program? Write its command line, as in a shell."_s.toStdString()};
    for (const QString& word : words)
        options.program.command.push_back(word.toStdString());
    if (!here)
        options.title = m_command->text().trimmed().toStdString();
    const QString directory = m_directory->text().trimmed();
    if (here && !directory.isEmpty() && !QFileInfo(directory).isDir())
        return Error{u"The directory %1 is not there."_s.arg(directory).toStdString()};
    options.program.directory = directory.toStdString();
    auto environment = parseEnvironment(m_environment->toPlainText());
    if (!environment.ok())
        return environment.failure();
    options.program.environment = std::move(environment).value();

    QString output = m_output->text().trimmed();
    if (output.isEmpty())
        return Error{u"Which file is the trace to be written to?"_s.toStdString()};
    if (!output.endsWith(kSuffix))
        output += kSuffix;
    const QFileInfo file(output);
    output = file.absoluteFilePath();
    if (!QFileInfo(file.absolutePath()).isDir())
        return Error{u"The folder %1 is not there."_s.arg(file.absolutePath()).toStdString()};
    if (file.exists() && !m_overwrite->isChecked())
        return Error{
            u"%1 exists already. Choose another name, or tick that it may be replaced."_s.arg(output).toStdString()};
    options.output = output.toStdString();
    options.overwrite = m_overwrite->isChecked();

    m_extent->addTo(options);
    options.library = m_library;
    options.caller = RecordCaller::Window;
    return options;
}

bool RecordDialog::event(QEvent* event)
{
    const bool taken = QDialog::event(event);
    if (event->type() == QEvent::LayoutRequest)
        makeRoom();
    return taken;
}

// A sentence that appears may wrap, and a window that is too low for it would draw the fields over each other.
void RecordDialog::makeRoom()
{
    const int least = layout() == nullptr ? 0 : layout()->totalHeightForWidth(width());
    if (least > height())
        resize(width(), least);
}

void RecordDialog::start()
{
    m_error->hide();
    if (m_recorder->recording()) {
        showError(u"Another program is being recorded; stop that recording first."_s);
        return;
    }
    const Result<RecordOptions> wanted = options();
    if (!wanted.ok()) {
        showError(text(wanted.error()));
        return;
    }
    const QString log = text(wanted.value().output) + u".log"_s;
    setStarting(true);
    if (host().isEmpty())
        m_recorder->start(wanted.value(), log);
    else
        m_recorder->startThere({host(), m_extent->kinds(), wanted.value(), launcher()}, log);
}

void RecordDialog::setStarting(bool starting)
{
    m_start->setEnabled(!starting);
    if (!starting)
        m_start->setFocus();  // which went to Cancel
    m_step->hide();
}

void RecordDialog::reject()
{
    if (m_start->isEnabled() || m_recorder->host().isEmpty()) {
        QDialog::reject();
        return;
    }
    showStep(u"Cancelling …"_s);
    m_recorder->cancelStep();
}

void RecordDialog::showStep(const QString& sentence)
{
    if (m_start->isEnabled())
        return;
    m_step->setText(sentence);
    m_step->show();
}

void RecordDialog::showError(const QString& sentence)
{
    setInk(m_error, Palette::current(palette()).error);
    m_error->setText(sentence);
    m_error->show();
}

QString RecordDialog::error() const
{
    return m_error->isHidden() ? QString() : m_error->text();
}

}  // namespace overlane
