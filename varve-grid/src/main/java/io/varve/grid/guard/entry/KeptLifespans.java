package io.varve.grid.guard.entry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;
import org.infinispan.multimap.impl.function.list.ReplaceListFunction;
import org.infinispan.multimap.impl.function.set.SSetFunction;
import org.infinispan.multimap.impl.function.sortedset.AddManyFunction;

/// Which changes of RESP leave a key the time to live that it has.
///
/// (KEPT-1) As at Redis, all that change a list, hash, set or sorted set keep it. A result that is
/// stored instead of what was there, as by `SUNIONSTORE` or `SORT` with `STORE`, has none.
public final class KeptLifespans implements Predicate<Object> {
  private static final VarHandle REPLACE = replace();

  /// Whether the key keeps its time to live after a function.
  @Override
  public boolean test(Object function) {
    return switch (function) {
      case SSetFunction<?, ?> _, ReplaceListFunction<?, ?> _ -> false;
      case AddManyFunction<?, ?> add -> !(boolean) REPLACE.get(add);
      default -> true;
    };
  }

  /// Infinispan's function adds members or replaces all, and nothing that is public shows which.
  private static VarHandle replace() {
    try {
      return MethodHandles.privateLookupIn(AddManyFunction.class, MethodHandles.lookup())
          .findVarHandle(AddManyFunction.class, "replace", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "the function of sorted sets is not as that of Infinispan 16.0.7; use that version", e);
    }
  }
}
