#!/usr/bin/env python3
"""debian/control -> a folder with every program that a bare Debian has once its Build-Depends are installed.

With PATH set to that folder, build and tests find no program that only this machine happens to have: a package that
debian/control forgets shows here as it would on a bare system ("make: not found").

Usage: program_path.py FOLDER [CONTROL]     prints FOLDER's absolute path; the folder is made anew
"""
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys

PROGRAM_FOLDERS = ("/usr/bin", "/usr/sbin", "/bin", "/sbin", "/usr/games")


def names_of(field):
    """'a (>= 1), b | c' -> [['a'], ['b', 'c']]"""
    groups = []
    for group in field.split(","):
        names = [re.sub(r"[\s(\[<:].*", "", name.strip()) for name in group.split("|")]
        groups.append([name for name in names if name])
    return [group for group in groups if group]


def build_depends(control):
    text = pathlib.Path(control).read_text(encoding="utf-8")
    found = re.search(r"^Build-Depends:((?:.*\n)(?:[ \t].*\n)*)", text, re.MULTILINE)
    if not found:
        sys.exit(f"{control}: no field Build-Depends")
    return names_of(found.group(1).replace("\n", " "))


class Installed:
    """What dpkg knows of the installed packages."""

    def __init__(self):
        form = "${db:Status-Status}\t${Package}\t${Essential}\t${Provides}\t${Pre-Depends}, ${Depends}\n"
        answer = subprocess.run(["dpkg-query", "-W", "-f", form], check=True, capture_output=True, text=True).stdout
        self.depends, self.providers, self.essential = {}, {}, []
        for line in answer.splitlines():
            status, name, essential, provides, depends = line.split("\t")
            if status != "installed":
                continue
            self.depends.setdefault(name, []).extend(names_of(depends))
            if essential == "yes":
                self.essential.append(name)
            for group in names_of(provides):
                self.providers.setdefault(group[0], []).append(name)

    def resolve(self, group):
        """The packages that satisfy one group of alternatives: the first that is installed, as apt chooses."""
        for name in group:
            if name in self.depends:
                return [name]
            if name in self.providers:
                return self.providers[name]
        return []

    def closure(self, groups):
        todo = list(self.essential)
        for group in groups:
            packages = self.resolve(group)
            if not packages:
                sys.exit(f"program_path: {' | '.join(group)} is not installed; run tools/install_deps.sh")
            todo.extend(packages)
        seen = set()
        while todo:
            name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            for group in self.depends[name]:
                todo.extend(self.resolve(group))
        return seen


real_folder = functools.lru_cache(maxsize=None)(os.path.realpath)


def merged(path):
    """/bin/sh and /usr/bin/sh are one file where /bin is a link to /usr/bin; packages list either."""
    folder, name = os.path.split(path)
    return f"{real_folder(folder)}/{name}"


def files_of(packages):
    answer = subprocess.run(["dpkg-query", "-L", *sorted(packages)], check=True, capture_output=True, text=True).stdout
    return {merged(line) for line in answer.splitlines() if line.startswith("/")}


def is_brought(path, files):
    """Owned itself, or a link made by a package's scripts (alternatives: cc, awk) that ends at an owned file."""
    if merged(path) in files:
        return True
    return os.path.islink(path) and "/etc/alternatives/" in os.readlink(path) and merged(os.path.realpath(path)) in files


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        print(__doc__.strip())
        sys.exit(0 if sys.argv[1:] in (["-h"], ["--help"]) else 2)
    root = pathlib.Path(__file__).resolve().parent.parent
    control = sys.argv[2] if len(sys.argv) == 3 else root / "debian/control"
    folder = pathlib.Path(sys.argv[1]).resolve()
    files = files_of(Installed().closure(build_depends(control)))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for place in PROGRAM_FOLDERS:
        for entry in sorted(os.scandir(place), key=lambda entry: entry.name) if os.path.isdir(place) else []:
            link = folder / entry.name
            if not link.is_symlink() and os.access(entry.path, os.X_OK) and is_brought(entry.path, files):
                link.symlink_to(entry.path)
    print(folder)


if __name__ == "__main__":
    main()
