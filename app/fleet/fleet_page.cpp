#include "app/fleet/fleet_page.h"

#include <algorithm>

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include "app/fleet/fleet_tables.h"
#include "app/fleet/overlap_histogram.h"
#include "app/theme/cause_color.h"
#include "app/theme/palette.h"
#include "app/widgets/bar_delegate.h"
#include "app/widgets/data_table.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/rich_text.h"
#include "app/widgets/text.h"
#include "core/analysis/cause_table.h"
#include "core/base/counted.h"
#include "core/base/units.h"

namespace overlane
{

namespace
{

constexpr int kProgressSteps = 1000;
constexpr int kTypingMs = 150;
// Of the list: more are found by filters and by the order.
constexpr std::size_t kMostRuns = 1000;
constexpr int kMostGroups = 500;
constexpr int kHalfPx = 1000;

// Of one of core's causes; a fleet of another version may have others.
QColor colorOf(const Palette& colors, const FleetCause& cause)
{
    for (const LostCauseRow& row : lostCauses())
        if (row.id == cause.id)
            return causeColor(colors, row.cause);
    return colors.mutedText;
}

QPushButton* fleetButton(const QString& label, const QString& meaning)
{
    auto* button = new QPushButton(label);
    button->setToolTip(meaning);
    return button;
}

// A path on this machine; empty where the address is elsewhere. The address of a file has no escapes (docs/fleet.md).
QString localPath(const QString& url)
{
    const QString file = u"file://"_s;
    if (url.startsWith(file))
        return url.mid(file.size());
    return url.contains(u"://"_s) ? QString() : url;
}

bool hasNames(const std::vector<std::string>& names)
{
    return std::ranges::any_of(names, [](const std::string& name) { return !name.empty(); });
}

DataTable* plainTable(const QString& name, CellTable* model, const QString& accessible, const QString& empty)
{
    auto* table = new DataTable(name, model);
    table->setAccessibleName(accessible);
    table->setEmptyText(empty);
    table->fitColumns();
    return table;
}

}  // namespace

FleetPage::FleetPage(QWidget* parent)
    : QWidget(parent),
      m_title(new QLabel(u"Fleet"_s)),
      m_answer(new QLabel),
      m_message(new MessageBar),
      m_progressRow(new QWidget),
      m_progress(new QProgressBar),
      m_histogram(new OverlapHistogram),
      m_causes(new FleetCauses(this)),
      m_runs(new FleetRuns(this)),
      m_changes(new CellTable(this)),
      m_versions(new CellTable(this)),
      m_causeTable(plainTable("causes", m_causes, u"What the runs lost GPU time to"_s, u"No GPU time was lost."_s)),
      m_runTable(plainTable("runs", m_runs, u"Runs"_s, u"No run is like that."_s)),
      m_tables(new QTabWidget),
      m_text(new QLineEdit),
      m_group(new QComboBox),
      m_state(new QComboBox),
      m_all(fleetButton(u"Show &all"_s, u"List all runs again"_s)),
      m_count(new QLabel)
{
    setObjectName("fleetPage");
    setWindowTitle(u"No fleet is open"_s);
    m_answer->setObjectName("fleetAnswer");
    m_answer->setWordWrap(true);
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_answer->setText(
        u"<p>Open the folder that <tt>overlane fleet scan TRACES -o FOLDER</tt> wrote.</p><p>The page then says what "
        u"the runs lost, what became slower, and which runs to look at first.</p>"_s);
    m_answer->setAlignment(Qt::AlignCenter);
    auto* split = new QSplitter(Qt::Vertical);
    m_content = split;
    split->addWidget(makeOverview());
    split->addWidget(makeRuns());
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    split->setChildrenCollapsible(false);
    auto* rows = new QVBoxLayout(this);
    rows->addWidget(makeHead());
    rows->addWidget(m_message);
    rows->addWidget(m_progressRow);
    rows->addWidget(m_answer);
    rows->addWidget(split, 1);
    split->hide();

    m_soon.setSingleShot(true);
    m_soon.setInterval(kTypingMs);
    connect(&m_soon, &QTimer::timeout, this, &FleetPage::ask);
    connect(&m_source, &FleetSource::pictureChanged, this, &FleetPage::show);
    connect(&m_source, &FleetSource::listChanged, this, &FleetPage::showList);
    connect(&m_source, &FleetSource::failed, m_message, &MessageBar::showError);
    connect(&m_source, &FleetSource::readingChanged, m_progressRow, &QWidget::setVisible);
    connect(&m_source, &FleetSource::progressed, this,
            [this](double fraction) { m_progress->setValue(static_cast<int>(fraction * kProgressSteps)); });
    connect(m_histogram, &OverlapHistogram::binChosen, this, &FleetPage::chooseBin);
    connect(m_causeTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &FleetPage::chooseCause);
    connect(m_runTable, &QTableView::activated, this, &FleetPage::openRun);
    connect(m_text, &QLineEdit::textChanged, this, &FleetPage::askSoon);
    connect(m_group, &QComboBox::currentIndexChanged, this, &FleetPage::ask);
    connect(m_state, &QComboBox::currentIndexChanged, this, &FleetPage::ask);
    connect(m_all, &QPushButton::clicked, this, [this] {
        forgetFilters();
        ask();
    });
    connect(m_runs, &FleetRuns::orderAsked, this, [this](int column, Qt::SortOrder order) {
        m_query.order = column < 0 ? FleetColumn::Lost : static_cast<FleetColumn>(column);
        m_query.descending = column < 0 || order == Qt::DescendingOrder;
        ask();
    });
    m_runTable->setSortingEnabled(true);
    m_runTable->horizontalHeader()->setSortIndicator(static_cast<int>(FleetColumn::Lost), Qt::DescendingOrder);
}

QWidget* FleetPage::makeHead()
{
    auto* head = new QWidget;
    head->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    auto* another = fleetButton(u"&Open a fleet …"_s, u"A folder that overlane fleet scan wrote"_s);
    auto* back = fleetButton(u"&Back to the trace"_s, u"Leave the fleet; it stays open (Esc)"_s);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setObjectName("fleetTitle");
    row->addWidget(m_title, 1);
    row->addWidget(another);
    row->addWidget(back);
    auto* stop = fleetButton(u"&Stop"_s, u"Stop reading"_s);
    auto* busy = new QHBoxLayout(m_progressRow);
    busy->setContentsMargins(0, 0, 0, 0);
    busy->addWidget(m_progress, 1);
    busy->addWidget(stop);
    m_progress->setRange(0, kProgressSteps);
    m_progress->setFormat(u"Reading the runs"_s);
    m_progress->setAccessibleName(u"Runs read"_s);
    m_progressRow->hide();
    connect(another, &QPushButton::clicked, this, &FleetPage::openRequested);
    connect(back, &QPushButton::clicked, this, &FleetPage::closeRequested);
    connect(stop, &QPushButton::clicked, &m_source, &FleetSource::cancel);
    return head;
}

QWidget* FleetPage::makeOverview()
{
    m_causeTable->setItemDelegate(new BarDelegate(m_causeTable));
    m_causeTable->setSelectionMode(QAbstractItemView::SingleSelection);
    m_causeTable->setToolTip(u"A row lists the runs that lost 5 % or more to its cause"_s);
    auto* split = new QSplitter(Qt::Horizontal);
    split->addWidget(m_histogram);
    split->addWidget(m_causeTable);
    split->setSizes({kHalfPx, kHalfPx});  // alike, whatever their hints say
    split->setChildrenCollapsible(false);
    return split;
}

QWidget* FleetPage::makeRuns()
{
    m_text->setObjectName("fleetText");
    m_text->setPlaceholderText(u"Runs with this in name, version, GPU or verdict …"_s);
    m_text->setAccessibleName(u"Filter runs by text"_s);
    m_text->setClearButtonEnabled(true);
    m_group->setObjectName("fleetGroup");
    m_group->setAccessibleName(u"Group of runs"_s);
    m_group->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_state->setObjectName("fleetState");
    m_state->setAccessibleName(u"Runs that were read, or were not"_s);
    m_state->addItems({u"Read"_s, u"Not read"_s});
    m_all->setEnabled(false);
    m_count->setObjectName("fleetCount");
    auto* runs = new QWidget;
    auto* filters = new QHBoxLayout;
    for (QWidget* widget : std::initializer_list<QWidget*>{m_text, m_group, m_state, m_all, m_count})
        filters->addWidget(widget, widget == m_text ? 1 : 0);
    auto* rows = new QVBoxLayout(runs);
    rows->setContentsMargins(0, 4, 0, 0);
    rows->addLayout(filters);
    rows->addWidget(m_runTable, 1);
    m_runTable->setSelectionMode(QAbstractItemView::SingleSelection);
    m_runTable->setTextElideMode(Qt::ElideRight);  // a verdict begins with what matters
    m_runTable->setToolTip(u"Enter or a double click opens the run's trace"_s);
    m_runTable->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    m_runTable->horizontalHeader()->setStretchLastSection(true);
    m_tables->addTab(runs, u"Runs"_s);
    m_tables->addTab(plainTable("changes", m_changes, u"From one version to the next"_s,
                                u"No group has two versions: scan with --version-of."_s),
                     u"Changes"_s);
    m_tables->addTab(plainTable("versions", m_versions, u"Groups and versions"_s, u"No run was read."_s), u"Groups"_s);
    return m_tables;
}

void FleetPage::open(const QString& path)
{
    m_message->hideError();
    const QFileInfo info(path);
    const QDir folder = info.isDir() ? QDir(path) : info.dir();
    m_title->setText(u"Fleet: %1"_s.arg(folder.dirName()));
    m_title->setToolTip(path);
    setWindowTitle(u"Fleet, not read yet"_s);
    m_picture.reset();
    m_list.reset();
    m_answer->clear();
    m_count->clear();
    m_causes->set({});
    m_runs->set({});
    m_changes->set({});
    m_versions->set({});
    m_histogram->setFigures({});
    m_progress->setValue(0);
    m_source.open(path);
}

QString FleetPage::answer() const
{
    return m_answer->text();
}

QString FleetPage::countText() const
{
    return m_count->text();
}

QString FleetPage::errorText() const
{
    return m_message->isHidden() ? QString() : m_message->sentence();
}

void FleetPage::show(const std::shared_ptr<const FleetPicture>& picture)
{
    m_picture = picture;
    const auto runs = static_cast<std::int64_t>(picture->fleet.runs.size());
    setWindowTitle(u"Fleet of %1"_s.arg(text(counted(runs, "run"))));
    m_causes->set(picture->causes);
    m_causeTable->horizontalHeader()->setSectionResizeMode(kShareColumn, QHeaderView::Stretch);
    m_changes->set(picture->changes);
    m_versions->set(picture->versions);
    m_histogram->setFigures(picture->figures);
    {
        const QSignalBlocker blocker(m_group);
        m_group->clear();
        m_group->addItem(u"All groups"_s);
        for (const std::string& group : picture->fleet.groups)
            if (m_group->count() <= kMostGroups)
                m_group->addItem(text(group));
    }
    writeAnswer();
    m_answer->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_content->show();
    forgetFilters();
    ask();
}

void FleetPage::writeAnswer()
{
    if (!m_picture)
        return;
    const Palette& colors = Palette::current(palette());
    m_answer->setText(richText(m_picture->answer, colors));
    std::vector<QColor> inks;
    std::vector<double> shares;
    for (const FleetCauseFigures& cause : m_picture->figures.causes) {
        inks.push_back(colorOf(colors, m_picture->fleet.causes[cause.cause]));
        shares.push_back(cause.lostGpuNs);
    }
    m_causes->dress(std::move(inks), std::move(shares));
}

void FleetPage::showList(const std::shared_ptr<const FleetList>& list)
{
    const bool first = m_list == nullptr;
    m_list = list;
    m_runs->set(list->table);
    // Where no run has one, its column would push what was lost out of sight.
    if (m_picture) {
        m_runTable->setColumnHidden(static_cast<int>(FleetColumn::Group), !hasNames(m_picture->fleet.groups));
        m_runTable->setColumnHidden(static_cast<int>(FleetColumn::Version), !hasNames(m_picture->fleet.versions));
    }
    const auto shown = static_cast<std::int64_t>(list->rows.runs.size());
    const auto matching = static_cast<std::int64_t>(list->rows.matching);
    m_count->setText(shown < matching
                         ? u"the first %1 of %2 runs"_s.arg(text(formatCount(shown)), text(formatCount(matching)))
                         : u"%1 runs"_s.arg(text(formatCount(matching))));
    if (first && shown > 0)
        m_runTable->resizeColumnsToContents();
}

void FleetPage::chooseBin(std::size_t bin)
{
    const bool again = m_query.overlapBin == bin;
    m_query.overlapBin = again ? std::nullopt : std::optional(bin);
    m_histogram->setChosen(m_query.overlapBin);
    ask();
}

void FleetPage::chooseCause(const QModelIndex& row)
{
    if (!m_picture || !row.isValid())
        return;
    const auto given = static_cast<std::size_t>(m_causes->given(row.row()));
    m_query.cause = m_picture->figures.causes[given].cause;
    ask();
}

void FleetPage::forgetFilters()
{
    const FleetQuery before = m_query;
    m_query = {};
    m_query.order = before.order;
    m_query.descending = before.descending;
    const QSignalBlocker noText(m_text);
    const QSignalBlocker noGroup(m_group);
    const QSignalBlocker noState(m_state);
    m_text->clear();
    m_group->setCurrentIndex(0);
    m_state->setCurrentIndex(0);
    m_histogram->setChosen({});
    const QSignalBlocker noCause(m_causeTable->selectionModel());
    m_causeTable->clearSelection();
    m_causeTable->setCurrentIndex({});
    m_causeTable->viewport()->update();
}

void FleetPage::askSoon()
{
    m_soon.start();
}

void FleetPage::ask()
{
    m_soon.stop();
    if (!m_picture)
        return;
    m_query.text = m_text->text().toStdString();
    m_query.group = m_group->currentIndex() > 0 ? std::optional(m_group->currentText().toStdString()) : std::nullopt;
    m_query.onlyBroken = m_state->currentIndex() == 1;
    m_query.mostRows = kMostRuns;
    m_all->setEnabled(!m_query.text.empty() || m_query.group || m_query.onlyBroken || m_query.cause ||
                      m_query.overlapBin);
    m_source.list(m_query);
}

void FleetPage::openRun(const QModelIndex& row)
{
    if (!m_picture || !m_list || !row.isValid())
        return;
    const std::size_t place = m_list->rows.runs[static_cast<std::size_t>(m_runs->given(row.row()))];
    const QString url = text(m_picture->fleet.runs[place].url);
    const QString path = localPath(url);
    if (path.isEmpty()) {
        QGuiApplication::clipboard()->setText(url);
        m_message->showError(u"%1 is not on this machine; its address was copied."_s.arg(url));
    } else if (!QFileInfo::exists(path)) {
        m_message->showError(u"%1 is not there any more."_s.arg(path));
    } else {
        emit runOpened(path);
    }
}

void FleetPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        writeAnswer();
}

void FleetPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        emit closeRequested();
    else
        QWidget::keyPressEvent(event);
}

}  // namespace overlane
