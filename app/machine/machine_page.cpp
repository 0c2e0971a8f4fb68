#include "app/machine/machine_page.h"

#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "app/machine/bytes_text.h"
#include "app/machine/memory_bar.h"
#include "app/machine/topology_picture.h"
#include "app/theme/code_font.h"
#include "app/theme/palette.h"
#include "app/widgets/marked_label.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

QLabel* heading(const QString& title, QWidget* parent)
{
    auto* label = new QLabel(title, parent);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

QColor levelColor(const Palette& palette, WarningLevel level)
{
    switch (level) {
        case WarningLevel::Alarm:
            return palette.error;
        case WarningLevel::Warning:
            return palette.warning;
        case WarningLevel::Note:
            break;
    }
    return palette.mutedText;
}

}  // namespace

MachinePage::MachinePage(QWidget* parent)
    : QWidget(parent),
      m_picture(new TopologyPicture(this)),
      m_bar(new MemoryBar(this)),
      m_swap(new MemoryBar(this)),
      m_figures(new QLabel(this)),
      m_warnings(new QVBoxLayout),
      m_gpu(new QComboBox(this)),
      m_sentence(new QLabel(this)),
      m_command(new QLineEdit(this)),
      m_copy(new QPushButton(u"&Copy"_s, this))
{
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setSpacing(8);
    layout->addWidget(heading(u"Memory now"_s, this));
    m_bar->setObjectName("machineMemory");
    layout->addWidget(m_bar);
    m_swap->setObjectName("machineSwap");
    m_swap->setLegendShown(false);
    m_swap->hide();
    layout->addWidget(m_swap);
    m_figures->setObjectName("machineFigures");
    m_figures->setWordWrap(true);
    layout->addWidget(m_figures);
    layout->addLayout(m_warnings);
    layout->addSpacing(6);
    layout->addWidget(heading(u"Processors, memory and GPUs"_s, this));
    layout->addWidget(m_picture);
    layout->addSpacing(6);
    auto* head = new QHBoxLayout;
    head->addWidget(heading(u"To start a program near its GPU"_s, this));
    m_gpu->setObjectName("machineGpu");
    m_gpu->setAccessibleName(u"GPU"_s);
    m_gpu->hide();
    head->addWidget(m_gpu);
    head->addStretch(1);
    layout->addLayout(head);
    m_sentence->setObjectName("machineBinding");
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_sentence);
    auto* line = new QHBoxLayout;
    m_command->setObjectName("machineCommand");
    m_command->setAccessibleName(u"Command line"_s);
    m_command->setReadOnly(true);
    showAsCode(m_command);
    m_copy->setObjectName("machineCopy");
    m_copy->setAutoDefault(false);
    line->addWidget(m_command, 1);
    line->addWidget(m_copy);
    layout->addLayout(line);
    auto* more = new QLabel(u"<a href=\"memory\">About memory and swap</a> · <a href=\"numa\">About NUMA</a>"_s, this);
    more->setObjectName("machineHelp");
    layout->addWidget(more);
    layout->addStretch(1);

    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(content);
    for (QWidget* ground : {scroll->viewport(), content})
        ground->setAutoFillBackground(false);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);

    connect(m_gpu, &QComboBox::currentIndexChanged, this, &MachinePage::showBinding);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_command->text()); });
    connect(more, &QLabel::linkActivated, this, &MachinePage::helpRequested);
    m_figures->setText(u"Reading …"_s);
    showBinding();
}

void MachinePage::showMemory(const MachineMemoryView& view)
{
    using Role = MemoryBar::Role;
    const MemoryParts& parts = view.parts;
    m_bar->setParts(
        u"RAM: %1, of which %2 are available"_s.arg(bytesText(parts.totalBytes), bytesText(parts.availableBytes)),
        parts.totalBytes,
        {{u"Processes"_s, parts.processBytes, Role::Processes},
         {u"Shared, pinned by CUDA"_s, parts.sharedBytes, Role::Shared},
         {u"Kernel and drivers"_s, parts.kernelBytes, Role::Kernel},
         {u"Page cache"_s, parts.pageCacheBytes, Role::PageCache},
         {u"Free"_s, parts.freeBytes, Role::Free}});
    m_swap->setVisible(parts.swapTotalBytes > 0);
    m_swap->setParts(
        u"Swap: %1 of %2 used, moving %3 MB/s"_s.arg(bytesText(parts.swapUsedBytes), bytesText(parts.swapTotalBytes))
            .arg(view.swapBytesPerSecond / 1e6, 0, 'f', 1),
        parts.swapTotalBytes,
        {{u"Used"_s, parts.swapUsedBytes, Role::Swap},
         {u"Free"_s, parts.swapTotalBytes - parts.swapUsedBytes, Role::Free}});
    m_view = view;
    QStringList figures;
    for (const auto& [name, value] : shortageFacts(view).rows)
        figures << QString::fromStdString(name + ": " + value.text);
    figures.front()[0] = figures.front()[0].toUpper();
    m_figures->setText(figures.join(u" · "_s));
    showWarnings(view);
}

void MachinePage::showWarnings(const MachineMemoryView& view)
{
    const std::vector<MemoryWarning> warnings = memoryWarnings(view);
    std::vector<std::string> texts;
    texts.reserve(warnings.size());
    for (const MemoryWarning& warning : warnings)
        texts.push_back(warning.what + warning.doThis);
    if (texts == m_shownWarnings && m_warnings->count() > 0)
        return;
    m_shownWarnings = texts;
    while (QLayoutItem* item = m_warnings->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const Palette& palette = Palette::current(this->palette());
    const auto add = [&](const QString& text, const QColor& color, const QString& name) {
        auto* label = new MarkedLabel(this);
        label->setText(text);
        label->setObjectName(name);
        label->setMark(color);
        m_warnings->addWidget(label);
    };
    for (const MemoryWarning& warning : warnings)
        add(u"<b>%1</b> %2"_s.arg(QString::fromStdString(warning.what).toHtmlEscaped(),
                                  QString::fromStdString(warning.doThis).toHtmlEscaped()),
            levelColor(palette, warning.level), u"warning_"_s + QString::fromStdString(warning.key));
    if (warnings.empty())
        add(u"Nothing is swapped and no thread waits for memory."_s, palette.good, u"noWarning"_s);
}

void MachinePage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || m_view.parts.totalBytes == 0)
        return;
    m_shownWarnings.assign(1, {});  // others: their colors are those of the theme
    showWarnings(m_view);
}

void MachinePage::showTopology(const NumaTopology& topology)
{
    m_topology = topology;
    m_picture->setTopology(topology);
    {
        const QSignalBlocker quiet(m_gpu);
        m_gpu->clear();
        for (const NumaGpu& gpu : topology.gpus)
            m_gpu->addItem(u"GPU %1: %2"_s.arg(gpu.index).arg(QString::fromStdString(gpu.name)), gpu.index);
        m_gpu->setVisible(topology.gpus.size() > 1);
    }
    showBinding();
}

void MachinePage::showBinding()
{
    if (m_topology.nodes.empty()) {
        m_command->hide();
        m_copy->hide();
        return;
    }
    const NumaBinding binding =
        numaBinding(m_topology, m_topology.gpus.empty() ? std::nullopt : std::optional(m_gpu->currentData().toInt()));
    m_sentence->setText(QString::fromStdString(binding.sentence));
    m_picture->setBoundNode(binding.processorNode);
    m_command->setText(QString::fromStdString(binding.commandLine));
    m_command->setCursorPosition(0);
    m_command->setVisible(!binding.commandLine.empty());
    m_copy->setVisible(!binding.commandLine.empty());
}

}  // namespace overlane
