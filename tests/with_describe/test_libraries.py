# SPDX-License-Identifier: Apache-2.0
"""Libraries that nobody here wrote, described from their headers and used from Python.

Each has a file of settings in libraries/, and a job that its own tutorial shows.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

HERE = Path(__file__).parent
#: the name of the settings, a header, the linker's option, the least share of members that cross
LIBRARIES = {
    "pugixml": ("pugixml.hpp", "-lpugixml", 85),
    "tinyxml2": ("tinyxml2.h", "-ltinyxml2", 85),
    "re2": ("re2/re2.h", "-lre2", 85),
    "yaml_cpp": ("yaml-cpp/yaml.h", "-lyaml-cpp", 85),
    "box2d": ("box2d/box2d.h", "-lbox2d", 85),
}
HERE_ARE = [name for name, row in LIBRARIES.items() if Path("/usr/include", row[0]).exists()]

JOBS = {
    "pugixml": """
        from tain.types import pugixml as px

        document = px.xml_document()
        nodes = "<node a='1'>one</node><node a='2'/>"
        result = document.load_string(f"<mesh name='root'>{nodes}</mesh>")
        assert result and result.description() == "No error"
        mesh = document.child("mesh")
        assert mesh.attribute("name").value() == "root"
        assert [n.attribute("a").as_int() for n in mesh.children()] == [1, 2]
        assert not mesh.child("none") and mesh.child("node").child_value() == "one"
        mesh.append_child("new").append_attribute("k").set_value("v")
        assert document.select_node("/mesh/new[@k='v']").node().name() == "new"


        class Names(px.xml_tree_walker):
            def __init__(self):
                super().__init__()
                self.seen = []

            def for_each(self, node):
                self.seen.append(node.name())
                return True


        names = Names()
        assert document.traverse(names) and names.seen == ["mesh", "node", "", "node", "new"]
        assert not document.load_string("<a>")
    """,
    "tinyxml2": """
        from tain.types import tinyxml2 as tx

        document = tx.XMLDocument()
        error = document.Parse("<play><title>Hamlet</title><act n='3' x='1.5'/></play>")
        assert error == tx.XMLError.XML_SUCCESS
        play = document.FirstChildElement("play")
        assert play.FirstChildElement("title").GetText() == "Hamlet"
        act = play.FirstChildElement("act")
        assert act.QueryIntAttribute("n") == (tx.XMLError.XML_SUCCESS, 3)
        assert act.QueryIntAttribute("m")[0] == tx.XMLError.XML_NO_ATTRIBUTE
        assert act.DoubleAttribute("x") == 1.5 and act.FirstChildElement() is None


        class Names(tx.XMLVisitor):
            def __init__(self):
                super().__init__()
                self.seen = []

            def VisitEnter(self, *arguments):
                if isinstance(arguments[0], tx.XMLElement):
                    self.seen.append(arguments[0].Name())
                return True


        names = Names()
        assert document.Accept(names) and names.seen == ["play", "title", "act"]
    """,
    "re2": """
        from tain.types import re2

        pattern = re2.RE2("(?P<first>h+)(\\\\w+)")
        assert pattern.ok() and pattern.NumberOfCapturingGroups() == 2
        assert pattern.pattern() == "(?P<first>h+)(\\\\w+)"
        assert pattern.NamedCapturingGroups() == {"first": 1} and pattern.ProgramSize() > 3
        assert pattern.error() == "" and pattern.error_code() == re2.RE2.ErrorCode.NoError
        options = re2.RE2.Options()
        assert options.case_sensitive() and options.max_mem() > 1000
        options.set_case_sensitive(False)
        assert not options.case_sensitive() and pattern.options().case_sensitive()
        several = re2.RE2.Set(options, re2.RE2.Anchor.UNANCHORED)
        assert several.Compile()
    """,
    "yaml_cpp": """
        from tain.types import yaml_cpp as yaml

        node = yaml.Load("{name: tain, parts: [core, bridge]}")
        assert node.IsMap() and node.size() == 2 and node.Type() == yaml.NodeType.value.Map
        assert yaml.Dump(node) == "{name: tain, parts: [core, bridge]}"
        parts = node["parts"]
        assert parts.IsSequence() and parts.size() == 2 and parts[1].as_str() == "bridge"
        parts.push_back(yaml.Load("more"))
        assert node["parts"].size() == 3
        emitter = yaml.Emitter()
        emitter << node
        assert emitter.good() and "more" in emitter.c_str()
        try:
            yaml.Load("{")
        except yaml.ParserException as error:
            assert error.mark.line == 0 and "end of map" in str(error)
        else:
            raise AssertionError("no error")
    """,
    "box2d": """
        import gc

        from tain.types import box2d as b2


        class Contacts(b2.b2ContactListener):
            def __init__(self):
                super().__init__()
                self.begun = 0

            def BeginContact(self, contact):
                assert contact.IsTouching()
                self.begun += 1


        world = b2.b2World(b2.b2Vec2(0.0, -10.0))
        ground = world.CreateBody(b2.b2BodyDef())
        floor = b2.b2PolygonShape()
        floor.SetAsBox(50.0, 1.0)
        ground.CreateFixture(floor, 0.0)
        boxes = []
        for level in range(4):
            definition = b2.b2BodyDef()
            definition.type = b2.b2BodyType.b2_dynamicBody
            definition.position.Set(0.0, 2.5 + 2.5 * level)
            body = world.CreateBody(definition)
            shape = b2.b2PolygonShape()
            shape.SetAsBox(1.0, 1.0)
            body.CreateFixture(shape, 1.0)
            boxes.append(body)
        contacts = Contacts()
        world.SetContactListener(contacts)
        gc.collect()
        for _ in range(300):
            world.Step(1 / 60, 8, 3)
        heights = [box.GetPosition().y for box in boxes]
        assert all(abs(y - (2 + 2 * n)) < 0.1 for n, y in enumerate(heights)), heights
        assert contacts.begun >= 4 and world.GetBodyCount() == 5
    """,
}


@pytest.mark.parametrize("name", HERE_ARE)
def test_library(
    name: str, tmp_path: Path, describe: Callable[..., Any], compiled: Callable[..., Path]
) -> None:
    settings = HERE / "libraries" / f"{name}.toml"
    assert len(settings.read_text().splitlines()) <= 30
    _, option, least = LIBRARIES[name]
    result = describe("--settings", settings, "-o", f"{name}.cc", folder=tmp_path)
    assert result.returncode == 0, result.stderr
    crossed, total = (int(one) for one in result.stderr.split(" members")[0].split(" of "))
    assert 100 * crossed >= least * total, result.stderr
    library = compiled(tmp_path / f"{name}.cc", option)
    program = f"import tain\n\ntain.load_library({str(library)!r})\n{dedent(JOBS[name])}"
    run = subprocess.run(
        [sys.executable, "-X", "dev", "-c", program], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0 and not run.stderr, run.stderr
