// A lesson as small as the format allows, and ways to spoil it.
#pragma once

#include <string>
#include <string_view>

namespace overlane::test
{

constexpr std::string_view kSmallLesson = R"(---
key: small
title: A small lesson
summary: One sentence.
minutes: 3
---
The situation, with batches of {{A.batch_bytes}}.

```scenario A
label: pageable
preset: pageable_blocking
set: produce_us=0 batches=16 compute_us=6000
```

```scenario B
label: pinned
base: A
set: pin=ring
```

```predict
question: Which is faster?
- A :: A.wall <= B.wall
- B :: B.wall < A.wall
```

```predict
question: By how much?
answer: A.wall / B.wall
tolerance: 10 %
```

```compare
- wall, h2d
```

B took {{B.wall}}.

```expect
- B.wall < A.wall
```

```rule
text: Pin it. Then copy.
source: [a page](https://example.org/page)
```

```leaves-out
- Much.
```

```claim
says: Pinning is slower.
source: hearsay
holds: B.wall > A.wall
figures: It took {{B.wall}}.
if held: So it did.
if not: It did not.
```

```exercise
task: Be faster.
from: A
knobs: pin
goal: wall < 90 % * start.wall
solution: pin=ring
```

```exercise
task: Compute more.
from: B
knobs: compute_us
goal: kernels > 200 ms
solution: compute_us=20000
```
)";

inline std::string replaced(std::string_view what, std::string_view with, std::string text = std::string(kSmallLesson))
{
    const std::size_t at = text.find(what);
    return at == std::string::npos ? "nothing to replace" : text.replace(at, what.size(), with);
}

}  // namespace overlane::test
