// CausesModel: the sums behind the summary as rows: exposed copies by cause, or time without kernels by cause, device
// by device, most first.
//
// Lives on the GUI thread; follows the document's insights of the shown range. A copies' share is of the exposed time
// of its device and direction; one of idle time is of the range, as in the verdict.
#pragma once

#include <string>
#include <vector>

#include "app/widgets/cell_table.h"
#include "core/judgement/judgement.h"
#include "core/trace/event.h"

namespace overlane
{

class Document;

class CausesModel : public CellTable
{
    Q_OBJECT

public:
    enum class Of { ExposedCopies, IdleTime };
    enum Column { What, Share, Time, Count, ColumnCount };

    CausesModel(Of of, Document* document, QObject* parent = nullptr);

    QVariant data(const QModelIndex& index, int role) const override;
    // Why there are no rows.
    QString emptyText() const;

private:
    struct Look {
        std::string explained;  // key of what explains it
        EventKind drawnAs;
    };
    void refresh();
    // The rows of a device, whose looks they add.
    Table copiesOf(const Judgement& judgement, const DeviceJudgement& device);
    Table idleTimeOf(const Judgement& judgement, const DeviceJudgement& device);

    Of m_of;
    Document* m_document;
    std::vector<Look> m_looks;  // of the rows as given
};

}  // namespace overlane
