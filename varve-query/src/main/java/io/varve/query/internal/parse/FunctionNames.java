package io.varve.query.internal.parse;

import io.varve.query.internal.entity.NearestName;
import io.varve.query.internal.expr.AggregateFunction;
import io.varve.query.internal.expr.Function;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The functions by the names that queries call them.
final class FunctionNames {
  private static final Map<String, Function> FUNCTIONS = new HashMap<>();
  private static final Map<String, AggregateFunction> AGGREGATES = new HashMap<>();

  static {
    for (Function function : Function.values()) {
      FUNCTIONS.put(function.text(), function);
    }
    FUNCTIONS.put("ceil", Function.CEILING);
    FUNCTIONS.put("substr", Function.SUBSTRING);
    FUNCTIONS.put("ltrim", Function.TRIM_LEADING);
    FUNCTIONS.put("rtrim", Function.TRIM_TRAILING);
    for (AggregateFunction function : AggregateFunction.values()) {
      AGGREGATES.put(function.name().toLowerCase(Locale.ROOT), function);
    }
  }

  private FunctionNames() {}

  static @Nullable Function function(String name) {
    return FUNCTIONS.get(name.toLowerCase(Locale.ROOT));
  }

  static @Nullable AggregateFunction aggregate(String name) {
    return AGGREGATES.get(name.toLowerCase(Locale.ROOT));
  }

  /// All names.
  static List<String> all() {
    List<String> names = new ArrayList<>(FUNCTIONS.keySet());
    names.addAll(AGGREGATES.keySet());
    names.sort(null);
    return names;
  }

  /// The function that was likely meant; empty if none is like it.
  static String nearest(String name) {
    String nearest = NearestName.of(name, all());
    return nearest == null ? "" : nearest;
  }
}
