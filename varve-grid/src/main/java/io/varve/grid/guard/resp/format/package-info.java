/// How requests of Redis are written: arrays, words, numbers, and how long each may be.
@NullMarked
package io.varve.grid.guard.resp.format;

import org.jspecify.annotations.NullMarked;
