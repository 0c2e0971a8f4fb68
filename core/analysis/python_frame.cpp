#include "core/analysis/python_frame.h"

#include <algorithm>
#include <array>

namespace overlane
{
namespace
{

// Modules of Python 3.9 to 3.14 and of widely used packages, sorted.
// clang-format off
constexpr std::array<std::string_view, 318> kNotThePrograms{
    "IPython", "PIL", "__future__", "_bootsubprocess", "_collections_abc", "_pydecimal", "_pyio", "_pytest",
    "_sitebuiltins", "_strptime", "_threading_local", "_weakrefset", "abc", "accelerate", "aifc", "albumentations",
    "apex", "argparse", "array", "ast", "asynchat", "asyncio", "asyncore", "atexit", "attr", "attrs", "audioop",
    "base64", "bdb", "binascii", "bisect", "bitsandbytes", "builtins", "bz2", "cProfile", "calendar", "cgi", "cgitb",
    "chunk", "click", "cmath", "cmd", "code", "codecs", "codeop", "collections", "colorsys", "compileall",
    "concurrent", "configparser", "contextlib", "contextvars", "copy", "copyreg", "crypt", "csv", "ctypes", "cupy",
    "cupyx", "curses", "cv2", "dask", "dataclasses", "datasets", "datetime", "dbm", "decimal", "deepspeed", "difflib",
    "diffusers", "dis", "dist-packages", "distutils", "doctest", "einops", "email", "encodings", "ensurepip", "enum",
    "equinox", "errno", "evaluate", "faulthandler", "fcntl", "ffcv", "filecmp", "fileinput", "fire", "flash_attn",
    "flax", "fnmatch", "fractions", "fsspec", "ftplib", "functools", "gc", "genericpath", "getopt", "getpass",
    "gettext", "glob", "graphlib", "grp", "gzip", "haiku", "hashlib", "heapq", "hmac", "html", "http",
    "huggingface_hub", "hydra", "idlelib", "imageio", "imaplib", "imghdr", "imp", "importlib", "inspect", "io",
    "ipaddress", "ipykernel", "itertools", "jax", "jaxlib", "joblib", "json", "keras", "keyword", "kornia", "lib2to3",
    "lightning", "lightning_fabric", "lightning_utilities", "linecache", "locale", "logging", "lzma", "mailbox",
    "mailcap", "marshal", "math", "matplotlib", "megatron", "mimetypes", "mlflow", "mmap", "modulefinder", "msilib",
    "msvcrt", "multiprocessing", "netrc", "nis", "nntplib", "nt", "ntpath", "nturl2path", "numba", "numbers", "numpy",
    "nvidia", "omegaconf", "onnx", "onnxruntime", "opcode", "operator", "optax", "optparse", "orbax", "os",
    "ossaudiodev", "packaging", "pandas", "pathlib", "pdb", "peft", "pickle", "pickletools", "pip", "pipes",
    "pkg_resources", "pkgutil", "platform", "plistlib", "pluggy", "poplib", "posix", "posixpath", "pprint", "profile",
    "pstats", "psutil", "pty", "pwd", "py_compile", "pyarrow", "pyclbr", "pydoc", "pydoc_data", "pyexpat", "pytest",
    "pytorch_lightning", "queue", "quopri", "random", "ray", "re", "readline", "reprlib", "requests", "resource",
    "rich", "rlcompleter", "runpy", "safetensors", "sched", "scipy", "secrets", "select", "selectors",
    "sentencepiece", "setuptools", "shelve", "shlex", "shutil", "signal", "site", "site-packages", "skimage",
    "sklearn", "smtpd", "smtplib", "sndhdr", "socket", "socketserver", "spwd", "sqlite3", "sre_compile",
    "sre_constants", "sre_parse", "ssl", "stat", "statistics", "string", "stringprep", "struct", "subprocess",
    "sunau", "symtable", "sys", "sysconfig", "syslog", "tabnanny", "tarfile", "telnetlib", "tempfile", "tensorboard",
    "tensorflow", "termios", "textwrap", "threading", "time", "timeit", "timm", "tkinter", "token", "tokenize",
    "tokenizers", "tomllib", "torch", "torchaudio", "torchdata", "torchmetrics", "torchtext", "torchvision",
    "tornado", "tqdm", "trace", "traceback", "tracemalloc", "traitlets", "transformers", "triton", "trl", "tty",
    "turtle", "turtledemo", "types", "typing", "typing_extensions", "unicodedata", "unittest", "urllib", "urllib3",
    "uu", "uuid", "venv", "vllm", "wandb", "warnings", "wave", "weakref", "webbrowser", "webdataset", "winreg",
    "winsound", "wsgiref", "xdrlib", "xformers", "xml", "xmlrpc", "yaml", "zipapp", "zipfile", "zipimport", "zlib",
    "zmq", "zoneinfo",
};
// clang-format on

// `python -c` has its code in <string>, and so have the functions that libraries make from text: dataclasses, Triton's
// binders, and the first line of a process that multiprocessing starts.
bool isMadeFromText(std::string_view line, std::string_view function)
{
    return function.starts_with("__") || function == "dynamic_func" || (line == "1" && function == "<module>");
}

bool isOfProgram(std::string_view path, std::string_view line, std::string_view function)
{
    if (path.starts_with('<'))
        return (path == "<string>" && !isMadeFromText(line, function)) || path == "<stdin>" ||
               path.starts_with("<ipython");
    for (const std::string_view part : {"site-packages/", "dist-packages/", "lib/python"})
        if (path.find(part) != std::string_view::npos)
            return false;
    if (path.starts_with('/'))
        return true;
    std::string_view module = path.substr(0, path.find('/'));
    if (module.ends_with(".py"))
        module.remove_suffix(3);
    return !std::binary_search(kNotThePrograms.begin(), kNotThePrograms.end(), module);
}

}  // namespace

std::optional<PythonFrame> pythonFrame(std::string_view name)
{
    const std::size_t open = name.find(".py(");
    const std::size_t close = open == std::string_view::npos ? open : name.find("): ", open);
    const bool isString = name.starts_with("<string>(") || name.starts_with("<stdin>(");
    const std::size_t paren = isString ? name.find('(') : open + 3;
    const std::size_t end = isString ? name.find("): ") : close;
    if ((!isString && open == std::string_view::npos) || end == std::string_view::npos)
        return std::nullopt;
    const std::string_view line = name.substr(paren + 1, end - paren - 1);
    if (line.empty() || line.find_first_not_of("0123456789") != std::string_view::npos)
        return std::nullopt;
    PythonFrame frame;
    const std::string_view path = name.substr(0, paren);
    const std::string_view function = name.substr(end + 3);
    frame.place.append(path).append(":").append(line).append(" ").append(function);
    frame.isProgram = isOfProgram(path, line, function);
    return frame;
}

}  // namespace overlane
