# SPDX-License-Identifier: Apache-2.0
"""Says which file a package loads: of an editable install, one that was made current before.

scikit-build-core rebuilds a package when a compiled *module* of it is imported
(``editable.rebuild``). A library of registered types is no module, so `load_library` and
`init_ffi_api` ask here when a module of such a package loads one. Each load comes here, so what
builds (`tain._rebuild`) is imported only if something is to be built.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["SKIP", "current", "give"]

SKIP = "SKBUILD_EDITABLE_SKIP"  # the build folders whose build runs this process
_BUILT = "TAIN_BUILT"  # libraries that packages load in place of the installed ones
# The attributes by which scikit-build-core's finder is known.
_FACTS = ("path", "install_dir", "rebuild_flag", "known_source_files", "known_wheel_files")

# The modules that have loaded a library since the last build, by the folder of the build: a module
# that loads its library again was reloaded, after an edit.
_loaded: "dict[str, set[str]]" = {}
# Libraries that a build just linked, by file name: each is loaded in place of the installed one.
_given: "dict[str, str]" = {}


def give(package: str, source: "str | None", library: str) -> None:
    """Let a package load a library that was just linked.

    The package is imported from the folder `source`, if one is given.
    """
    _given[os.path.basename(library)] = os.path.abspath(library)
    while (finder := _finder_of(package)) is not None:
        sys.meta_path.remove(finder)
    if source is not None:
        sys.path.insert(0, os.path.abspath(source))


def current(file: str, caller: "dict[str, Any]") -> str:
    """Return the library to load for a path or a bare name, after it was made current.

    `caller` has the globals of the module that is about to load it.

    Raises
    ------
    ImportError
        The package cannot be built. The text ends with the compiler's first error.
    """
    given = {os.path.basename(path): path for path in filter(None, _built())} | _given
    if given:
        from tain.libinfo import file_names

        name = os.path.basename(file)
        found = next((given[each] for each in (name, *file_names(name)) if each in given), None)
        if found is not None or _given:
            return found or file
    _make_current(caller.get("__name__"))
    return file


def _built() -> "list[str]":
    """Return the files that the user wants packages to load, as after a build with a sanitizer."""
    return os.environ.get(_BUILT, "").split(os.pathsep)


def _make_current(module: object) -> None:
    """Compile what has changed in the package of a module, if its install asks for that."""
    if not isinstance(module, str) or (finder := _finder_of(module)) is None:
        return
    if not finder.rebuild_flag or not finder.path or finder.install_dir is None:
        return
    folder = str(finder.path)
    if folder in os.environ.get(SKIP, "").split(os.pathsep):
        return
    seen = _loaded.setdefault(folder, set())
    if module in seen:
        seen.clear()
    elif seen or getattr(finder, "rebuilt", False):
        seen.add(module)
        return
    from tain._rebuild import build

    build(module.partition(".")[0], finder)
    finder.rebuilt = True  # scikit-build-core need not look again
    seen.add(module)


def _finder_of(module: str) -> "Any":
    """Return scikit-build-core's finder of the package with a module, or None."""
    for finder in sys.meta_path:
        facts = getattr(finder, "__dict__", {})
        if all(name in facts for name in _FACTS) and (
            module in facts["known_source_files"] or module in facts["known_wheel_files"]
        ):
            return finder
    return None
