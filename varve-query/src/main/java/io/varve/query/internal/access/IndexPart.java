package io.varve.query.internal.access;

import io.varve.query.Attribute;
import io.varve.query.Values;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Scope;
import org.jspecify.annotations.Nullable;

/// One part of an index: an attribute, and how its values are written.
///
/// @param attribute of the values of the table
/// @param isMany whether each element has an index entry of its own
/// @param folding how its strings are equal
/// @param codec of the values
/// @param definition all of this as a text, which is another one if entries would be others
public record IndexPart(
    Attribute<?, ?> attribute,
    boolean isMany,
    Folding folding,
    PartCodec codec,
    String definition) {
  /// Which strings a part takes for equal.
  public enum Folding {
    /// Equal strings.
    EXACT,
    /// Strings that differ in case alone.
    CASE,
    /// Strings that a collator takes for equal.
    COLLATOR
  }

  String path() {
    return attribute.path();
  }

  @Nullable Object value(Scope row) {
    return Values.normal(row.attribute(0, attribute));
  }

  Iterable<?> elements(Scope row) {
    return Evaluation.elements(new Expression.Path(0, attribute), row);
  }
}
