package io.varve.query.internal.expr;

import io.varve.query.Attribute;
import org.jspecify.annotations.Nullable;

/// What an expression is computed of: the key and the value of the row of each source, by the
/// number of the source.
public interface Scope {
  /// The key of the row of a source.
  @Nullable Object key(int source);

  /// The value of the row of a source, or the element that it stands for.
  @Nullable Object value(int source);

  /// What an attribute of the value of a row is.
  @SuppressWarnings("unchecked") // the source was resolved to objects that have the attribute
  default @Nullable Object attribute(int source, Attribute<?, ?> attribute) {
    Object value = value(source);
    return value == null ? null : ((Attribute<Object, ?>) attribute).get(value);
  }

  /// A value computed before.
  default @Nullable Object slot(int index) {
    throw new IllegalStateException("nothing was computed before: slot=" + index);
  }

  /// This with one more source, which has no key.
  default Scope with(int element, @Nullable Object elementValue) {
    Scope outer = this;
    return new Scope() {
      @Override
      public @Nullable Object key(int source) {
        return outer.key(source);
      }

      @Override
      public @Nullable Object value(int source) {
        return source == element ? elementValue : outer.value(source);
      }

      @Override
      public @Nullable Object attribute(int source, Attribute<?, ?> attribute) {
        return source == element
            ? Scope.super.attribute(source, attribute)
            : outer.attribute(source, attribute);
      }

      @Override
      public @Nullable Object slot(int index) {
        return outer.slot(index);
      }
    };
  }

  /// The one row of a query of one table.
  static Scope of(@Nullable Object key, @Nullable Object value) {
    return new Single(key, value);
  }

  /// One row of one table.
  record Single(@Nullable Object key, @Nullable Object value) implements Scope {
    @Override
    public @Nullable Object key(int source) {
      return key;
    }

    @Override
    public @Nullable Object value(int source) {
      return value;
    }
  }
}
