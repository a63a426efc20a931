/// Objects as bytes. Knows neither caches nor stores.
@NullMarked
package io.varve.cache.internal.marshal;

import org.jspecify.annotations.NullMarked;
