package io.varve.query.internal.access;

import io.varve.query.Attribute;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Expressions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a query needs of the rows of its one table.
public final class Needed {
  private Needed() {}

  /// The attributes that some expressions are computed of, or null if they need the whole row.
  public static @Nullable List<Attribute<?, ?>> by(Iterable<? extends Expression> expressions) {
    List<Attribute<?, ?>> attributes = new ArrayList<>();
    for (Expression expression : expressions) {
      boolean isWhole =
          Expressions.contains(
              expression,
              part -> {
                if (part instanceof Expression.Path path
                    && path.source() == 0
                    && !path.attribute().isMany()) {
                  attributes.add(path.attribute());
                  return false;
                }
                return part instanceof Expression.Path || part instanceof Expression.Self;
              });
      if (isWhole) {
        return null;
      }
    }
    return List.copyOf(attributes);
  }
}
