// CompareSource: another trace, B, beside the document's, A: read, aligned and compared on workers. Where
// the other one is the run that was kept as A, it is the document's that is B.
//
// Lives on the GUI thread. A changes with the runs of the laboratory, B stays until another is asked for, the
// comparison is closed, or the document shows another trace than the one that B was chosen for. The last answer stays
// while the next one is made. Nanoseconds.
#pragma once

#include <memory>
#include <vector>

#include <QObject>
#include <QString>

#include "app/session/analysed_trace.h"
#include "app/session/background_worker.h"
#include "app/session/document.h"
#include "core/compare/comparison.h"
#include "core/compare/finding_changes.h"

namespace overlane
{

// Both traces and what came of them. Immutable; the findings point into the two lists.
struct ComparedTraces {
    AnalysedTrace a;
    AnalysedTrace b;
    Comparison comparison;
    FindingList findingsA;
    FindingList findingsB;
    std::vector<FindingChange> findings;
    int step = 0;       // of A, counted from 0, that the comparison begins with
    int stepCount = 0;  // that both have, as their devices run them

    ComparedTraces() = default;
    ComparedTraces(const ComparedTraces&) = delete;
    ComparedTraces& operator=(const ComparedTraces&) = delete;
};

// Blocks; for workers.
Result<std::shared_ptr<const ComparedTraces>> comparedTraces(const AnalysedTrace& a, const AnalysedTrace& b,
                                                             const AlignmentWish& wish,
                                                             const Progress* progress = nullptr);

class CompareSource : public QObject
{
    Q_OBJECT

public:
    explicit CompareSource(Document* document, QObject* parent = nullptr);

    // Reads B; one that cannot be read leaves what there was and is told through failed().
    void open(const QString& path);
    // A trace that is there already: the run that was kept as A. It stays A, wherever it is shown.
    void take(const AnalysedTrace& kept);
    void close();
    // A is shown below and B above, as the document's.
    void swap();
    bool active() const { return m_b.trace != nullptr; }
    // The trace below; called A where it is the kept run, which was A before.
    const AnalysedTrace& b() const { return m_b; }
    bool keptIsA() const { return m_keptIsA; }
    void setWish(const AlignmentWish& wish);
    void cancel();

    // Null until the first answer; of the present A and B once busy() is false.
    const std::shared_ptr<const ComparedTraces>& answer() const { return m_answer; }
    // Why the two cannot be compared; else empty.
    QString error() const { return m_error; }
    bool busy() const { return m_reader.busy() || m_comparer.busy(); }
    BackgroundWorker* reader() { return &m_reader; }

signals:
    void opened(const QString& path);
    void changed();  // B, the answer or the error
    void failed(const QString& sentence);

private:
    void compare();

    Document* m_document;
    AnalysedTrace m_b;
    bool m_kept = false;  // one of the two is the run that was kept
    bool m_keptIsA = false;
    QString m_path;
    Document::Origin m_origin = Document::Origin::File;
    std::uint64_t m_line = 0;  // of the document, that B was chosen for
    AlignmentWish m_wish;
    std::shared_ptr<const ComparedTraces> m_answer;
    QString m_error;
    bool m_swapping = false;
    BackgroundWorker m_reader;
    BackgroundWorker m_comparer;
};

}  // namespace overlane
