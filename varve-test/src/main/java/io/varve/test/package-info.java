/// A disk that forgets what was not forced, and what checks a history against it.
@NullMarked
package io.varve.test;

import org.jspecify.annotations.NullMarked;
