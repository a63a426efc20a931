/// Tests of queries over entries that live in Varve.
@NullMarked
package io.varve.infinispan.query;

import org.jspecify.annotations.NullMarked;
