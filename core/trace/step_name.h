// stepNameOf(): whether the name of a range marks one iteration, and of which sequence.
//
// Names that programs and libraries give to one iteration: "step 12", "iteration", "train_batch", a server's
// "execute_..." and "step[...]", Lightning's "run_training_batch", "Trainer.training_step". What only is a part of an
// iteration, "Optimizer.step" for one, is none. Pure, any thread; also compiled into recorded programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace overlane
{

struct NumberedName {
    std::string_view base;  // without number and separator
    std::optional<std::int64_t> number;
};

NumberedName splitNumber(std::string_view name);

// The name under which ranges are of one sequence, of a name without its number; empty for what marks no iteration.
std::string stepNameOf(std::string_view base);

}  // namespace overlane
