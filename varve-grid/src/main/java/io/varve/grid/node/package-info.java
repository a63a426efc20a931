/// A node: Infinispan's server, with its endpoints and console, over caches that persist in Varve.
/// [io.varve.grid.node.Node] is one that runs. The settings of the server are in the layers of a
/// [io.varve.grid.node.NodeConfiguration]; a [io.varve.grid.node.CacheContainer] is the one that
/// sets how caches are stored, here or on other nodes too. `NodeDirectory` knows where files are.
///
/// Nothing here speaks a protocol or keeps an entry: Infinispan and `varve-infinispan` do. Nothing
/// knows of commands.
@NullMarked
package io.varve.grid.node;

import org.jspecify.annotations.NullMarked;
