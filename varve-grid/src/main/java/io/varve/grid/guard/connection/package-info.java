/// What connections of all protocols share: how many there are, and what they hold. Requests run on
/// threads from here, and are refused by errors from here, with few lines of the log.
@NullMarked
package io.varve.grid.guard.connection;

import org.jspecify.annotations.NullMarked;
