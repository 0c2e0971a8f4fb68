#include "app/trial/trial_form.h"

#include <cmath>

#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>

#include "app/session/command_text.h"
#include "app/theme/code_font.h"
#include "app/trial/budget_box.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr double kUsualBudgetSeconds = 300;
constexpr int kBudgetPx = 90;
constexpr int kBetweenPx = 12;

// Whether the word starts something: a file of the folder, or a program on the PATH.
bool isProgram(const QString& word, const QString& directory)
{
    if (!word.contains('/'))
        return !QStandardPaths::findExecutable(word).isEmpty();
    const QFileInfo file(QDir(directory.isEmpty() ? QDir::currentPath() : directory).absoluteFilePath(word));
    return file.isFile() && file.isExecutable();
}

}  // namespace

TrialForm::TrialForm(QWidget* parent)
    : QWidget(parent),
      m_command(new QLineEdit(this)),
      m_directory(new QLineEdit(this)),
      m_choose(new QPushButton(u"Choose …"_s, this)),
      m_budget(new BudgetBox(this))
{
    m_command->setObjectName("trialCommand");
    m_command->setAccessibleName(u"Command line of the program to try"_s);
    showAsCode(m_command);
    m_command->setPlaceholderText(u"python train.py --epochs 1"_s);
    m_command->setToolTip(
        u"The program and its arguments, written as in a shell; it takes its batches from PyTorch's DataLoader. It "
        "runs with the variables that this window was started with: for a Python of an environment of its own "
        "write its path, for other variables env NAME=VALUE in front. For pipes write sh -c '…'."_s);
    m_directory->setObjectName("trialDirectory");
    m_directory->setAccessibleName(u"Folder where the program runs"_s);
    m_directory->setPlaceholderText(QDir::currentPath());
    m_directory->setToolTip(
        u"Where the program runs. In a folder for scratch, what it writes by a relative name does no harm."_s);
    m_budget->setObjectName("trialBudget");
    m_budget->setAccessibleName(u"Budget: time for all runs together"_s);
    m_budget->setToolTip(
        u"No run begins after this time. It ends earlier where one setting is faster beyond noise, or none can be. "
        "Type 90 s, 5 min or 1.5 h."_s);
    m_budget->setFixedWidth(kBudgetPx);
    setBudget(0);

    m_choose->setObjectName("trialChooseDirectory");
    m_choose->setAccessibleName(u"Choose the folder"_s);
    m_choose->setAutoDefault(false);
    auto* folder = new QHBoxLayout;
    folder->addWidget(m_directory, 1);
    folder->addWidget(m_choose);
    auto* budgetLabel = new QLabel(u"&Budget"_s, this);
    budgetLabel->setBuddy(m_budget);
    folder->addSpacing(kBetweenPx);
    folder->addWidget(budgetLabel);
    folder->addWidget(m_budget);
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    auto* folderLabel = new QLabel(u"&Folder"_s, this);
    folderLabel->setBuddy(m_directory);
    form->addRow(u"C&ommand"_s, m_command);
    form->addRow(folderLabel, folder);
    connect(m_choose, &QPushButton::clicked, this, &TrialForm::chooseDirectory);
    connect(m_command, &QLineEdit::textChanged, this, &TrialForm::changed);
}

void TrialForm::suggest(const SuggestedTrial& suggested)
{
    if (m_command->text() != m_suggested.command || m_directory->text() != m_suggested.directory)
        return;  // typed by hand
    m_suggested = suggested;
    m_command->setText(suggested.command);
    m_directory->setText(suggested.directory);
    m_command->setCursorPosition(0);
}

void TrialForm::setBudget(qint64 seconds)
{
    m_budget->setValue(seconds > 0 ? static_cast<double>(seconds) : kUsualBudgetSeconds);
}

void TrialForm::setReadOnly(bool readOnly)
{
    m_command->setReadOnly(readOnly);
    m_directory->setReadOnly(readOnly);
    m_budget->setReadOnly(readOnly);
    m_choose->setEnabled(!readOnly);
}

bool TrialForm::isEmpty() const
{
    return m_command->text().trimmed().isEmpty();
}

QString TrialForm::command() const
{
    return m_command->text().trimmed();
}

Result<TrialRequest> TrialForm::request() const
{
    ASSIGN_OR_RETURN(const QStringList words, parseCommand(m_command->text()));
    if (words.isEmpty())
        return Error{u"Which program? Write its command line, as in a shell: python train.py"_s.toStdString()};
    QString directory = m_directory->text().trimmed();
    if (directory == QLatin1String("~") || directory.startsWith(QLatin1String("~/")))
        directory.replace(0, 1, QDir::homePath());
    if (!directory.isEmpty() && !QFileInfo(directory).isDir())
        return Error{u"The folder %1 is not there."_s.arg(directory).toStdString()};
    const QString& program = words.front();
    if (!isProgram(program, directory))
        return Error{(program.contains('/')
                          ? u"%1 is no program that can be started from here."_s.arg(program)
                          : u"%1 is not on the PATH that this window was started with. Write where it is, such as "
                            "~/venv/bin/python, or python3."_s.arg(program))
                         .toStdString()};
    return TrialRequest{words, directory, std::llround(m_budget->value())};
}

void TrialForm::chooseDirectory()
{
    const QString path = m_chooser.toFolder(this, u"Where the program runs"_s,
                                            m_directory->text().isEmpty() ? QDir::currentPath() : m_directory->text());
    if (!path.isEmpty())
        m_directory->setText(path);
}

}  // namespace overlane
