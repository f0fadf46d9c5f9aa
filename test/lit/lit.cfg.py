# lit configuration: text tests of the programs, one folder per topic or step.
#
# Substitutions beside lit's own (%s %S %t):
#   %clopt  %clopt-rt   the programs under test
#   %examples           the repository's examples folder
#   %schema             the repository's folder of JSON schemas
#   %python             the Python that runs lit
# FileCheck, not, count and split-file come from LLVM's tools.

import os
import shutil
import sys

import lit.formats

config.name = "clopt"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cl", ".test", ".c"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.clopt_lit_output

# Longer names first: the substitutions are applied in order, as regular expressions.
tools = config.clopt_tools
config.substitutions += [
    (r"%clopt-rt\b", os.path.join(tools, "clopt-rt")),
    (r"%clopt\b", os.path.join(tools, "clopt")),
    (r"%examples\b", os.path.join(config.clopt_source, "examples")),
    (r"%schema\b", os.path.join(config.clopt_source, "docs", "schema")),
    (r"%python\b", sys.executable),
]

config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools, config.environment["PATH"]]
)
# Nothing outside the build folder is read or written: neither the user's settings, nor
# a cache that an earlier run has filled.
for variable, folder in [
    ("HOME", "home"),
    ("XDG_CONFIG_HOME", "config"),
    ("XDG_CACHE_HOME", "cache"),
    ("POCL_CACHE_DIR", "pocl"),
]:
    path = os.path.join(config.clopt_lit_output, "environment", folder)
    os.makedirs(path, exist_ok=True)
    config.environment[variable] = path

# A browser is no part of what clopt is built and tested with; where there is one, it looks at pages.
if shutil.which("chromium"):
    config.available_features.add("chromium")
