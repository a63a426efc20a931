/// Commands of Redis that a node has in place of those of Infinispan, or in addition to them.
///
/// A command is called as its class is, unless [io.varve.grid.guard.resp.RespCommands] gives it the
/// description of one of Infinispan's. What several of them do is in a class of its own, such as
/// [io.varve.grid.guard.resp.command.Expiry] and [io.varve.grid.guard.resp.command.Renaming].
@NullMarked
package io.varve.grid.guard.resp.command;

import org.jspecify.annotations.NullMarked;
