# SPDX-License-Identifier: Apache-2.0
"""Installs a package `tvm_ffi` that leads to tain, with the metadata of apache-tvm-ffi."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import sysconfig
from importlib import metadata
from pathlib import Path

import tain_tvm_ffi

_NAME = "apache-tvm-ffi"
_REDIRECT = '''"""tvm_ffi on tain; `pip uninstall apache-tvm-ffi` removes this file."""
import tain_tvm_ffi
__path__ = [str(tain_tvm_ffi.provided_dir() / "tvm_ffi")]
__file__ = __path__[0] + "/__init__.py"
exec(compile(open(__file__, encoding="utf-8").read(), __file__, "exec"))
'''
_METADATA = """Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: A stand-in for apache-tvm-ffi: leads to tain-tvm-ffi
Requires-Dist: tain-tvm-ffi
"""
_WHEEL = """Wheel-Version: 1.0
Generator: tain-tvm-ffi
Root-Is-Purelib: true
Tag: py3-none-any
"""


class ProvideError(Exception):
    """The package cannot be installed; the text says why."""


def _row(path: Path, root: Path) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest())
    name, size = path.relative_to(root).as_posix(), path.stat().st_size
    return f"{name},sha256={digest.rstrip(b'=').decode()},{size}"


def _check(root: Path) -> None:
    """Refuse where the package itself is installed, or files of it are."""
    try:
        known = metadata.distribution(_NAME)
    except metadata.PackageNotFoundError:
        if (root / "tvm_ffi").exists():
            raise ProvideError(f"{root / 'tvm_ffi'} exists, and belongs to no package") from None
        return
    if known.version.endswith("+tain"):
        return
    raise ProvideError(
        f"{_NAME} {known.version} itself is installed in this environment: "
        f"`pip uninstall {_NAME}` first, or run programs with `python -m tain_tvm_ffi run`"
    )


def _remove_earlier(root: Path) -> None:
    for folder in (root / "tvm_ffi", *root.glob("apache_tvm_ffi-*+tain.dist-info")):
        if folder.exists():
            shutil.rmtree(folder)


def provide(version: str = tain_tvm_ffi.STANDS_FOR) -> str:
    """Install the package, and return what was done.

    Parameters
    ----------
    version : str
        The version of apache-tvm-ffi that requirements are to find, with ``+tain`` appended.

    Raises
    ------
    ProvideError
        apache-tvm-ffi itself is installed, the version is none, or the folder cannot be written.
    """
    if not re.fullmatch(r"\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?", version):
        raise ProvideError(
            f"--version: expected a version such as {tain_tvm_ffi.STANDS_FOR}, got {version!r}"
        )
    root = Path(sysconfig.get_paths()["purelib"])
    _check(root)
    try:
        _remove_earlier(root)
        package = root / "tvm_ffi"
        (package / "lib").mkdir(parents=True)
        (package / "__init__.py").write_text(_REDIRECT)
        # The run paths of libraries that are linked with the package lead here.
        library = package / "lib" / tain_tvm_ffi.library_path().name
        try:
            library.symlink_to(tain_tvm_ffi.library_path().resolve())
        except OSError:  # a platform, or a file system, without links
            shutil.copyfile(tain_tvm_ffi.library_path(), library)
        info = root / f"apache_tvm_ffi-{version}+tain.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(_METADATA.format(name=_NAME, version=f"{version}+tain"))
        (info / "WHEEL").write_text(_WHEEL)
        (info / "INSTALLER").write_text("tain-tvm-ffi\n")
        files = [package / "__init__.py", library, *sorted(info.iterdir())]
        rows = [_row(path, root) for path in files]
        record = info / "RECORD"
        record.write_text("\n".join([*rows, f"{info.name}/RECORD,,"]) + "\n")
    except OSError as error:
        raise ProvideError(f"{root} cannot be written: {error}") from error
    return f"{_NAME} {version}+tain in {root} leads to tain; `pip uninstall {_NAME}` removes it"
