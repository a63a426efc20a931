package io.varve.query.internal.expr;

/// One of the values by which answers are ordered.
///
/// @param value to order by
/// @param isDescending whether greater values come first
/// @param nullsFirst whether rows without a value come before those with one
public record Sorting(Expression value, boolean isDescending, boolean nullsFirst) {}
