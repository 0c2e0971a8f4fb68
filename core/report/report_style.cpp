#include "core/report/report_style.h"

#include <fmt/format.h>

#include "core/lod/lane_spans.h"
#include "core/lod/theme_colors.h"

namespace overlane
{
namespace
{

constexpr Rgb kWhite = 0xffffff;

std::string variables(const ThemeColors& colors)
{
    std::string text = fmt::format(
        "color-scheme:{};--window:{};--panel:{};--lanes:{};--stripe:{};--text:{};--muted:{};--border:{};--grid:{};"
        "--accent:{};--good:{};--warning:{};--error:{};",
        colors.dark ? "dark" : "light", hexColor(colors.window), hexColor(colors.panel), hexColor(colors.lanes),
        hexColor(colors.lanesAlternate), hexColor(colors.text), hexColor(colors.mutedText), hexColor(colors.border),
        hexColor(colors.grid), hexColor(colors.accent), hexColor(colors.good), hexColor(colors.warning),
        hexColor(colors.error));
    for (int number = 0; number < kEventKindCount; ++number) {
        const Rgb ink = colors.kind(static_cast<EventKind>(number));
        text += fmt::format("--k{0}:{1};--t{0}:{2};", number, hexColor(ink), hexColor(textOn(ink)));
        if (isCopy(static_cast<EventKind>(number)))
            text += fmt::format("--g{}:{};", number, hexColor(patternGround(ink, colors.lanes)));
    }
    return text;
}

std::string classes()
{
    std::string text;
    for (int number = 0; number < kEventKindCount; ++number) {
        text += fmt::format(".k{0}{{fill:var(--k{0})}}.t{0}{{fill:var(--t{0})}}", number);
        if (isCopy(static_cast<EventKind>(number)))
            text += fmt::format(
                ".g{0}{{fill:var(--g{0})}}.h{0}{{fill:url(#hatch{0})}}.d{0}{{fill:url(#dots{0})}}"
                ".o{0}{{fill:var(--g{0})}}.s{0}{{fill:url(#dense{0})}}"
                ".h{0},.d{0},.o{0}{{stroke:var(--k{0});stroke-width:.8}}",
                number);
    }
    for (int level = 1; level < kFullLevel; ++level)
        text += fmt::format(".l{}{{fill-opacity:{:.2f};stroke-opacity:{:.2f}}}", level, 0.3 + 0.7 * level / kFullLevel,
                            0.3 + 0.7 * level / kFullLevel);
    return text;
}

constexpr std::string_view kSheet = R"(
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--window);color:var(--text);
  font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;
  font-variant-numeric:tabular-nums}
main{max-width:1160px;margin:0 auto;padding:28px 20px 56px}
header.top{display:flex;align-items:baseline;gap:12px;flex-wrap:wrap;margin-bottom:18px;color:var(--muted);font-size:13px}
header.top .brand{font-weight:700;color:var(--text);letter-spacing:.01em;font-size:15px}
header.top .file{overflow-wrap:anywhere}
h1{font-size:26px;line-height:1.3;margin:0 0 12px;font-weight:650;letter-spacing:-.01em;text-wrap:pretty}
h2{font-size:17px;margin:0 0 4px;font-weight:650}
h3{font-size:15px;margin:18px 0 0;font-weight:650}
li h3{margin-top:0}
p{margin:6px 0}
section{background:var(--panel);border:1px solid var(--border);border-radius:10px;padding:18px 20px;margin:16px 0}
section.verdict{padding:24px 24px 20px;border-left:6px solid var(--good)}
section.verdict.problem{border-left-color:var(--warning)}
section.verdict.nothing{border-left-color:var(--border)}
.lead{font-size:16px;color:var(--text);max-width:76ch}
.note{color:var(--muted);font-size:13px;max-width:92ch}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(124px,1fr));gap:10px 20px;margin-top:18px;
  padding-top:16px;border-top:1px solid var(--border)}
.figures div{min-width:0}
.figures b{display:block;font-size:22px;line-height:1.25;font-weight:650}
.figures span{color:var(--muted);font-size:13px}
.banner{border-left:6px solid var(--warning)}
.banner.error{border-left-color:var(--error)}
.banner ul{margin:6px 0 0;padding-left:20px}
svg{display:block;width:100%;height:auto;max-width:100%}
svg.defs{position:absolute;width:0;height:0}
)";

// Of drawings.
constexpr std::string_view kPictureSheet = R"(
svg text{font-family:inherit;fill:var(--text)}
svg .tick,svg .axis{font-size:11px;fill:var(--muted)}
svg .lane{font-size:12px;fill:var(--text)}
svg .title{font-size:15px;font-weight:600;fill:var(--text)}
svg .in{font-size:11px;pointer-events:none}
svg .tp{fill:var(--text);paint-order:stroke;stroke:var(--panel);stroke-width:3px;stroke-linejoin:round}
svg .ground{fill:var(--lanes)}
svg .stripe{fill:var(--stripe)}
svg .grid{stroke:var(--grid);fill:none}
svg .border{stroke:var(--border);fill:none}
svg .frame{fill:none;stroke:var(--text);stroke-width:1.5;rx:2}
svg .median{stroke:var(--accent);stroke-width:1.5;fill:none}
svg .band{fill:var(--accent);fill-opacity:.14}
svg .point{fill:var(--accent)}
svg .range{stroke:var(--accent);stroke-width:1;fill:none;stroke-opacity:.55}
svg .warmup{fill:var(--panel);stroke:var(--muted);stroke-width:1.5}
svg .outlier{fill:var(--error)}
svg .rest{fill:var(--good);fill-opacity:.85}
)";

constexpr std::string_view kTablesSheet = R"(
.picture{margin:12px -4px 0;border-radius:6px}
.scroll{overflow-x:auto;-webkit-overflow-scrolling:touch}
table{border-collapse:collapse;width:100%;font-size:13.5px;margin-top:8px}
th{font-weight:600;color:var(--muted);text-align:left;border-bottom:1px solid var(--border);padding:5px 14px 5px 0;
  vertical-align:bottom;white-space:nowrap}
td{padding:5px 14px 5px 0;border-bottom:1px solid var(--grid);vertical-align:top}
tr:last-child td{border-bottom:0}
th.n,td.n{text-align:right;white-space:nowrap}
th:last-child,td:last-child{padding-right:0}
td:first-child:not(.name){white-space:nowrap}
.remark{display:block;white-space:normal;min-width:24ch;max-width:80ch}
td.name{overflow-wrap:anywhere;max-width:520px;font-family:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;
  font-size:12.5px}
.swatch{display:inline-block;width:22px;height:12px;margin-right:8px;vertical-align:-1px}
.better{color:var(--good);font-weight:600}
.worse{color:var(--error);font-weight:600}
.warning{color:var(--warning);font-weight:600}
.muted{color:var(--muted)}
ol.findings{list-style:none;margin:10px 0 0;padding:0}
ol.findings>li{border-top:1px solid var(--border);padding:14px 0;display:grid;grid-template-columns:112px 1fr;gap:4px 18px}
ol.findings>li:first-child{border-top:0;padding-top:4px}
ol.findings>li:last-child{padding-bottom:0}
ol.findings>li>b{line-height:1.3}
.badge{display:inline-block;font-size:11.5px;font-weight:650;border-radius:99px;padding:1px 9px;margin-right:8px;
  vertical-align:1px;border:1px solid currentColor}
.badge.hazard{color:var(--error)}.badge.problem{color:var(--warning)}.badge.hint{color:var(--accent)}.badge.good{color:var(--good)}
ol.findings dl.facts{grid-template-columns:auto 1fr;gap:2px 12px}
code{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;font-size:.92em;overflow-wrap:anywhere}
dl.facts{display:grid;grid-template-columns:minmax(120px,auto) 1fr;gap:3px 18px;margin:8px 0 0;font-size:13.5px}
dl.facts dt{color:var(--muted)}dl.facts dd{margin:0;overflow-wrap:anywhere}
.legend{display:flex;flex-wrap:wrap;gap:4px 20px;font-size:13px;margin-top:10px;color:var(--muted)}
.columns{display:grid;grid-template-columns:1fr 1fr;gap:0 32px}
footer{color:var(--muted);font-size:12.5px;margin-top:20px}
@media (max-width:720px){.columns{grid-template-columns:1fr}ol.findings>li{grid-template-columns:1fr}h1{font-size:21px}
  .picture svg{min-width:720px}}
@page{size:A4;margin:14mm 13mm}
)";

constexpr std::string_view kPrintSheet = R"(
body{background:#fff;font-size:10.5pt}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
main{max-width:none;padding:0}
section{break-inside:auto;border-radius:0;padding:10px 0 12px;margin:0;border-width:1px 0 0;background:none}
section.verdict,section.banner{padding-left:14px;border-top-width:0}
h1{font-size:17pt}h2{font-size:12.5pt}
h2,h3,th,.figures,svg,ol.findings>li,tr,#steps,#copies,#facts,#reading{break-inside:avoid}
h2,h3{break-after:avoid}
thead{display:table-header-group}
table,dl.facts{font-size:9pt}
td.name{font-size:8pt}
.scroll{overflow:visible}
.figures{grid-template-columns:repeat(4,1fr)}
)";

}  // namespace

std::string reportStyle()
{
    ThemeColors print = themeColors(false);
    print.window = print.panel = print.lanes = kWhite;
    return fmt::format(
        ":root{{{}}}\n@media (prefers-color-scheme:dark){{:root{{{}}}}}\n{}{}\n@media print{{:root{{{}}}{}}}\n",
        variables(themeColors(false)), variables(themeColors(true)),
        fmt::format("{}{}{}", kSheet, kPictureSheet, kTablesSheet), classes(), variables(print), kPrintSheet);
}

std::string pictureStyle(bool dark)
{
    const ThemeColors colors = themeColors(dark);
    std::string named = fmt::format("{}{}.paper{{fill:var(--window)}}", kPictureSheet, classes());
    const std::string all = variables(colors);
    std::string_view values = all;
    // "--name:value;" for each.
    while (!values.empty()) {
        const std::size_t end = values.find(';');
        const std::string_view one = values.substr(0, end);
        values.remove_prefix(end == std::string_view::npos ? values.size() : end + 1);
        const std::size_t colon = one.find(':');
        if (!one.starts_with("--") || colon == std::string_view::npos)
            continue;
        const std::string use = fmt::format("var({})", one.substr(0, colon));
        for (std::size_t at = named.find(use); at != std::string::npos; at = named.find(use, at))
            named.replace(at, use.size(), one.substr(colon + 1));
    }
    return named;
}

}  // namespace overlane
