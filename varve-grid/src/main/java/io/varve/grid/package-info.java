/// The commands that need Infinispan: [io.varve.grid.Main] runs them. They turn what a user types
/// into the configuration of a node. They know nothing of how a node runs, of users, or of other
/// nodes: that is for the packages below.
@NullMarked
package io.varve.grid;

import org.jspecify.annotations.NullMarked;
