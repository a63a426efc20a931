/// HTTP 1.1 and 2: which requests are taken, how their bodies are held, and what is answered.
@NullMarked
package io.varve.grid.guard.http;

import org.jspecify.annotations.NullMarked;
