/// Hot Rod: how its clients log in, and what is held for listeners.
@NullMarked
package io.varve.grid.guard.hotrod;

import org.jspecify.annotations.NullMarked;
