// The sentences of core/analysis/advice.h, one table per framework. An empty one means that the framework has no
// words of its own for that.
//
// Sources: torch.utils.data, torch.autograd.graph.save_on_cpu and FSDP of the PyTorch documentation, torchtune's
// OffloadActivations; "Asynchronous dispatch" and "JAX Memories and Host Offloading" of JAX; "Memory Management" of
// CuPy; the CUDA C++ Programming Guide, "Asynchronous Concurrent Execution".
#pragma once

#include <string_view>

#include "core/analysis/advice.h"

namespace overlane
{

struct RoleTexts {
    std::string_view any;  // batches, results, and what is not known
    std::string_view parameter;
    std::string_view activation;
    std::string_view gradient;
    std::string_view kvCache;
    std::string_view state = {};  // an optimizer's
};

const RoleTexts& pytorchTexts(Remedy remedy);
const RoleTexts& jaxTexts(Remedy remedy);
const RoleTexts& cupyTexts(Remedy remedy);
const RoleTexts& cudaTexts(Remedy remedy);
const RoleTexts& plainTexts(Remedy remedy);  // in no framework's words

// Where a DataLoader makes the batches.
std::string_view loaderText(Remedy remedy);
// Where FSDP fetches the parameters.
std::string_view fsdpText(Remedy remedy);

}  // namespace overlane
