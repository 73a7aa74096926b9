# SPDX-License-Identifier: Apache-2.0
"""Box2D with tain and with nanobind: what the library calls in Python, identity, what is kept."""

from __future__ import annotations

import gc
import sys
import weakref
from typing import Any

import pytest


@pytest.fixture(scope="module", params=["tain", "nanobind"])
def box2d(request: pytest.FixtureRequest, binding: Any) -> Any:
    return binding("box2d", request.param)


def circle(box2d: Any, radius: float) -> Any:
    shape = box2d.CircleShape()
    shape.radius = radius
    return shape


def ball(box2d: Any, world: Any, x: float, y: float) -> Any:
    definition = box2d.BodyDef()
    definition.type = box2d.BodyType.DYNAMIC
    definition.position = box2d.Vec2(x, y)
    body = world.CreateBody(definition)
    body.CreateFixture(circle(box2d, 0.5), density=1)
    return body


def ground(box2d: Any, world: Any) -> Any:
    body = world.CreateBody(box2d.BodyDef())
    box = box2d.PolygonShape()
    box.SetAsBox(hx=50, hy=1)
    body.CreateFixture(box, 0)
    return body


def fall(world: Any, steps: int = 120) -> None:
    for _ in range(steps):
        world.Step(1 / 60)


def test_vectors(box2d: Any) -> None:
    a, b = box2d.Vec2(3, 4), box2d.Vec2(x=1, y=0.5)
    assert a.Length() == 5 and a + b == box2d.Vec2(4, 4.5) and a - b == box2d.Vec2(2, 3.5)
    assert 2 * a == box2d.Vec2(6, 8) and -b == box2d.Vec2(-1, -0.5) and a != b
    assert repr(a) == "box2d.Vec2(x=3.0, y=4.0)"
    a.x = -1
    assert (a.x, a.y) == (-1, 4)
    with pytest.raises(TypeError):
        box2d.Vec2("x", 1)


def test_a_ball_falls_on_the_ground(box2d: Any) -> None:
    world = box2d.World(box2d.Vec2(0, -10))
    body, floor = ball(box2d, world, 0, 5), ground(box2d, world)
    assert body.GetMass() == pytest.approx(0.7854, abs=1e-4)
    fall(world, 180)
    assert body.GetPosition().y == pytest.approx(1.5, abs=0.02)
    assert (world.GetBodyCount(), world.GetContactCount()) == (2, 1)
    assert (floor.GetType(), body.GetType()) == (box2d.BodyType.STATIC, box2d.BodyType.DYNAMIC)


def test_one_object_of_the_library_is_one_of_python(box2d: Any) -> None:
    world = box2d.World(gravity=box2d.Vec2(0, 0))
    first, second = ball(box2d, world, 0, 0), ball(box2d, world, 9, 0)
    assert world.GetBodyList() is second and second.GetNext() is first and first.GetNext() is None
    assert first.GetWorld() is world
    fixture = first.GetFixtureList()
    assert fixture.GetBody() is first and fixture is first.GetFixtureList()
    assert len({first, second, fixture.GetBody()}) == 2


def test_a_shape_has_its_own_class(box2d: Any) -> None:
    world = box2d.World(box2d.Vec2(0, 0))
    shape = ball(box2d, world, 0, 0).GetFixtureList().GetShape()
    assert type(shape) is box2d.CircleShape and isinstance(shape, box2d.Shape)
    assert shape.radius == 0.5 and shape.GetChildCount() == 1
    assert type(ground(box2d, world).GetFixtureList().GetShape()) is box2d.PolygonShape
    with pytest.raises(TypeError):
        box2d.Shape()


def test_fields_are_the_objects_own(box2d: Any) -> None:
    definition = box2d.BodyDef()
    definition.position.x = 7
    assert definition.position.x == 7
    world = box2d.World(box2d.Vec2(0, 0))
    body = world.CreateBody(definition)
    position = body.GetPosition()
    body.SetTransform(box2d.Vec2(1, 2), 0.5)
    assert (position.x, position.y) == (1, 2)  # a reference
    assert body.GetAngle() == 0.5
    world.gravity = box2d.Vec2(0, -1)
    assert world.gravity == box2d.Vec2(0, -1)


def test_members_keep_the_world(box2d: Any) -> None:
    world = box2d.World(box2d.Vec2(0, -10))
    fixture = ball(box2d, world, 0, 3).GetFixtureList()
    del world
    gc.collect()
    assert fixture.GetBody().GetPosition().y == 3
    fall(fixture.GetBody().GetWorld(), 30)
    assert fixture.GetBody().GetPosition().y < 3


def test_a_definition_keeps_its_shape(box2d: Any) -> None:
    world = box2d.World(box2d.Vec2(0, 0))
    definition = box2d.FixtureDef()
    assert definition.shape is None
    definition.shape = circle(box2d, 2)
    definition.density, definition.isSensor = 0.5, True
    gc.collect()
    assert definition.shape.radius == 2
    fixture = ball(box2d, world, 0, 0).CreateFixture(definition)
    assert (fixture.GetDensity(), fixture.IsSensor()) == (0.5, True)
    assert fixture.TestPoint(box2d.Vec2(0, 1.9)) and not fixture.TestPoint(box2d.Vec2(0, 2.1))


def test_contacts_are_told_to_python(box2d: Any) -> None:
    world = box2d.World(box2d.Vec2(0, -10))
    kept = [ball(box2d, world, 0, 3), ground(box2d, world)]

    class Listener(box2d.ContactListener):
        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name
            self.told: list[Any] = []

        def BeginContact(self, contact: Any) -> None:
            bodies = {contact.GetFixtureA().GetBody(), contact.GetFixtureB().GetBody()}
            self.told.append((self.name, {body.GetType() for body in bodies}))

        def PreSolve(self, contact: Any, oldManifold: Any) -> None:
            self.told.append(oldManifold.pointCount)
            super().PreSolve(contact, oldManifold)

    listener = Listener("first")
    world.SetContactListener(listener)
    fall(world)
    assert listener.told[0] == ("first", {body.GetType() for body in kept})
    assert set(listener.told[1:]) == {0, 1}


def test_the_world_keeps_what_it_calls(box2d: Any) -> None:
    """Only C++ has the listener; it is still the object of Python, with its attributes."""
    world = box2d.World(box2d.Vec2(0, -10))
    ball(box2d, world, 0, 2), ground(box2d, world)
    told = []

    class Listener(box2d.ContactListener):
        def __init__(self) -> None:
            super().__init__()
            self.word = "touched"

        def BeginContact(self, contact: Any) -> None:
            told.append(self.word)

    world.SetContactListener(Listener())
    gc.collect()
    fall(world)
    assert told == ["touched"]


def test_a_filter_lets_the_ball_through(box2d: Any) -> None:
    class Filter(box2d.ContactFilter):
        def ShouldCollide(self, fixtureA: Any, fixtureB: Any) -> bool:
            return super().ShouldCollide(fixtureA, fixtureB) and not self.open

        open = True

    for is_open in (True, False):
        world = box2d.World(box2d.Vec2(0, -10))
        body = ball(box2d, world, 0, 3)
        ground(box2d, world)
        chosen = Filter()
        chosen.open = is_open
        world.SetContactFilter(chosen)
        fall(world, 180)
        assert (body.GetPosition().y < 0) == is_open


def test_a_contact_can_be_switched_off(box2d: Any) -> None:
    class OneWay(box2d.ContactListener):
        def PreSolve(self, contact: Any, oldManifold: Any) -> None:
            contact.SetEnabled(False)

    world = box2d.World(box2d.Vec2(0, -10))
    body = ball(box2d, world, 0, 3)
    ground(box2d, world)
    world.SetContactListener(OneWay())
    fall(world, 180)
    assert body.GetPosition().y < 0


def everything(box2d: Any) -> Any:
    return box2d.AABB(box2d.Vec2(-100, -100), upperBound=box2d.Vec2(100, 100))


def test_a_query_reports_until_it_has_enough(box2d: Any) -> None:
    world = box2d.World(box2d.Vec2(0, 0))
    bodies = [ball(box2d, world, 2 * i, 0) for i in range(10)]

    class Count(box2d.QueryCallback):
        def __init__(self, most: int) -> None:
            super().__init__()
            self.found: list[Any] = []
            self.most = most

        def ReportFixture(self, fixture: Any) -> bool:
            self.found.append(fixture.GetBody())
            return len(self.found) < self.most

    for most, expected in ((99, 10), (3, 3)):
        callback = Count(most)
        world.QueryAABB(callback, everything(box2d))
        assert len(set(callback.found)) == expected and set(callback.found) <= set(bodies)
    area = box2d.AABB(box2d.Vec2(3.9, -1), box2d.Vec2(6.1, 1))
    callback = Count(99)
    world.QueryAABB(callback, area)
    assert {body.GetPosition().x for body in callback.found} == {4, 6}


def test_a_ray_finds_the_nearest(box2d: Any) -> None:
    world = box2d.World(box2d.Vec2(0, 0))
    kept = [ball(box2d, world, 2 * i, 0) for i in range(1, 4)]

    class Nearest(box2d.RayCastCallback):
        def ReportFixture(self, fixture: Any, point: Any, normal: Any, fraction: float) -> float:
            self.hit = (fixture.GetBody(), point.x, normal.x, fraction)
            return fraction

    callback = Nearest()
    world.RayCast(callback, box2d.Vec2(0, 0), box2d.Vec2(10, 0))
    body, x, normal, fraction = callback.hit
    assert body is kept[0]
    assert (x, normal, fraction) == (pytest.approx(1.5), pytest.approx(-1), pytest.approx(0.15))


@pytest.mark.parametrize("result", ["no bool", None, []])
def test_a_wrong_result_of_an_override(box2d: Any, result: Any) -> None:
    world = box2d.World(box2d.Vec2(0, 0))
    body = ball(box2d, world, 0, 0)

    class Wrong(box2d.QueryCallback):
        def ReportFixture(self, fixture: Any) -> Any:
            return result

    with pytest.raises((TypeError, RuntimeError)):
        world.QueryAABB(Wrong(), everything(box2d))
    assert body.GetPosition().x == 0


def test_an_exception_of_an_override_comes_out(box2d: Any) -> None:
    world = box2d.World(box2d.Vec2(0, 0))
    body = ball(box2d, world, 0, 0)

    class Raises(box2d.QueryCallback):
        def ReportFixture(self, fixture: Any) -> bool:
            raise LookupError("of Python")

    with pytest.raises(LookupError, match="of Python"):
        world.QueryAABB(Raises(), everything(box2d))
    assert world.GetBodyCount() == 1 and body.GetNext() is None


def test_a_missing_override(box2d: Any) -> None:
    world = box2d.World(box2d.Vec2(0, 0))
    body = ball(box2d, world, 0, 0)

    class Empty(box2d.QueryCallback):
        pass

    with pytest.raises(RuntimeError):  # NotImplementedError is one
        world.QueryAABB(Empty(), everything(box2d))
    assert body.GetType() == box2d.BodyType.DYNAMIC


def test_nothing_stays(box2d: Any) -> None:
    """A world, its listener and what the library gave of them end."""
    ended = []

    class Listener(box2d.ContactListener):
        def BeginContact(self, contact: Any) -> None:
            contact.GetFixtureA()

    world = box2d.World(box2d.Vec2(0, -10))
    ball(box2d, world, 0, 2), ground(box2d, world)
    listener = Listener()
    weakref.finalize(listener, ended.append, "listener")
    world.SetContactListener(listener)
    fall(world)
    del listener
    gc.collect()
    assert ended == []
    del world
    gc.collect()
    assert ended == ["listener"]


def test_calls_do_not_gather_memory(box2d: Any) -> None:
    """A body copies the vectors that it is given each step, so nothing keeps them."""
    world = box2d.World(box2d.Vec2(0, 0))
    body = ball(box2d, world, 0, 0)

    def move(times: int) -> None:
        for _ in range(times):
            body.SetLinearVelocity(box2d.Vec2(1, 2))
            body.ApplyForceToCenter(box2d.Vec2(1, 2))
            world.gravity = box2d.Vec2(0, -1)

    move(100)
    before = sys.getallocatedblocks()
    move(10000)
    assert sys.getallocatedblocks() - before < 1000
    assert body.GetLinearVelocity() == box2d.Vec2(1, 2)
