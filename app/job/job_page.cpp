#include "app/job/job_page.h"

#include <algorithm>

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include "app/job/rank_strips_view.h"
#include "app/theme/cause_color.h"
#include "app/theme/palette.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/selection.h"
#include "app/timeline/time_ruler.h"
#include "app/timeline/view_range.h"
#include "app/widgets/cell_table.h"
#include "app/widgets/data_table.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/rich_text.h"
#include "app/widgets/text.h"
#include "core/base/counted.h"

namespace overlane
{

namespace
{

constexpr int kMostNotes = 4;
constexpr int kProgressSteps = 1000;

QLabel* selectableLabel(const QString& name)
{
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

// Of a folder its own name and that of the folder around it: "recorded" alone names no job.
QString lastNames(const QString& path)
{
    const QFileInfo info(QDir(path).absolutePath());
    const QString around = info.dir().dirName();
    return around.isEmpty() ? info.fileName() : around + u'/' + info.fileName();
}

QString legendText(const Palette& colors)
{
    const auto entry = [](const QColor& color, const QString& meaning) {
        return colorSquare(color) + u" "_s + meaning;
    };
    const QColor moves = causeColor(colors, LostCause::Communication);
    return QStringList{entry(colors.kind(EventKind::Kernel), u"compute"_s), entry(moves, u"communication"_s),
                       entry(patternGround(moves, colors.lanes), u"of it, waiting for the last rank"_s),
                       entry(colors.kind(EventKind::CopyH2D), u"copies"_s)}
        .join(u" &nbsp; "_s);
}

QPushButton* pageButton(const QString& label, const QString& meaning)
{
    auto* button = new QPushButton(label);
    button->setToolTip(meaning);
    return button;
}

}  // namespace

JobPage::JobPage(QWidget* parent)
    : QWidget(parent),
      m_title(new QLabel(u"Job"_s)),
      m_answer(selectableLabel("jobAnswer")),
      m_notes(selectableLabel("jobNotes")),
      m_rankWords(selectableLabel("jobRankWords")),
      m_legend(new QLabel),
      m_message(new MessageBar),
      m_progressRow(new QWidget),
      m_progress(new QProgressBar),
      m_view(new ViewRange(this)),
      m_selection(new Selection(this)),
      m_bookmarks(new Bookmarks(this)),
      m_ruler(new TimeRuler(m_view, m_selection, m_bookmarks)),
      m_strips(new RankStrips(m_view)),
      m_ranks(new CellTable(this)),
      m_collectives(new CellTable(this)),
      m_rankTable(new DataTable("ranks", m_ranks)),
      m_collectiveTable(new DataTable("collectives", m_collectives)),
      m_tables(new QTabWidget)
{
    setObjectName("jobPage");
    setWindowTitle(u"No job is open"_s);
    auto* another = pageButton(u"&Open a job …"_s, u"A folder with a trace of each rank"_s);
    auto* back = pageButton(u"&Back to the trace"_s, u"Leave the job; it stays open (Esc)"_s);
    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(another);
    head->addWidget(back);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setObjectName("jobTitle");

    auto* stop = pageButton(u"&Stop"_s, u"Stop reading; the ranks that are there stay"_s);
    auto* busy = new QHBoxLayout(m_progressRow);
    busy->setContentsMargins(0, 0, 0, 0);
    busy->addWidget(m_progress, 1);
    busy->addWidget(stop);
    m_progress->setRange(0, kProgressSteps);
    m_progress->setFormat(u"Reading the ranks"_s);
    m_progress->setAccessibleName(u"Ranks read"_s);

    auto* times = new QWidget;
    auto* lanes = new QVBoxLayout(times);
    lanes->setContentsMargins(0, 0, 0, 0);
    lanes->setSpacing(0);
    lanes->addWidget(m_ruler);
    lanes->addWidget(m_strips, 1);
    lanes->addWidget(m_legend);

    m_rankTable->setEmptyText(u"No rank has figures yet."_s);
    m_rankTable->setSelectionMode(QAbstractItemView::SingleSelection);
    m_collectiveTable->setEmptyText(u"No collective of these ranks could be matched."_s);
    for (DataTable* table : {m_rankTable, m_collectiveTable})
        table->fitColumns();
    m_rankTable->setAccessibleName(u"Figures of the ranks"_s);
    m_collectiveTable->setAccessibleName(u"Collectives"_s);
    auto* ranks = new QWidget;
    auto* below = new QVBoxLayout(ranks);
    below->setContentsMargins(0, 0, 0, 4);
    m_rankWords->setContentsMargins(6, 0, 6, 0);
    below->addWidget(m_rankTable, 1);
    below->addWidget(m_rankWords);
    m_tables->addTab(ranks, u"Ranks"_s);
    m_tables->addTab(m_collectiveTable, u"Communication"_s);

    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(times);
    split->addWidget(m_tables);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setChildrenCollapsible(false);
    m_all = split;
    m_all->hide();

    auto* rows = new QVBoxLayout(this);
    rows->addLayout(head);
    rows->addWidget(m_message);
    rows->addWidget(m_progressRow);
    rows->addWidget(m_answer);
    rows->addWidget(m_notes);
    rows->addWidget(split, 1);
    m_progressRow->hide();
    m_notes->hide();
    m_answer->setAlignment(Qt::AlignCenter);
    m_answer->setText(
        u"<p>Open a folder with a trace of each rank: from PyTorch's profiler, Nsight Systems or overlane record.</p>"
        u"<p>The page then says which rank the others wait for, and why. A trace with several GPUs of one process "
        u"shows them here, too.</p>"_s);
    writeAnswer();

    connect(&m_source, &JobSource::pictureChanged, this, &JobPage::show);
    connect(&m_source, &JobSource::busyChanged, this, &JobPage::showBusy);
    connect(&m_source, &JobSource::progressed, this,
            [this](double fraction) { m_progress->setValue(static_cast<int>(fraction * kProgressSteps)); });
    connect(&m_source, &JobSource::failed, m_message, &MessageBar::showError);
    connect(stop, &QPushButton::clicked, &m_source, &JobSource::cancel);
    connect(another, &QPushButton::clicked, this, &JobPage::openRequested);
    connect(back, &QPushButton::clicked, this, &JobPage::closeRequested);
    connect(m_strips, &RankStrips::rankOpened, this, &JobPage::openRank);
    connect(m_strips, &RankStrips::rankChosen, this, &JobPage::chooseRow);
    connect(m_rankTable, &QTableView::activated, this, [this](const QModelIndex& index) { openRank(rankOf(index)); });
    connect(m_rankTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (index.isValid())
                    m_strips->choose(rankOf(index));
            });
}

void JobPage::open(const QStringList& paths)
{
    m_first = true;
    m_answer->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_all->show();
    m_message->hideError();
    m_title->setText(paths.size() == 1 ? u"Job: %1"_s.arg(lastNames(paths.front()))
                                       : u"Job of %1 files"_s.arg(paths.size()));
    m_title->setToolTip(paths.mid(0, 20).join('\n'));
    setWindowTitle(u"Job, no rank read yet"_s);
    m_picture.reset();
    m_answer->clear();
    m_notes->clear();
    m_notes->hide();
    m_ranks->set({});
    m_collectives->set({});
    m_strips->set({});
    m_source.open(paths);
}

// -1: the row is of no rank, but of their median.
int JobPage::rankOf(const QModelIndex& row) const
{
    const std::size_t given = static_cast<std::size_t>(m_ranks->given(row.row()));
    if (!m_picture || given >= m_picture->rankOfRow.size() || m_picture->rankOfRow[given] == SIZE_MAX)
        return -1;
    return static_cast<int>(m_picture->rankOfRow[given]);
}

QString JobPage::answer() const
{
    return m_answer->text();
}

QString JobPage::errorText() const
{
    return m_message->isHidden() ? QString() : m_message->sentence();
}

void JobPage::show(const std::shared_ptr<const JobPicture>& picture)
{
    m_picture = picture;
    m_progress->setFormat(
        u"Reading the ranks: %1 of %2 are there"_s.arg(picture->strips.ranks.size()).arg(picture->count));
    const auto ranks = static_cast<std::int64_t>(picture->strips.ranks.size());
    setWindowTitle(u"Job of %1, %2"_s.arg(text(counted(ranks, "rank")), durationText(picture->strips.span.lengthNs())));
    writeAnswer();
    QStringList notes = picture->notes.mid(0, kMostNotes);
    if (picture->notes.size() > kMostNotes)
        notes << u"%1 more remarks: overlane job prints all."_s.arg(picture->notes.size() - kMostNotes);
    m_notes->setText(notes.join('\n'));
    m_notes->setVisible(!notes.isEmpty());
    m_tables->setTabText(0, picture->ofGpus ? u"GPUs"_s : u"Ranks"_s);
    const int chosen = m_strips->chosen();
    m_ranks->set(picture->ranks);
    m_collectives->set(picture->collectives);
    m_strips->set(picture->strips);
    m_view->setLimits(picture->strips.span);
    if (m_first && picture->strips.span.lengthNs() > 0)
        m_view->restart(picture->strips.active);
    m_first = m_first && picture->strips.span.lengthNs() == 0;
    if (chosen >= 0)
        chooseRow(chosen);
}

void JobPage::writeAnswer()
{
    const Palette& colors = Palette::current(palette());
    m_legend->setText(legendText(colors));
    if (m_picture) {
        m_answer->setText(richText(m_picture->answer, colors));
        m_rankWords->setText(richText({Sentence{m_picture->rankWords, Tone::Muted}}, colors));
    }
}

void JobPage::showBusy(bool busy)
{
    m_progressRow->setVisible(busy);
    m_progress->setFormat(u"Reading the ranks"_s);
    m_progress->setValue(0);
}

void JobPage::openRank(int rank)
{
    if (m_picture == nullptr || rank < 0 || static_cast<std::size_t>(rank) >= m_picture->strips.ranks.size())
        return;
    const RankStrip& strip = m_picture->strips.ranks[static_cast<std::size_t>(rank)];
    if (strip.path.isEmpty())
        m_message->showError(u"Of %1 only the digest is here; its trace is needed to open it."_s.arg(strip.label));
    else
        emit rankOpened(strip.path);
}

void JobPage::chooseRow(int rank)
{
    for (int row = 0; row < m_ranks->rowCount(); ++row) {
        if (rankOf(m_ranks->index(row, 0)) != rank)
            continue;
        if (m_rankTable->currentIndex().row() != row)
            m_rankTable->selectRow(row);
        return;
    }
    m_rankTable->clearSelection();
}

void JobPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        writeAnswer();
}

void JobPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        emit closeRequested();
    else
        QWidget::keyPressEvent(event);
}

}  // namespace overlane
