package io.varve.query.internal.access;

import io.varve.ReadView;
import io.varve.Space;
import java.util.function.Function;

/// What the parts of one run of a plan have in common.
///
/// @param view that is read
/// @param table the space of the rows
/// @param entries finds the space of the entries of an index
/// @param values of the rows
/// @param settings of sorts
/// @param meter counts what is read
/// @param areValuesAsked whether the values of the rows will be asked for, and not their keys alone
record Reading<K, V>(
    ReadView view,
    Space table,
    Function<IndexForm, Space> entries,
    RowValues<K, V> values,
    SortSettings settings,
    Meter meter,
    boolean areValuesAsked) {}
