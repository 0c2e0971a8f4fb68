#include "core/api/question.h"
#include "core/cli/easiest_line.h"
#include "core/job/rank_digest_maker.h"
#include "core/job/rank_name.h"
#include "core/job/rank_parts.h"
#include "core/job/rank_reader.h"

namespace overlane
{
namespace
{

OrderedJson orNull(const std::optional<int>& number)
{
    return number ? OrderedJson(*number) : OrderedJson();
}

OrderedJson partsJson(const DigestStep& step)
{
    OrderedJson json = OrderedJson::object();
    const RankPartTimes times = partsOf(step);
    for (const RankPartRow& row : rankParts())
        json[std::string(row.key)] = times[static_cast<std::size_t>(row.part)];
    return json;
}

OrderedJson digestJson(const RankDigest& digest)
{
    OrderedJson json{{"rank", orNull(digest.identity.rank)},
                     {"world_size", orNull(digest.identity.worldSize)},
                     {"local_rank", orNull(digest.identity.localRank)},
                     {"host", digest.identity.host},
                     {"rank_source", digest.identity.source},
                     {"program", digest.program},
                     {"device", digest.device},
                     {"device_id", digest.deviceId},
                     {"device_choice", digest.deviceChoice},
                     {"active_ns", {digest.active.startNs, digest.active.endNs}},
                     {"headline", digest.headline},
                     {"bound", digest.bound},
                     {"findings", digest.findings},
                     {"kernels_known", digest.kernelsKnown},
                     {"step_ns", digest.stepNs}};
    json["parts"] = digest.kernelsKnown ? partsJson(digest.whole) : OrderedJson();
    return json;
}

}  // namespace

Result<OrderedJson> answerDigest(Asked& asked)
{
    RETURN_IF_ERROR(asked.understood());
    ASSIGN_OR_RETURN(const auto judged, asked.trace->judged({}, asked.progress));
    const RankIdentity identity = identityOfTrace(judged->trace, identityOfName(asked.trace->place()));
    ASSIGN_OR_RETURN(const RankDigest digest, attempt("digest the trace", &asked.progress, [&](const WorkMeter& work) {
                         return digestOf(*judged, identity, work);
                     }));
    return digestJson(digest);
}

Result<OrderedJson> answerEasiest(Asked& asked)
{
    RETURN_IF_ERROR(asked.understood());
    ASSIGN_OR_RETURN(const auto judged, asked.trace->judged({}, asked.progress));
    ASSIGN_OR_RETURN(const std::string words, easiestLine(judged, asked.progress));
    return OrderedJson{{"change", words}};
}

}  // namespace overlane
