#include "app/fleet/fleet_source.h"

#include "app/session/file_bytes.h"
#include "app/widgets/text.h"
#include "core/fleet/fleet_blocks.h"
#include "core/fleet/fleet_file.h"

namespace overlane
{

namespace
{

std::shared_ptr<const FleetPicture> pictureOf(Fleet fleet)
{
    auto picture = std::make_shared<FleetPicture>();
    picture->fleet = std::move(fleet);
    picture->figures = fleetFigures(picture->fleet);
    const std::vector<FleetChange> changes = fleetChanges(picture->fleet);
    picture->answer = fleetAnswer(picture->fleet, picture->figures, changes);
    picture->causes = fleetCausesTable(picture->fleet, picture->figures);
    picture->versions = fleetVersionsTable(picture->fleet, fleetVersions(picture->fleet));
    picture->changes = fleetChangesTable(picture->fleet, changes);
    return picture;
}

}  // namespace

FleetSource::FleetSource(QObject* parent) : QObject(parent)
{
    connect(&m_reader, &BackgroundWorker::busyChanged, this, &FleetSource::readingChanged);
    connect(&m_reader, &BackgroundWorker::progressed, this, &FleetSource::progressed);
}

void FleetSource::open(const QString& path)
{
    m_picture.reset();
    m_lister.forget();
    m_reader.run(
        u"Reading the fleet"_s,
        [file = fileBytes(path)](Progress& progress) -> Result<std::shared_ptr<const FleetPicture>> {
            ASSIGN_OR_RETURN(Fleet fleet, readFleet(file, progress));
            return pictureOf(std::move(fleet));
        },
        [this](Result<std::shared_ptr<const FleetPicture>> picture) {
            if (picture.ok()) {
                m_picture = picture.value();
                emit pictureChanged(m_picture);
            } else if (!picture.failure().isCancelled()) {
                emit failed(text(picture.error()));
            }
        });
}

void FleetSource::cancel()
{
    m_reader.cancel();
}

void FleetSource::list(const FleetQuery& query)
{
    if (!m_picture)
        return;
    m_lister.run(
        u"Listing runs"_s,
        [picture = m_picture, query](Progress&) -> Result<std::shared_ptr<const FleetList>> {
            auto list = std::make_shared<FleetList>();
            list->rows = fleetRows(picture->fleet, query);
            list->table = fleetTable(picture->fleet, list->rows);
            return std::shared_ptr<const FleetList>(std::move(list));
        },
        [this](Result<std::shared_ptr<const FleetList>> list) {
            if (list.ok())
                emit listChanged(list.value());
            else if (!list.failure().isCancelled())
                emit failed(text(list.error()));
        });
}

}  // namespace overlane
