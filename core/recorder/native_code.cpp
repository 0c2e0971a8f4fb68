#include "core/recorder/native_code.h"

#ifdef OVERLANE_LIBDW

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <unordered_map>

#include "core/recorder/function_names.h"
#include "core/recorder/module_file.h"
#include "core/recorder/native_module.h"

namespace overlane
{
namespace
{

}  // namespace

class NativeCode::Impl
{
public:
    explicit Impl(pid_t process)
        : m_process(process), m_executable(processLink(process, "exe")), m_folder(processLink(process, "cwd"))
    {
        m_callbacks.find_elf = &Impl::findElf;
        m_callbacks.find_debuginfo = &Impl::findDebugInformation;
        m_callbacks.section_address = dwfl_offline_section_address;
        m_threadCallbacks.next_thread = &Impl::nextThread;
        m_threadCallbacks.get_thread = &Impl::getThread;
        m_threadCallbacks.memory_read = &Impl::readMemory;
        m_threadCallbacks.set_initial_registers = &Impl::setRegisters;
        m_dwfl = dwfl_begin(&m_callbacks);
    }
    ~Impl()
    {
        m_modules.clear();
        if (m_dwfl != nullptr)
            dwfl_end(m_dwfl);
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    bool refresh()
    {
        const std::string maps = memoryMaps(m_process);
        const std::size_t hash = std::hash<std::string>()(codeLines(maps));
        if (m_dwfl == nullptr || maps.empty() || hash == m_mapsHash)
            return false;
        m_mapsHash = hash;
        const std::vector<std::string> before = moduleNames();
        current() = this;
        dwfl_report_begin(m_dwfl);
        const int failed = dwfl_linux_proc_report(m_dwfl, m_process);
        dwfl_report_end(m_dwfl, nullptr, nullptr);
        if (failed == 0 && !m_attached) {
            openExecutable();
            m_attached = dwfl_attach_state(m_dwfl, nullptr, m_process, &m_threadCallbacks, this);
        }
        current() = nullptr;
        const bool isOther = moduleNames() != before;
        if (isOther)
            m_modules.clear();
        return isOther;
    }

    std::span<const std::uint64_t> functions(const StackDump& dump)
    {
        m_functions.clear();
        m_sawUnknownCode = false;
        m_dump = &dump;
        current() = this;
        // What ends a stack early is no error: what was found until then is true.
        if (m_attached)
            dwfl_getthread_frames(m_dwfl, static_cast<pid_t>(dump.thread), &Impl::addFrame, this);
        if (m_functions.empty() && m_dwfl != nullptr)
            add(dump.pc);
        current() = nullptr;
        m_dump = nullptr;
        return m_functions;
    }
    bool sawUnknownCode() const { return m_sawUnknownCode; }

    CodeName name(std::uint64_t address)
    {
        CodeName found;
        Dwfl_Module* module = m_dwfl != nullptr ? dwfl_addrmodule(m_dwfl, address) : nullptr;
        if (module == nullptr) {
            found.text = found.module = "generated code";
            return found;
        }
        current() = this;
        const std::string path = pathOf(module);
        found.module = moduleName(path);
        found.owner = ownerOfModule(path, path == m_executable);
        const std::string symbol = moduleOf(module).symbol(address);
        const std::string function = symbol.empty() ? std::string() : functionName(symbol);
        found.isNamed = !function.empty();
        NativeModule::Line line;
        if (found.owner == CodeOwner::Program)
            line = moduleOf(module).line(address);
        // A line of a library's header that is part of a function of the program: the function's own first line.
        if (line.number > 0 && found.isNamed && isLibraryFunction({}, line.file) && !isLibraryFunction(function, {}))
            if (NativeModule::Line first = moduleOf(module).line(moduleOf(module).entry(address));
                first.number > 0 && !isLibraryFunction({}, first.file))
                line = std::move(first);
        if (found.owner == CodeOwner::Program && isLibraryFunction(function, line.file))
            found.owner = CodeOwner::Library;
        if (const std::string_view runtime = runtimeOfFunction(function); !runtime.empty()) {
            found.module = runtime;
            found.isNamed = !isNamelessOfRuntime(function);
            found.text = found.isNamed ? fmt::format("{} {}", runtime, function) : found.module;
        } else if (found.isNamed && isLaunchOfKernel(symbol, line.file)) {
            // What nvcc wrote to launch a kernel: the line is of a file that is gone.
            found.owner = CodeOwner::Library;
            found.text = fmt::format("{} launch of {}", kCudaRuntime, function);
        } else if (line.number > 0)
            found.text = fmt::format("{}:{} {}", sourceName(line.file, m_folder), line.number,
                                     found.isNamed ? function : found.module);
        else
            found.text = found.isNamed ? fmt::format("{} {}", found.module, function) : found.module;
        found.isNamed = found.isNamed || (line.number > 0 && found.owner == CodeOwner::Program);
        current() = nullptr;
        return found;
    }

private:
    // libdw hands its callbacks for files nothing that leads to their owner.
    static Impl*& current()
    {
        thread_local Impl* owner = nullptr;
        return owner;
    }

    static std::string pathOf(Dwfl_Module* module)
    {
        const char* name = dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
        return name != nullptr ? name : std::string();
    }

    std::vector<std::string> moduleNames() const
    {
        std::vector<std::string> names;
        const auto add = [](Dwfl_Module* module, void**, const char* name, Dwarf_Addr, void* into) {
            Dwarf_Addr start = 0;
            dwfl_module_info(module, nullptr, &start, nullptr, nullptr, nullptr, nullptr, nullptr);
            static_cast<std::vector<std::string>*>(into)->push_back(fmt::format("{:x} {}", start, name));
            return static_cast<int>(DWARF_CB_OK);
        };
        dwfl_getmodules(m_dwfl, add, &names, 0);
        return names;
    }

    // While the process lives: one that was removed from disk is only found through it.
    void openExecutable()
    {
        const auto open = [](Dwfl_Module* module, void**, const char* name, Dwarf_Addr, void* of) {
            GElf_Addr bias = 0;
            if (static_cast<Impl*>(of)->m_executable == name)
                dwfl_module_getelf(module, &bias);
            return static_cast<int>(DWARF_CB_OK);
        };
        dwfl_getmodules(m_dwfl, open, this, 0);
    }

    NativeModule& moduleOf(Dwfl_Module* module)
    {
        const auto known = m_modules.find(module);
        if (known != m_modules.end())
            return known->second;
        GElf_Addr bias = 0;
        dwfl_module_getelf(module, &bias);
        const auto bytes = m_fileBytes.find(pathOf(module));
        const bool isSmall = bytes == m_fileBytes.end() || bytes->second <= kLargestDebugBytes;
        return m_modules.try_emplace(module, module, isSmall).first->second;
    }

    static int findElf(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base, char** fileName, Elf** elf)
    {
        Impl* self = current();
        if (self == nullptr || *name != '/')
            return dwfl_linux_proc_find_elf(module, data, name, base, fileName, elf);
        std::int64_t bytes = 0;
        Descriptor file = openModule(self->m_process, name, self->m_executable, bytes);
        if (!file.valid())
            return -1;
        self->m_fileBytes[name] = bytes;
        // Read, not mapped, so that a file which somebody cuts off is an error and no signal; a huge one is mapped,
        // as it would not fit into memory.
        const Elf_Cmd how = bytes <= kLargestDebugBytes ? ELF_C_READ : ELF_C_READ_MMAP_PRIVATE;
        const int copy = ::fcntl(file.get(), F_DUPFD_CLOEXEC, 0);
        *elf = copy >= 0 ? elf_begin(copy, how, nullptr) : nullptr;
        if (*elf == nullptr) {
            if (copy >= 0)
                ::close(copy);
            return -1;
        }
        *fileName = ::strdup(name);
        return copy;
    }

    // Files of this machine alone: libdw's own search asks servers, which takes as long as they like.
    static int findDebugInformation(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base,
                                    const char* fileName, const char* link, GElf_Word checksum, char** found)
    {
        const int file = dwfl_build_id_find_debuginfo(module, data, name, base, fileName, link, checksum, found);
        std::int64_t bytes = 0;
        if (file >= 0 && (!isRegularFile(file, bytes) || bytes > kLargestDebugBytes)) {
            ::close(file);
            return -1;
        }
        return file;
    }

    static pid_t nextThread(Dwfl*, void* self, void** thread)
    {
        const StackDump* dump = static_cast<Impl*>(self)->m_dump;
        if (*thread != nullptr || dump == nullptr)
            return 0;
        *thread = self;
        return static_cast<pid_t>(dump->thread);
    }
    static bool getThread(Dwfl*, pid_t, void* self, void** thread)
    {
        *thread = self;
        return true;
    }
    static bool readMemory(Dwfl*, Dwarf_Addr address, Dwarf_Word* word, void* self)
    {
        std::uint64_t value = 0;
        if (!static_cast<Impl*>(self)->m_dump->word(address, value))
            return false;
        *word = value;
        return true;
    }
    static bool setRegisters(Dwfl_Thread* thread, void* self)
    {
        const StackDump& dump = *static_cast<Impl*>(self)->m_dump;
        static_assert(sizeof(Dwarf_Word) == sizeof(std::uint64_t));
        const auto set = [&](std::size_t first, std::size_t count, const std::uint64_t* values) {
            return dwfl_thread_state_registers(thread, static_cast<int>(first), static_cast<unsigned>(count), values);
        };
        if (kProgramCounter >= kDwarfRegisters)
            dwfl_thread_state_register_pc(thread, dump.pc);
        else if (!set(kProgramCounter, 1, &dump.pc))
            return false;
        return dump.allKnown ? set(0, dump.registers.size(), dump.registers.data())
                             : set(kStackPointer, 1, &dump.registers[kStackPointer]);
    }
    static int addFrame(Dwfl_Frame* frame, void* of)
    {
        auto* self = static_cast<Impl*>(of);
        Dwarf_Addr address = 0;
        bool isInnermost = false;
        if (!dwfl_frame_pc(frame, &address, &isInnermost) || address == 0)
            return DWARF_CB_ABORT;
        // A caller is where its call returns to, which may be the next line, or the next function.
        self->add(isInnermost ? address : address - 1);
        return self->m_functions.size() < kDeepest ? DWARF_CB_OK : DWARF_CB_ABORT;
    }
    void add(std::uint64_t address)
    {
        m_sawUnknownCode = m_sawUnknownCode || dwfl_addrmodule(m_dwfl, address) == nullptr;
        m_functions.push_back(address);
    }

    const pid_t m_process;
    const std::string m_executable;
    const std::string m_folder;  // that it runs in
    Dwfl_Callbacks m_callbacks{};
    Dwfl_Thread_Callbacks m_threadCallbacks{};
    Dwfl* m_dwfl = nullptr;
    bool m_attached = false;
    bool m_sawUnknownCode = false;
    std::size_t m_mapsHash = 0;
    const StackDump* m_dump = nullptr;  // that is read now
    std::vector<std::uint64_t> m_functions;
    std::unordered_map<Dwfl_Module*, NativeModule> m_modules;
    std::unordered_map<std::string, std::int64_t> m_fileBytes;
};

bool NativeCode::isAvailable()
{
    return kNativeStacksFit;
}

NativeCode::NativeCode(pid_t process) : m_impl(std::make_unique<Impl>(process)) {}
NativeCode::~NativeCode() = default;

bool NativeCode::refresh()
{
    return m_impl->refresh();
}

std::span<const std::uint64_t> NativeCode::functions(const StackDump& dump)
{
    return m_impl->functions(dump);
}

bool NativeCode::sawUnknownCode() const
{
    return m_impl->sawUnknownCode();
}

CodeName NativeCode::name(std::uint64_t address)
{
    return m_impl->name(address);
}

}  // namespace overlane

#endif
