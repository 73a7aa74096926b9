// SPDX-License-Identifier: Apache-2.0
// Box2D in Python, with tain: the library's own names.
#include <box2d/box2d.h>
#include <tain/boxed.h>
#include <tain/tain.h>

namespace {

struct PyContactListener : tain::Overrides<b2ContactListener> {
  using Overrides::Overrides;
  TAIN_OVERRIDE(void, BeginContact, b2Contact*)
  TAIN_OVERRIDE(void, EndContact, b2Contact*)
  TAIN_OVERRIDE(void, PreSolve, b2Contact*, const b2Manifold*)
};
struct PyContactFilter : tain::Overrides<b2ContactFilter> {
  using Overrides::Overrides;
  TAIN_OVERRIDE(bool, ShouldCollide, b2Fixture*, b2Fixture*)
};
struct PyQueryCallback : tain::Overrides<b2QueryCallback> {
  using Overrides::Overrides;
  TAIN_OVERRIDE_PURE(bool, ReportFixture, b2Fixture*)
};
struct PyRayCastCallback : tain::Overrides<b2RayCastCallback> {
  using Overrides::Overrides;
  TAIN_OVERRIDE_PURE(float, ReportFixture, b2Fixture*, const b2Vec2&, const b2Vec2&, float)
};

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  using tain::Boxed;
  using tain::boxed_base;

  // Not tain::thread_safe(): a step changes everything in a world.
  refl::EnumDef<b2BodyType>("box2d.BodyType")
      .value("STATIC", b2_staticBody)
      .value("KINEMATIC", b2_kinematicBody)
      .value("DYNAMIC", b2_dynamicBody);

  refl::ObjectDef<Boxed<b2Vec2>>("box2d.Vec2", tain::eq())
      .def_init<float, float>(arg("x"), arg("y"))
      .def_rw("x", &b2Vec2::x)
      .def_rw("y", &b2Vec2::y)
      .def("Length", &b2Vec2::Length)
      .def("Normalize", &b2Vec2::Normalize)
      .def("__add__", [](const b2Vec2& a, const b2Vec2& b) { return a + b; })
      .def("__sub__", [](const b2Vec2& a, const b2Vec2& b) { return a - b; })
      .def("__rmul__", [](const b2Vec2& a, float s) { return s * a; })
      .def("__neg__", [](const b2Vec2& a) { return -a; });

  refl::ObjectDef<Boxed<b2AABB>>("box2d.AABB")
      .def_static(
          "__create__",
          [](const b2Vec2& lower, const b2Vec2& upper) { return b2AABB{lower, upper}; },
          arg("lowerBound"), arg("upperBound"))
      .def_rw("lowerBound", &b2AABB::lowerBound)
      .def_rw("upperBound", &b2AABB::upperBound)
      .def("GetCenter", &b2AABB::GetCenter)
      .def("Contains", &b2AABB::Contains, arg("aabb"));

  refl::ObjectDef<Boxed<b2Shape>>("box2d.Shape")
      .def_rw("radius", &b2Shape::m_radius)
      .def("GetChildCount", &b2Shape::GetChildCount);
  refl::ObjectDef<Boxed<b2CircleShape>>("box2d.CircleShape", boxed_base<b2Shape>())
      .def_init<>()
      .def_rw("p", &b2CircleShape::m_p);
  refl::ObjectDef<Boxed<b2PolygonShape>>("box2d.PolygonShape", boxed_base<b2Shape>())
      .def_init<>()
      .def("SetAsBox", tain::overload_cast<float, float>(&b2PolygonShape::SetAsBox), arg("hx"),
           arg("hy"))
      .def_ro("count", &b2PolygonShape::m_count);

  tain::declare_boxed<b2Body>("box2d.Body");
  tain::declare_boxed<b2World>("box2d.World");
  refl::ObjectDef<Boxed<b2FixtureDef>>("box2d.FixtureDef")
      .def_init<>()
      .def_property(
          "shape", [](const b2FixtureDef& def) { return def.shape; },
          [](b2FixtureDef& def, const b2Shape* shape) { def.shape = shape; })
      .def_rw("friction", &b2FixtureDef::friction)
      .def_rw("restitution", &b2FixtureDef::restitution)
      .def_rw("density", &b2FixtureDef::density)
      .def_rw("isSensor", &b2FixtureDef::isSensor);
  refl::ObjectDef<Boxed<b2Fixture>>("box2d.Fixture")
      .def("GetShape", tain::overload_cast<>(&b2Fixture::GetShape))
      .def("GetBody", tain::overload_cast<>(&b2Fixture::GetBody))
      .def("GetDensity", &b2Fixture::GetDensity)
      .def("IsSensor", &b2Fixture::IsSensor)
      .def("SetSensor", &b2Fixture::SetSensor, arg("sensor"))
      .def("TestPoint", &b2Fixture::TestPoint, arg("p"));

  refl::ObjectDef<Boxed<b2BodyDef>>("box2d.BodyDef")
      .def_init<>()
      .def_rw("type", &b2BodyDef::type)
      .def_rw("position", &b2BodyDef::position)
      .def_rw("angle", &b2BodyDef::angle)
      .def_rw("linearVelocity", &b2BodyDef::linearVelocity)
      .def_rw("bullet", &b2BodyDef::bullet);
  refl::ObjectDef<Boxed<b2Body>>("box2d.Body")
      .def("CreateFixture", tain::overload_cast<const b2FixtureDef*>(&b2Body::CreateFixture),
           arg("definition"))
      .def("CreateFixture", tain::overload_cast<const b2Shape*, float>(&b2Body::CreateFixture),
           arg("shape"), arg("density"))
      .def("DestroyFixture", &b2Body::DestroyFixture, arg("fixture"), tain::no_keep_alive())
      .def("GetPosition", &b2Body::GetPosition)
      .def("GetAngle", &b2Body::GetAngle)
      .def("SetTransform", &b2Body::SetTransform, arg("position"), arg("angle"))
      .def("GetLinearVelocity", &b2Body::GetLinearVelocity)
      .def("SetLinearVelocity", &b2Body::SetLinearVelocity, arg("v"))
      .def("ApplyForceToCenter", &b2Body::ApplyForceToCenter, arg("force"), arg("wake") = true)
      .def("GetMass", &b2Body::GetMass)
      .def("GetType", &b2Body::GetType)
      .def("GetFixtureList", tain::overload_cast<>(&b2Body::GetFixtureList))
      .def("GetNext", tain::overload_cast<>(&b2Body::GetNext))
      .def("GetWorld", tain::overload_cast<>(&b2Body::GetWorld));

  refl::ObjectDef<Boxed<b2Manifold>>("box2d.Manifold")
      .def_ro("pointCount", &b2Manifold::pointCount);
  refl::ObjectDef<Boxed<b2Contact>>("box2d.Contact")
      .def("GetFixtureA", tain::overload_cast<>(&b2Contact::GetFixtureA))
      .def("GetFixtureB", tain::overload_cast<>(&b2Contact::GetFixtureB))
      .def("IsTouching", &b2Contact::IsTouching)
      .def("SetEnabled", &b2Contact::SetEnabled, arg("flag"));

  refl::ObjectDef<Boxed<b2ContactListener, PyContactListener>>("box2d.ContactListener")
      .def_init<>()
      .def("BeginContact", &b2ContactListener::BeginContact, arg("contact"))
      .def("EndContact", &b2ContactListener::EndContact, arg("contact"))
      .def("PreSolve", &b2ContactListener::PreSolve, arg("contact"), arg("oldManifold"));
  refl::ObjectDef<Boxed<b2ContactFilter, PyContactFilter>>("box2d.ContactFilter")
      .def_init<>()
      .def("ShouldCollide", &b2ContactFilter::ShouldCollide, arg("fixtureA"), arg("fixtureB"));
  refl::ObjectDef<Boxed<b2QueryCallback, PyQueryCallback>>("box2d.QueryCallback")
      .def_init<>()
      .def("ReportFixture", &b2QueryCallback::ReportFixture, arg("fixture"));
  refl::ObjectDef<Boxed<b2RayCastCallback, PyRayCastCallback>>("box2d.RayCastCallback")
      .def_init<>()
      .def("ReportFixture", &b2RayCastCallback::ReportFixture, arg("fixture"), arg("point"),
           arg("normal"), arg("fraction"));

  refl::ObjectDef<Boxed<b2World>>("box2d.World")
      .def_init<const b2Vec2&>(arg("gravity"))
      .def("SetContactListener", &b2World::SetContactListener, arg("listener"))
      .def("SetContactFilter", &b2World::SetContactFilter, arg("filter"))
      .def("CreateBody", &b2World::CreateBody, arg("definition"))
      .def("DestroyBody", &b2World::DestroyBody, arg("body"), tain::no_keep_alive())
      .def("Step", &b2World::Step, arg("timeStep"), arg("velocityIterations") = 8,
           arg("positionIterations") = 3)
      .def("QueryAABB", &b2World::QueryAABB, arg("callback"), arg("aabb"))
      .def("RayCast", &b2World::RayCast, arg("callback"), arg("point1"), arg("point2"))
      .def("GetBodyList", tain::overload_cast<>(&b2World::GetBodyList))
      .def("GetBodyCount", &b2World::GetBodyCount)
      .def("GetContactCount", &b2World::GetContactCount)
      .def_property("gravity", &b2World::GetGravity, &b2World::SetGravity);
}

}  // namespace
