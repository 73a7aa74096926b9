# SPDX-License-Identifier: Apache-2.0
"""tain.cpp: compilers that crash, hang, are interrupted or wait for each other."""

from __future__ import annotations

import errno
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from fake_compiler import FakeCompiler, is_running, wait_until

import tain
from tain.cpp import CompileError

CODE = """
import signal, sys, tain
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
tain.cpp.build("ended", sources=sys.argv[1:])
"""


@pytest.fixture
def fake(tmp_path: Path, monkeypatch) -> FakeCompiler:
    compiler = FakeCompiler(tmp_path)
    monkeypatch.setenv("CXX", str(compiler.path))
    monkeypatch.setenv("TAIN_CACHE_DIR", str(tmp_path / "cache"))
    return compiler


@pytest.fixture
def sources(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / name for name in ("a.cc", "b.cc", "c.cc")]
    for path in paths:
        path.write_text(f"the text of {path.name}")
    return paths


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("act", "first", "output"),
    [
        ("kill -ABRT $$", "error: the compiler was ended by SIGABRT", ""),
        ("exit 3", "error: the compiler ended with status 3", ""),
        ("exit 0", "error: the compiler wrote no file", ""),
        ("echo note; echo 'x.cc:3:1: error: bad'; exit 1", "x.cc:3:1: error: bad", "note\n"),
        ("echo 'x.h:1: fatal error: gone'; exit 1", "x.h:1: fatal error: gone", ""),
        ("echo 'c++: internal compiler error: x'; exit 4", "c++: internal compiler error: x", ""),
        ("echo 'x.o: undefined reference to f'; exit 1", "x.o: undefined reference to f", ""),
        ("printf 'error: \\377'; exit 1", "error: �", ""),
    ],
)
def test_a_compiler_that_fails(fake: FakeCompiler, sources, act: str, first, output) -> None:
    fake.act(act)
    with pytest.raises(CompileError) as caught:
        tain.cpp.build("failing", sources=sources[:1])
    error = caught.value
    assert error.output.rstrip("\n") == output + first
    assert str(error).startswith(f"{first}\ntain.cpp: cannot build 'failing'\n$ {fake.path} ")
    fake.act("")
    assert Path(tain.cpp.build("failing", sources=sources[:1])).is_file()


GCC = """In file included from h.h:1:
h.h: In instantiation of 'struct A<X>':
i.h:32:13:   required from 'void def(F&&) [with F = X]'
<inline>:7:5:   required from here
h.h:93:32: error: static assertion failed: no
<inline>:9:1:   required from here
h.h:94:32: error: another
"""
CLANG = """In file included from <built-in>:1:
h.h:93:17: error: static assertion failed: no
i.h:32:13: note: in instantiation of template class 'A<X>' requested here
<inline>:7:5: note: in instantiation of function template specialization 'def<X>' requested here
h.h:94:17: error: another
<inline>:9:5: note: in instantiation of template class 'B' requested here
"""


@pytest.mark.parametrize(
    ("output", "first"),
    [
        (GCC, "<inline>:7:5: error: static assertion failed: no"),
        (CLANG, "<inline>:7:5: error: static assertion failed: no"),
        ("a.cu(7): error: no\n", "a.cu(7): error: no"),
        ("a.cc:7: warning: w\na.cc:8:1: fatal error: no\n", "a.cc:8:1: fatal error: no"),
        ("ld: error: undefined symbol: f\n", "ld: error: undefined symbol: f"),
        ("\n  word\n", "word"),
        ("\n", "the compiler says nothing"),
    ],
)
def test_the_first_error_has_the_line_of_the_user(output: str, first: str) -> None:
    error = CompileError("any", "c++ x", output)
    body = output.rstrip("\n")
    last = "" if body.endswith(first) else f"\n\n{first}"  # a terminal shows the end
    assert str(error) == f"{first}\ntain.cpp: cannot build 'any'\n$ c++ x\n{body}{last}"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.bad_input
def test_a_full_disk(fake: FakeCompiler, sources) -> None:
    fake.act("echo 'x.s: No space left on device'; exit 1")
    with pytest.raises(OSError, match="cannot build 'full': No space left on device") as caught:
        tain.cpp.build("full", sources=sources[:1])
    assert caught.value.errno == errno.ENOSPC


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "act",
    [
        "sleep 1000 & echo $! > '{pid}'; wait",
        "trap '' TERM; sleep 1000 & echo $! > '{pid}'; wait; wait",
        "echo $$ > '{pid}'; while :; do echo again; done",
        "echo $$ > '{pid}'; exec >&- 2>&-; sleep 1000",
    ],
    ids=["child", "ignores_sigterm", "prints", "closes"],
)
def test_a_compiler_that_never_stops(
    fake: FakeCompiler, sources, act, tmp_path, monkeypatch
) -> None:
    from tain.cpp import _run

    monkeypatch.setattr(_run, "_PATIENCE", 0.1)
    pid = tmp_path / "pid"
    fake.act(act.format(pid=pid))
    text = r"building 'hanging' took more than 3 s, and was ended while .*fake-compiler"
    with pytest.raises(TimeoutError, match=text):
        tain.cpp.build("hanging", sources=sources[:1], timeout=3)
    # A slow machine may end it before it begins, or before it has written its number.
    if written := pid.exists() and pid.read_text().strip():
        wait_until(lambda: not is_running(int(written)))
    fake.act("")
    assert tain.cpp.build("hanging", sources=sources[:1], timeout=60)


@pytest.mark.bad_input
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_build_that_is_ended(fake: FakeCompiler, sources, number, tmp_path: Path) -> None:
    """Ctrl-C ends the compiler; after both nothing is broken, and nobody waits for a lock."""
    pid = tmp_path / "pid"
    fake.act(f"sleep 1000 & echo $! > '{pid}.part'; mv '{pid}.part' '{pid}'; wait")
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, str(sources[0])], stderr=subprocess.PIPE, text=True
    )
    wait_until(pid.exists)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    compiler = int(pid.read_text())
    if number == signal.SIGINT:
        assert errors.rstrip().endswith("KeyboardInterrupt")
        wait_until(lambda: not is_running(compiler))
    else:
        os.killpg(os.getpgid(compiler), signal.SIGKILL)
        wait_until(lambda: not is_running(compiler))
    fake.act("")
    path = Path(tain.cpp.build("ended", sources=sources[:1], timeout=60))
    assert path.read_text() == "linked\n"
    assert not list(path.parents[1].glob("*/scratch-*"))


@pytest.mark.bad_input
def test_a_build_waits_for_its_turn(fake: FakeCompiler, sources) -> None:
    from filelock import FileLock

    from tain.cpp import _cache

    tain.cpp.build("turn", sources=sources[:1])
    sources[0].write_text("changed")
    text = r"'turn' took more than 1 s, and was ended while it waited for another process that"
    with FileLock(_cache.lock("turn")), pytest.raises(TimeoutError, match=text):
        tain.cpp.build("turn", sources=sources[:1], timeout=1)
    assert tain.cpp.build("turn", sources=sources[:1], timeout=60)


def test_files_are_compiled_side_by_side(
    fake: FakeCompiler, sources, tmp_path, monkeypatch
) -> None:
    """Each compiler waits until the other has begun."""
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    both = " ".join(f"'{tmp_path}/begun-{name}'" for name in ("a.cc", "b.cc"))
    fake.act(f"""
touch '{tmp_path}/begun-'$name
for other in {both}; do while [ ! -e $other ]; do sleep 0.01; done; done""")
    assert tain.cpp.build("parallel", sources=sources[:2], timeout=60)
    assert fake.compiled() == ["a.cc", "b.cc", "linked"]


def test_only_what_has_changed_is_compiled(fake: FakeCompiler, sources, tmp_path: Path) -> None:
    header = tmp_path / "value.h"
    header.write_text("1")
    fake.act("", headers=f"$([ $name = b.cc ] && echo {header})")

    def compiled(**options) -> list[str]:
        tain.cpp.build("several", sources=sources, **options)
        return fake.compiled()

    assert compiled() == ["a.cc", "b.cc", "c.cc", "linked"]
    assert compiled() == []
    sources[0].write_text("changed")
    assert compiled() == ["a.cc", "linked"]
    header.write_text("2")
    assert compiled() == ["b.cc", "linked"]
    header.unlink()
    fake.act("")
    assert compiled() == ["b.cc", "linked"]


def test_what_compiles_is_kept_if_another_source_fails(fake: FakeCompiler, sources) -> None:
    fake.act("if [ $name != a.cc ]; then echo $name:1: error: bad; exit 1; fi")
    for _ in range(2):
        with pytest.raises(CompileError, match=r"^b\.cc:1: error: bad\n"):
            tain.cpp.build("partly", sources=sources)
    fake.compiled()
    fake.act("")
    tain.cpp.build("partly", sources=sources)
    assert fake.compiled() == ["b.cc", "c.cc", "linked"]


def test_a_source_that_changes_while_it_is_compiled(fake: FakeCompiler, sources) -> None:
    fake.act(f"[ $name = linked ] || echo more >> '{sources[0]}'")
    for _ in range(2):
        tain.cpp.build("moving", sources=sources[:1])
        assert fake.compiled() == ["a.cc", "linked"]
    fake.act("")
    for expected in (["a.cc", "linked"], []):
        tain.cpp.build("moving", sources=sources[:1])
        assert fake.compiled() == expected


def test_verbose_prints_commands_and_their_output(fake: FakeCompiler, sources, capfd) -> None:
    fake.act("echo a warning")
    for verbose in (False, True):
        tain.cpp.build(
            "talking", sources=sources[:1], extra_cflags=[f"-D{verbose}"], verbose=verbose
        )
        lines = capfd.readouterr().err.splitlines()
        if not verbose:
            assert lines == []
            continue
        assert [line.split()[0:3] for line in lines[0::2]] == [
            ["tain.cpp:", "$", str(fake.path)],
            ["tain.cpp:", "$", str(fake.path)],
            ["tain.cpp:", "built", "talking"],
        ]
        assert lines[1::2] == ["tain.cpp: a warning"] * 2


@pytest.mark.parametrize(
    ("terminal", "times", "shown"),
    [
        (True, [0, 0.5, 0.99, 0.99], ""),
        (True, [0, 1.2, 1.3, 2.5, 2.6, 3], "..1 s..2 s|"),
        (False, [0, 1.2, 2.5, 3, 4], ""),
    ],
)
def test_the_time_is_shown_after_a_second(monkeypatch, terminal, times, shown: str) -> None:
    import io

    from tain import _status_line
    from tain.cpp import _progress

    class Terminal(io.StringIO):
        encoding = "ascii"

        def isatty(self) -> bool:
            return terminal

    output, clock = Terminal(), iter(times)
    monkeypatch.setattr(sys, "stderr", output)
    monkeypatch.setattr(_status_line.time, "monotonic", lambda: next(clock))
    with _progress.Progress("slow", False, None) as progress:
        for _ in times[2:]:
            progress.tick("it compiled")
    monkeypatch.undo()
    text = output.getvalue().replace("\rtain.cpp: building slow ... ", "..")
    assert text.replace("\r\x1b[K", "|") == shown


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("#!/bin/sh\nexit 7\n", "returned non-zero exit status 7"),
        ("no program", "Exec format error"),
    ],
)
def test_compilers_that_do_not_run(fake: FakeCompiler, sources, text, reason, monkeypatch) -> None:
    other = fake.path.with_name("other")
    other.write_text(text)
    other.chmod(0o755)
    monkeypatch.setenv("CXX", str(other))
    with pytest.raises(RuntimeError, match=f"^tain.cpp: the compiler does not run: .*{reason}"):
        tain.cpp.build("unrun", sources=sources[:1])
    monkeypatch.setenv("CXX", "g++ '")
    with pytest.raises(RuntimeError, match=r"expected a command in CXX, got \"g\+\+ '\": No clos"):
        tain.cpp.build("unrun", sources=sources[:1])
