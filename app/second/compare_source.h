// CompareSource: the document's trace and another one, aligned and compared on workers: its baseline, which is A, or
// a file that is read for it, which is B.
//
// Lives on the GUI thread. There is one comparison at a time: a file takes the place of the baseline, and a baseline
// that of the file. The document's trace changes with the runs of the laboratory; the file stays until another is asked
// for, the comparison is closed, or the document shows another trace than the one that the file was chosen for. The
// last answer stays while the next one is made. Nanoseconds.
#pragma once

#include <memory>
#include <vector>

#include <QObject>
#include <QString>

#include "app/session/analyzed_trace.h"
#include "app/session/background_worker.h"
#include "app/session/document.h"
#include "core/compare/comparison.h"
#include "core/compare/finding_changes.h"

namespace overlane
{

// Both traces and what came of them. Immutable; the findings point into the two lists.
struct ComparedTraces {
    AnalyzedTrace a;
    AnalyzedTrace b;
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
Result<std::shared_ptr<const ComparedTraces>> comparedTraces(const AnalyzedTrace& a, const AnalyzedTrace& b,
                                                             const AlignmentWish& wish,
                                                             const Progress* progress = nullptr);

class CompareSource : public QObject
{
    Q_OBJECT

public:
    explicit CompareSource(Document* document, QObject* parent = nullptr);

    // Reads a file; one that cannot be read leaves what there was and is told through failed().
    void open(const QString& path);
    // A trace that is there already, in the place of a file.
    void take(const Document::Other& other);
    void close();
    // The two change places.
    void swap();
    bool active() const { return other().trace != nullptr; }
    // The file, else the baseline.
    const Document::Other& other() const { return m_file.trace ? m_file : m_document->baseline(); }
    bool otherIsA() const { return m_file.trace == nullptr; }
    // The file that was read for it; restore() has it again with its trace, without reading.
    const Document::Other& file() const { return m_file; }
    void restore(const Document::Other& file);
    void setWish(const AlignmentWish& wish);
    void cancel();

    // Null until the first answer; of the present two once busy() is false.
    const std::shared_ptr<const ComparedTraces>& answer() const { return m_answer; }
    // Why the two cannot be compared; else empty.
    QString error() const { return m_error; }
    bool busy() const { return m_reader.busy() || m_comparer.busy(); }
    BackgroundWorker* reader() { return &m_reader; }

signals:
    void chosen();   // another file or baseline, or none
    void changed();  // the other one, the answer or the error
    void failed(const QString& sentence);

private:
    void takeFile(Document::Other file, std::uint64_t line);
    // Compares with what other() is now.
    void choose();
    void compare();

    Document* m_document;
    Document::Other m_file;
    std::uint64_t m_line = 0;  // of the document, that the file was chosen for
    AlignmentWish m_wish;
    std::shared_ptr<const ComparedTraces> m_answer;
    QString m_error;
    bool m_swapping = false;
    BackgroundWorker m_reader;
    BackgroundWorker m_comparer;
};

}  // namespace overlane
