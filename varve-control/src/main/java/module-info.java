/// A socket by which the owner of a process looks into the stores that it has open:
/// [io.varve.control.ControlSocket].
module io.varve.control {
  requires transitive io.varve;
  requires tools.jackson.core;
  requires tools.jackson.databind;
  requires jdk.net; // reports which user is at the other end of a socket
  requires java.management; // reports how much heap there is
  requires static io.varve.json;
  requires static io.varve.query;
  requires static org.jspecify;

  exports io.varve.control;

  opens io.varve.control to
      tools.jackson.databind;
  opens io.varve.control.internal to
      tools.jackson.databind;
}
