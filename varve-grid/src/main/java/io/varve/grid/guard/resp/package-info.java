/// The protocol of Redis: where a request ends, which command it calls, and the form of replies.
///
/// The commands themselves are in [io.varve.grid.guard.resp.command]. Here is
/// [io.varve.grid.guard.resp.PING] alone, whose reply depends on the version of the protocol.
@NullMarked
package io.varve.grid.guard.resp;

import org.jspecify.annotations.NullMarked;
