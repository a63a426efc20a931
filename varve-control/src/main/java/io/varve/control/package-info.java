/// A socket by which the owner of a process looks into the stores that it has open, and the client
/// of it. Knows stores by their exported API; knows nothing of commands.
///
/// Entry classes: [io.varve.control.ControlSocket], [io.varve.control.ControlClient].
@NullMarked
package io.varve.control;

import org.jspecify.annotations.NullMarked;
