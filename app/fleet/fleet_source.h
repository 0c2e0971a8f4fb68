// FleetSource: reads a fleet's file on a worker, and lists the runs that are asked for on another.
//
// Lives on the GUI thread. What it hands out does not change.
#pragma once

#include <memory>

#include <QObject>

#include "app/session/background_worker.h"
#include "core/content/block.h"
#include "core/fleet/fleet.h"
#include "core/fleet/fleet_figures.h"
#include "core/fleet/fleet_query.h"

namespace overlane
{

// What the page shows of a fleet whatever is filtered.
struct FleetPicture {
    Fleet fleet;
    FleetFigures figures;
    Blocks answer;
    Table causes;
    Table versions;
    Table changes;
};

struct FleetList {
    FleetRows rows;
    Table table;
};

class FleetSource : public QObject
{
    Q_OBJECT

public:
    explicit FleetSource(QObject* parent = nullptr);

    // A folder that holds a fleet's file, or that file. Stops what is being read.
    void open(const QString& path);
    void cancel();
    // The newest query counts. Nothing while no fleet is read.
    void list(const FleetQuery& query);
    bool busy() const { return m_reader.busy() || m_lister.busy(); }

signals:
    void pictureChanged(std::shared_ptr<const overlane::FleetPicture> picture);
    void listChanged(std::shared_ptr<const overlane::FleetList> list);
    void failed(const QString& sentence);
    void readingChanged(bool reading);
    void progressed(double fraction);

private:
    std::shared_ptr<const FleetPicture> m_picture;
    BackgroundWorker m_reader;
    BackgroundWorker m_lister;
};

}  // namespace overlane
