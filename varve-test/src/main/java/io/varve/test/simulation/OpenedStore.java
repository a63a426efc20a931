package io.varve.test.simulation;

import io.varve.Store;

/// A store that was opened, and what it may take from then on.
///
/// @param store what the history sees of it
/// @param engine the store itself
record OpenedStore(Store store, Store engine, Budgets budgets) {}
