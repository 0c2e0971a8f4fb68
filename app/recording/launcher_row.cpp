#include "app/recording/launcher_row.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSettings>
#include <QSpinBox>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kMostProcesses = 65536;

struct KnownLauncher {
    const char* name;
    const char* number;  // the option that takes the number of processes
    const char* last;
};
constexpr KnownLauncher kLaunchers[] = {
    {"torchrun", "--nproc-per-node", "--no-python"},
    {"srun", "-n", ""},
    {"mpirun", "-np", ""},
};

const KnownLauncher* knownLauncher(const QString& typed)
{
    for (const KnownLauncher& known : kLaunchers)
        if (typed.trimmed() == QLatin1String(known.name))
            return &known;
    return nullptr;
}

}  // namespace

LauncherRow::LauncherRow(QWidget* parent)
    : QWidget(parent), m_launcher(new QComboBox(this)), m_ranks(new QSpinBox(this))
{
    setFocusProxy(m_launcher);
    m_launcher->setObjectName("recordLauncher");
    m_launcher->setAccessibleName(u"Launcher"_s);  // its label is of another parent
    m_launcher->setEditable(true);
    m_launcher->setInsertPolicy(QComboBox::NoInsert);
    m_launcher->addItem(QString());
    for (const KnownLauncher& known : kLaunchers)
        m_launcher->addItem(QString::fromLatin1(known.name));
    m_launcher->lineEdit()->setPlaceholderText(u"none"_s);
    m_launcher->setToolTip(
        u"Starts the ranks of a job there, each recorded into a trace of its own. The traces come into a folder with "
        "the name of the file, and open as a job. Another launcher is written with its arguments."_s);
    m_ranks->setObjectName("recordRanks");
    m_ranks->setRange(1, kMostProcesses);
    m_ranks->setValue(2);
    m_ranks->setSuffix(u" processes"_s);
    m_ranks->setAccessibleName(u"Processes of the launcher"_s);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(m_launcher, 1);
    line->addWidget(m_ranks);
    // Another one is typed with its number.
    const auto follow = [this](const QString& typed) { m_ranks->setEnabled(knownLauncher(typed) != nullptr); };
    connect(m_launcher, &QComboBox::currentTextChanged, this, follow);
    follow(QString());
}

QString LauncherRow::command() const
{
    const QString typed = m_launcher->currentText().trimmed();
    const KnownLauncher* known = knownLauncher(typed);
    return known == nullptr ? typed
                            : u"%1 %2 %3 %4"_s
                                  .arg(typed, QLatin1String(known->number), QString::number(m_ranks->value()),
                                       QLatin1String(known->last))
                                  .trimmed();
}

void LauncherRow::restore(const QSettings& settings)
{
    m_launcher->setCurrentText(settings.value("launcher").toString());
    m_ranks->setValue(settings.value("ranks", 2).toInt());
}

void LauncherRow::store(QSettings& settings) const
{
    settings.setValue("launcher", m_launcher->currentText());
    settings.setValue("ranks", m_ranks->value());
}

}  // namespace overlane
