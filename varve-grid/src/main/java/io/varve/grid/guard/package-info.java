/// What is between a connection and Infinispan's endpoints: which clients may connect, how much of
/// a request is held, which requests of a browser are taken, and what no client may ask for.
///
/// [io.varve.grid.guard.Door] is the entry: it is closed until the caches of a node run. It puts a
/// [io.varve.grid.guard.connection.Connection] in front of each connection, and the handlers of its
/// protocol ([io.varve.grid.guard.Protocols]). It is reached through the event loops, a component
/// that Infinispan lets others make. Nothing here knows how a node starts.
///
/// Each protocol has a package: [io.varve.grid.guard.http], [io.varve.grid.guard.hotrod],
/// [io.varve.grid.guard.memcached] and [io.varve.grid.guard.resp]. They stand on what they share:
/// [io.varve.grid.guard.login], [io.varve.grid.guard.entry] and [io.varve.grid.guard.connection].
@NullMarked
package io.varve.grid.guard;

import org.jspecify.annotations.NullMarked;
