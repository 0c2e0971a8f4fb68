#include "core/fleet/fleet_page.h"

#include <fmt/format.h>

#include "core/content/html.h"
#include "core/content/markup.h"
#include "core/report/report_style.h"

namespace overlane
{

std::string fleetPage(const Blocks& blocks, std::string_view name, std::string_view version)
{
    const std::string title = markupText(name);
    const std::string maker = markupText(version);
    return withWholeNumbers(fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\">\n<meta name=\"generator\" content=\"Overlane {1}\">\n<meta "
        "name=\"color-scheme\" content=\"light dark\">\n<title>{0} - Overlane fleet</title>\n<style>\n{2}</style>\n"
        "</head>\n<body>\n<main>\n<header class=\"top\"><span class=\"brand\">Overlane fleet</span><span "
        "class=\"file\">{0}</span></header>\n<section>\n{3}</section>\n<footer>Written by Overlane {1}.</footer>\n"
        "</main>\n</body>\n</html>\n",
        title, maker, reportStyle(), htmlText(blocks)));
}

}  // namespace overlane
