/// The control socket from within: where it is ([io.varve.control.internal.SocketPlace]), what is
/// sent ([io.varve.control.internal.FrameInput], [io.varve.control.internal.FrameOutput]), and the
/// answer to one request ([io.varve.control.internal.Session]). A session locks nothing; the lock
/// of its [io.varve.control.internal.Deadline] is taken last.
@NullMarked
package io.varve.control.internal;

import org.jspecify.annotations.NullMarked;
