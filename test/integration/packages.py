#!/usr/bin/env python3
"""Makes the Debian packages, unpacks them into an empty folder, and uses what is there.

    packages.py --build <clopt's build folder> --work <scratch folder> --source <test/integration>
"""

import argparse
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys


def run(*command, **settings):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                            **settings)
    if result.returncode != 0:
        sys.exit(f"failed with {result.returncode}: {' '.join(map(str, command))}\n"
                 f"{result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def expect(condition, message):
    if not condition:
        sys.exit(message)


def check_control(package, wanted, unwanted=()):
    """The dependencies that dpkg-shlibdeps found, and those that are stated."""
    depends = run("dpkg-deb", "-f", package, "Depends")
    names = set(re.findall(r"(?:^|[,|])\s*([a-z0-9][a-z0-9.+-]+)", depends))
    for name in wanted:
        expect(name in names, f"{package.name} does not depend on {name}: {depends}")
    for name in unwanted:
        expect(name not in names, f"{package.name} depends on {name}: {depends}")
    lines = run("dpkg-deb", "-f", package, "Description").splitlines()
    expect(len(lines) > 1 and "clopt" in "".join(lines), f"no description: {lines}")


def check_files(root):
    share = root / "usr/share"
    for path in ("doc/clopt/copyright", "doc/clopt/LICENSE", "doc/clopt/docs/cli.md",
                 "doc/clopt/examples/mm/mm.cl", "doc/libclopt-runtime/copyright",
                 "doc/libclopt-runtime-dev/copyright", "doc/libclopt-dev/copyright",
                 "clopt/schema/report.schema.json",
                 "clopt/schema/device-profile.schema.json", "clopt/devices/cpu.json",
                 "bash-completion/completions/clopt", "zsh/vendor-completions/_clopt",
                 "fish/vendor_completions.d/clopt.fish"):
        expect((share / path).exists(), f"not packed: {path}")
    pages = {page.name.removesuffix(".1.gz") for page in (share / "man/man1").iterdir()}
    for page in ("clopt", "clopt-check", "clopt-run", "clopt-rt"):
        expect(page in pages, f"no manual page: {page}")
    text = gzip.decompress((share / "man/man1/clopt.1.gz").read_bytes()).decode()
    expect(".SH EXIT STATUS" in text, "the manual page has no exit status")
    layer = (share / "clopt/clopt.lay").read_text().strip()
    expect((root / layer.lstrip("/")).exists(), f"there is no layer at {layer}")


def use(root, source, work):
    """Every program, the layer, and the runtime by way of pkg-config."""
    clopt = root / "usr/bin/clopt"
    expect("isl-" in run(clopt, "--version"), "no version")
    kernel, recipe = source / "runtime/rows.cl", work / "rows.recipe"
    recipe.write_text("kernel rows\nmap k\n")
    plan, optimized = work / "rows.plan.json", work / "rows_opt.cl"
    run(clopt, kernel, f"--recipe={recipe}", "-o", optimized, f"--plan={plan}")
    run(clopt, "verify", source / "../../examples/mm/mm.cl", "--size=n=64", "--target=cpu")
    folder = next((root / "usr").glob("lib/**/pkgconfig"))
    environment = dict(os.environ, PKG_CONFIG_PATH=str(folder))
    flags = run("pkg-config", "--cflags", "--libs", "clopt-runtime", env=environment).split()
    host = work / "host"
    run("cc", "-DCL_TARGET_OPENCL_VERSION=120", source / "runtime/main.c", "-o", host, *flags)
    # The static library is C++, which a host in C does not bring along.
    flags = run("pkg-config", "--static", "--cflags", "--libs", "clopt-runtime", env=environment)
    static = work / "static"
    run("cc", "-DCL_TARGET_OPENCL_VERSION=120", source / "runtime/main.c", "-o", static,
        *flags.replace("-lclopt-runtime", "-l:libclopt-runtime.a").split())
    expect("clopt" not in run("ldd", static), "the host is not linked with the static library")
    environment = dict(os.environ, LD_LIBRARY_PATH=str(folder.parent),
                       CLOPT_CACHE_DIR=str(work / "cache"))
    output = run(clopt, "run", "-v", "--target=cpu", host, plan, optimized, kernel,
                 env=environment)
    expect("own NDRange, 0 wrong" in output and "clopt-layer: program of" in output, output)
    expect(f"libclopt-runtime.so.0.1 => {folder.parent}" in
           run("ldd", host, env=environment).replace("/pkgconfig/..", ""),
           "the host is not linked with the shared library")


def main():
    parser = argparse.ArgumentParser()
    for name in ("--build", "--work", "--source"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    work = arguments.work
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    run("cpack", "--config", arguments.build / "CPackConfig.cmake", "-G", "DEB", "-B",
        work / "packages", cwd=arguments.build)
    packages = {path.name.split("_")[0]: path for path in (work / "packages").glob("*.deb")}
    expect(set(packages) == {"clopt", "libclopt-runtime", "libclopt-runtime-dev", "libclopt-dev"},
           f"packages: {sorted(packages)}")
    check_control(packages["clopt"],
                  ["libllvm19", "libclang-cpp19", "libppl14", "libclang-common-19-dev"])
    check_control(packages["libclopt-runtime"], ["libc6", "libstdc++6"],
                  ["libllvm19", "libppl14"])
    check_control(packages["libclopt-runtime-dev"], ["libclopt-runtime"])
    check_control(packages["libclopt-dev"], ["clopt", "llvm-19-dev", "clang-19", "libppl-dev"])
    root = work / "root"
    for package in packages.values():
        run("dpkg-deb", "-x", package, root)
    check_files(root)
    use(root, arguments.source, work)


if __name__ == "__main__":
    main()
