#include "app/recording/record_extent.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <QSpinBox>

#include "app/widgets/text.h"
#include "core/base/units.h"

namespace overlane
{

namespace
{

constexpr double kMostSeconds = 1e6;
constexpr double kMostGiB = 1e5;
constexpr int kMostIterations = 1'000'000;

QDoubleSpinBox* secondsBox(const char* name, const QString& none, QWidget* parent)
{
    auto* box = new QDoubleSpinBox(parent);
    box->setObjectName(name);
    box->setRange(0, kMostSeconds);
    box->setDecimals(1);
    box->setSuffix(u" s"_s);
    box->setSpecialValueText(none);
    return box;
}

QSpinBox* iterationsBox(const char* name, QWidget* parent)
{
    auto* box = new QSpinBox(parent);
    box->setObjectName(name);
    box->setRange(0, kMostIterations);
    box->setSuffix(u" iterations"_s);
    return box;
}

}  // namespace

RecordExtent::RecordExtent(QFormLayout* form, QWidget* dialog)
{
    makeContents(form, dialog);
    makeBounds(form, dialog);
}

void RecordExtent::makeContents(QFormLayout* form, QWidget* dialog)
{
    m_kinds = new QComboBox(dialog);
    m_kinds->setObjectName("recordKinds");
    const auto addKinds = [this](const QString& label, const char* name, const QString& meaning) {
        m_kinds->addItem(label, QString::fromLatin1(name));
        m_kinds->setItemData(m_kinds->count() - 1, meaning, Qt::ToolTipRole);
    };
    addKinds(u"Default: what the analysis needs"_s, "default",
             u"Copies, kernels and the calls behind them, waits, memory, NVTX ranges."_s);
    addKinds(u"Light: least cost to the program"_s, "light",
             u"Copies, waits, memory and NVTX ranges, and no kernels."_s);
    addKinds(u"All: every runtime and driver call"_s, "all", u"The most detail, and the most cost to the program."_s);
    m_pytorch = new QCheckBox(u"Show &PyTorch's DataLoader"_s, dialog);
    m_pytorch->setObjectName("recordPytorch");
    m_pytorch->setToolTip(
        u"Workers, their queue, the pin thread, the waits for the next batch and the steps, with no change to the "
        "script."_s);
    m_stacks = new QCheckBox(u"Look at the program's stac&ks"_s, dialog);
    m_stacks->setObjectName("recordStacks");
    m_stacks->setChecked(true);
    m_stacks->setToolTip(
        u"Fifty times a second, so that time in which the GPU waits for the host has a file and a line. Of Python "
        "programs that use GPUs by a hook, with no change to the script; of compiled ones from outside, where the "
        "system permits it (lines need -g)."_s);
    form->addRow(u"&Record"_s, m_kinds);
    form->addRow(QString(), m_pytorch);
    form->addRow(QString(), m_stacks);
}

void RecordExtent::makeBounds(QFormLayout* form, QWidget* dialog)
{
    m_delay = secondsBox("recordDelay", u"at once"_s, dialog);
    m_delay->setToolTip(u"The program starts at once; recording starts this long after it."_s);
    m_duration = secondsBox("recordDuration", u"until the program ends"_s, dialog);
    m_duration->setToolTip(u"Recording ends after this time; the program continues."_s);
    m_iterations = iterationsBox("recordIterations", dialog);
    m_iterations->setSpecialValueText(u"all"_s);
    m_iterations->setToolTip(
        u"Records so many iterations of the training loop, in place of seconds; the program continues. They are "
        "counted by PyTorch's DataLoader and optimizers, or by NVTX ranges named \"step N\"."_s);
    m_after = iterationsBox("recordAfter", dialog);
    m_after->setPrefix(u"after "_s);
    m_after->setAccessibleName(u"Iterations before recording"_s);
    m_after->setValue(kAfterIterations);
    m_after->setToolTip(u"The warm-up: iterations that pass before the recording."_s);
    const auto bySeconds = [this](int iterations) {
        m_delay->setEnabled(iterations == 0);
        m_duration->setEnabled(iterations == 0);
        m_after->setEnabled(iterations > 0);
    };
    QObject::connect(m_iterations, &QSpinBox::valueChanged, m_iterations, bySeconds);
    bySeconds(0);
    m_size = new QDoubleSpinBox(dialog);
    m_size->setObjectName("recordSize");
    m_size->setRange(0, kMostGiB);
    m_size->setDecimals(2);
    m_size->setSuffix(u" GiB"_s);
    m_size->setSpecialValueText(u"no limit"_s);
    m_size->setToolTip(u"Recording ends at this size; the program continues."_s);
    form->addRow(u"S&tart after"_s, m_delay);
    form->addRow(u"Stop a&fter"_s, m_duration);
    auto* iterations = new QHBoxLayout;
    iterations->addWidget(m_iterations, 1);
    iterations->addWidget(m_after, 1);
    form->addRow(u"&Iterations"_s, iterations);
    qobject_cast<QLabel*>(form->labelForField(iterations))->setBuddy(m_iterations);
    form->addRow(u"Stop at si&ze"_s, m_size);
}

QString RecordExtent::kinds() const
{
    return m_kinds->currentData().toString();
}

void RecordExtent::addTo(RecordOptions& options) const
{
    std::string_view unknown;
    RecordKinds::parse(kinds().toStdString(), options.kinds, unknown);
    options.pytorch = m_pytorch->isChecked();
    options.stacksUs = m_stacks->isChecked() ? kStacksUs : 0;
    options.iterations = m_iterations->value();
    options.afterIterations = m_after->value();
    if (options.iterations == 0) {
        options.delaySeconds = m_delay->value();
        options.durationSeconds = m_duration->value();
    }
    options.maxBytes = static_cast<std::uint64_t>(std::llround(m_size->value() * static_cast<double>(kGiB)));
}

void RecordExtent::restore(const QSettings& settings)
{
    m_kinds->setCurrentIndex(std::max(0, m_kinds->findData(settings.value("kinds"))));
    m_pytorch->setChecked(settings.value("pytorch").toBool());
    m_stacks->setChecked(settings.value("pythonStacks", true).toBool());
    m_delay->setValue(settings.value("delaySeconds").toDouble());
    m_duration->setValue(settings.value("durationSeconds").toDouble());
    m_iterations->setValue(settings.value("iterations").toInt());
    m_after->setValue(settings.value("afterIterations", kAfterIterations).toInt());
    m_size->setValue(settings.value("maxGiB").toDouble());
}

void RecordExtent::store(QSettings& settings) const
{
    settings.setValue("kinds", m_kinds->currentData());
    settings.setValue("pytorch", m_pytorch->isChecked());
    settings.setValue("pythonStacks", m_stacks->isChecked());
    settings.setValue("delaySeconds", m_delay->value());
    settings.setValue("durationSeconds", m_duration->value());
    settings.setValue("iterations", m_iterations->value());
    settings.setValue("afterIterations", m_after->value());
    settings.setValue("maxGiB", m_size->value());
}

}  // namespace overlane
