package io.varve.query;

import io.varve.ReadView;
import io.varve.Store;
import io.varve.query.internal.access.TableAccess;
import org.jspecify.annotations.Nullable;

/// The rows that a query is asked of.
///
/// @param view what is read, or null for a snapshot of the query's own
record Asked<K, V>(Store store, TableAccess<K, V> access, @Nullable ReadView view) {}
