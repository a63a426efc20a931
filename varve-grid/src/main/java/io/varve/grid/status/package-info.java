/// How far a node is, for operators and their probes: [io.varve.grid.status.NodeStatus] has its
/// phase and figures of its progress, [io.varve.grid.status.StatusPort] answers with them over
/// HTTP. Nothing here knows how a node starts, or what it keeps.
@NullMarked
package io.varve.grid.status;

import org.jspecify.annotations.NullMarked;
