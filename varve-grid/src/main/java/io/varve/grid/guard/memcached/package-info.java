/// Both protocols of memcached: where a request ends, how its clients log in, and what is answered.
@NullMarked
package io.varve.grid.guard.memcached;

import org.jspecify.annotations.NullMarked;
