// SPDX-License-Identifier: Apache-2.0
// Box2D in Python, with nanobind: the library's own names.
#include <box2d/box2d.h>
#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/trampoline.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace {

struct PyContactListener : b2ContactListener {
  NB_TRAMPOLINE(b2ContactListener, 3);
  void BeginContact(b2Contact* contact) override { NB_OVERRIDE(BeginContact, contact); }
  void EndContact(b2Contact* contact) override { NB_OVERRIDE(EndContact, contact); }
  void PreSolve(b2Contact* contact, const b2Manifold* old_manifold) override {
    NB_OVERRIDE(PreSolve, contact, old_manifold);
  }
};
struct PyContactFilter : b2ContactFilter {
  NB_TRAMPOLINE(b2ContactFilter, 1);
  bool ShouldCollide(b2Fixture* a, b2Fixture* b) override { NB_OVERRIDE(ShouldCollide, a, b); }
};
struct PyQueryCallback : b2QueryCallback {
  NB_TRAMPOLINE(b2QueryCallback, 1);
  bool ReportFixture(b2Fixture* fixture) override { NB_OVERRIDE_PURE(ReportFixture, fixture); }
};
struct PyRayCastCallback : b2RayCastCallback {
  NB_TRAMPOLINE(b2RayCastCallback, 1);
  float ReportFixture(b2Fixture* fixture, const b2Vec2& point, const b2Vec2& normal,
                      float fraction) override {
    NB_OVERRIDE_PURE(ReportFixture, fixture, point, normal, fraction);
  }
};

}  // namespace

NB_MODULE(box2d_nb, m) {
  const auto inner = nb::rv_policy::reference_internal;

  nb::enum_<b2BodyType>(m, "BodyType")
      .value("STATIC", b2_staticBody)
      .value("KINEMATIC", b2_kinematicBody)
      .value("DYNAMIC", b2_dynamicBody);

  nb::class_<b2Vec2>(m, "Vec2")
      .def(nb::init<float, float>(), "x"_a, "y"_a)
      .def_rw("x", &b2Vec2::x)
      .def_rw("y", &b2Vec2::y)
      .def("Length", &b2Vec2::Length)
      .def("Normalize", &b2Vec2::Normalize)
      .def(nb::self + nb::self)
      .def(nb::self - nb::self)
      .def(float() * nb::self)
      .def(-nb::self)
      .def(nb::self == nb::self)
      .def("__repr__",
           [](const b2Vec2& v) { return nb::str("box2d.Vec2(x={}, y={})").format(v.x, v.y); });

  nb::class_<b2AABB>(m, "AABB")
      .def(
          "__init__",
          [](b2AABB* self, const b2Vec2& lower, const b2Vec2& upper) {
            new (self) b2AABB{lower, upper};
          },
          "lowerBound"_a, "upperBound"_a)
      .def_rw("lowerBound", &b2AABB::lowerBound)
      .def_rw("upperBound", &b2AABB::upperBound)
      .def("GetCenter", &b2AABB::GetCenter)
      .def("Contains", &b2AABB::Contains, "aabb"_a);

  nb::class_<b2Shape>(m, "Shape")
      .def_rw("radius", &b2Shape::m_radius)
      .def("GetChildCount", &b2Shape::GetChildCount);
  nb::class_<b2CircleShape, b2Shape>(m, "CircleShape")
      .def(nb::init<>())
      .def_rw("p", &b2CircleShape::m_p);
  nb::class_<b2PolygonShape, b2Shape>(m, "PolygonShape")
      .def(nb::init<>())
      .def("SetAsBox", nb::overload_cast<float, float>(&b2PolygonShape::SetAsBox), "hx"_a, "hy"_a)
      .def_ro("count", &b2PolygonShape::m_count);

  nb::class_<b2FixtureDef>(m, "FixtureDef")
      .def(nb::init<>())
      .def_prop_rw(
          "shape", [](const b2FixtureDef& def) { return def.shape; },
          [](b2FixtureDef& def, const b2Shape* shape) { def.shape = shape; },
          nb::for_setter(nb::keep_alive<1, 2>()))
      .def_rw("friction", &b2FixtureDef::friction)
      .def_rw("restitution", &b2FixtureDef::restitution)
      .def_rw("density", &b2FixtureDef::density)
      .def_rw("isSensor", &b2FixtureDef::isSensor);
  nb::class_<b2Fixture>(m, "Fixture")
      .def("GetShape", nb::overload_cast<>(&b2Fixture::GetShape), inner)
      .def("GetBody", nb::overload_cast<>(&b2Fixture::GetBody), inner)
      .def("GetDensity", &b2Fixture::GetDensity)
      .def("IsSensor", &b2Fixture::IsSensor)
      .def("SetSensor", &b2Fixture::SetSensor, "sensor"_a)
      .def("TestPoint", &b2Fixture::TestPoint, "p"_a);

  nb::class_<b2BodyDef>(m, "BodyDef")
      .def(nb::init<>())
      .def_rw("type", &b2BodyDef::type)
      .def_rw("position", &b2BodyDef::position)
      .def_rw("angle", &b2BodyDef::angle)
      .def_rw("linearVelocity", &b2BodyDef::linearVelocity)
      .def_rw("bullet", &b2BodyDef::bullet);
  nb::class_<b2Body>(m, "Body")
      .def("CreateFixture", nb::overload_cast<const b2FixtureDef*>(&b2Body::CreateFixture),
           "definition"_a, inner)
      .def("CreateFixture", nb::overload_cast<const b2Shape*, float>(&b2Body::CreateFixture),
           "shape"_a, "density"_a, inner)
      .def("DestroyFixture", &b2Body::DestroyFixture, "fixture"_a)
      .def("GetPosition", &b2Body::GetPosition, inner)
      .def("GetAngle", &b2Body::GetAngle)
      .def("SetTransform", &b2Body::SetTransform, "position"_a, "angle"_a)
      .def("GetLinearVelocity", &b2Body::GetLinearVelocity, inner)
      .def("SetLinearVelocity", &b2Body::SetLinearVelocity, "v"_a)
      .def("ApplyForceToCenter", &b2Body::ApplyForceToCenter, "force"_a, "wake"_a = true)
      .def("GetMass", &b2Body::GetMass)
      .def("GetType", &b2Body::GetType)
      .def("GetFixtureList", nb::overload_cast<>(&b2Body::GetFixtureList), inner)
      .def("GetNext", nb::overload_cast<>(&b2Body::GetNext), inner)
      .def("GetWorld", nb::overload_cast<>(&b2Body::GetWorld), inner);

  nb::class_<b2Manifold>(m, "Manifold").def_ro("pointCount", &b2Manifold::pointCount);
  nb::class_<b2Contact>(m, "Contact")
      .def("GetFixtureA", nb::overload_cast<>(&b2Contact::GetFixtureA), inner)
      .def("GetFixtureB", nb::overload_cast<>(&b2Contact::GetFixtureB), inner)
      .def("IsTouching", &b2Contact::IsTouching)
      .def("SetEnabled", &b2Contact::SetEnabled, "flag"_a);

  nb::class_<b2ContactListener, PyContactListener>(m, "ContactListener")
      .def(nb::init<>())
      .def("BeginContact", &b2ContactListener::BeginContact, "contact"_a)
      .def("EndContact", &b2ContactListener::EndContact, "contact"_a)
      .def("PreSolve", &b2ContactListener::PreSolve, "contact"_a, "oldManifold"_a);
  nb::class_<b2ContactFilter, PyContactFilter>(m, "ContactFilter")
      .def(nb::init<>())
      .def("ShouldCollide", &b2ContactFilter::ShouldCollide, "fixtureA"_a, "fixtureB"_a);
  nb::class_<b2QueryCallback, PyQueryCallback>(m, "QueryCallback")
      .def(nb::init<>())
      .def("ReportFixture", &b2QueryCallback::ReportFixture, "fixture"_a);
  nb::class_<b2RayCastCallback, PyRayCastCallback>(m, "RayCastCallback")
      .def(nb::init<>())
      .def("ReportFixture", &b2RayCastCallback::ReportFixture, "fixture"_a, "point"_a, "normal"_a,
           "fraction"_a);

  nb::class_<b2World>(m, "World")
      .def(nb::init<const b2Vec2&>(), "gravity"_a)
      .def("SetContactListener", &b2World::SetContactListener, "listener"_a, nb::keep_alive<1, 2>())
      .def("SetContactFilter", &b2World::SetContactFilter, "filter"_a, nb::keep_alive<1, 2>())
      .def("CreateBody", &b2World::CreateBody, "definition"_a, inner)
      .def("DestroyBody", &b2World::DestroyBody, "body"_a)
      .def("Step", &b2World::Step, "timeStep"_a, "velocityIterations"_a = 8,
           "positionIterations"_a = 3)
      .def("QueryAABB", &b2World::QueryAABB, "callback"_a, "aabb"_a)
      .def("RayCast", &b2World::RayCast, "callback"_a, "point1"_a, "point2"_a)
      .def("GetBodyList", nb::overload_cast<>(&b2World::GetBodyList), inner)
      .def("GetBodyCount", &b2World::GetBodyCount)
      .def("GetContactCount", &b2World::GetContactCount)
      .def_prop_rw("gravity", &b2World::GetGravity, &b2World::SetGravity);
}
