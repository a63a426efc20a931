/// A node: Infinispan's server, with its endpoints and console, over caches that persist in Varve.
/// [io.varve.grid.Main] is the command; [io.varve.grid.Node] is a node that runs. What the server
/// is told is in the layers of a [io.varve.grid.NodeConfiguration]; [io.varve.grid.CacheContainer]
/// is the one that says how caches lie, here or on other nodes too. `NodeDirectory` knows where
/// files are.
///
/// Nothing here speaks a protocol or keeps an entry: Infinispan and `varve-infinispan` do.
@NullMarked
package io.varve.grid;

import org.jspecify.annotations.NullMarked;
