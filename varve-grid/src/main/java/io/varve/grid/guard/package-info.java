/// What is between a connection and Infinispan's endpoints: which clients may connect, how much of
/// a request is held, which requests of a browser are taken, and what no client may ask for.
///
/// [io.varve.grid.guard.Door] is the entry: it is closed until the caches of a node run, and puts a
/// [io.varve.grid.guard.Connection] in front of each connection. It is reached through the event
/// loops, a component that Infinispan lets others make. Nothing here knows how a node starts.
@NullMarked
package io.varve.grid.guard;

import org.jspecify.annotations.NullMarked;
