// StepsModel: one row per training step or batch that lies in the shown range, for the busiest device.
//
// Lives on the GUI thread; follows the document's trace and selected range. The steps of each trace are
// summarised when a row is asked for, so a million steps cost what is looked at.
#pragma once

#include <vector>

#include <QAbstractTableModel>

#include "core/analysis/steps.h"

namespace overlane
{

class Document;

class StepsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    explicit StepsModel(Document* document, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    const Step& step(int row) const { return m_steps[static_cast<std::size_t>(row)]; }

private:
    void refresh();

    Document* m_document;
    std::vector<Step> m_steps;
};

}  // namespace overlane
