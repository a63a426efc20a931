package io.varve.query.internal.parse;

import io.varve.query.Attribute;
import io.varve.query.Entity;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.grammar.QueryParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.antlr.v4.runtime.ParserRuleContext;
import org.jspecify.annotations.Nullable;

/// What names mean at a part of a query: sources by their aliases, attributes of sources, and
/// columns that the query has named. An `exists` adds a level, whose names come first.
final class Names {
  /// A source by its alias.
  ///
  /// @param isNamed whether the query gave the alias; otherwise attributes of that name come first
  /// @param hasKey whether its rows are those of a table, and have keys; elements have none
  record Range(String alias, boolean isNamed, int number, Entity<?> entity, boolean hasKey) {
    /// The whole row or element. Its type is known, as that of an attribute is.
    private Expression.Self self() {
      return new Expression.Self(number, entity.type());
    }
  }

  /// How many sources a query may have.
  private static final int SOURCES_MAX = 16;

  private final @Nullable Names outer;
  private final List<Range> ranges = new ArrayList<>();
  private final Map<String, Expression> columns = new HashMap<>();

  Names(@Nullable Names outer) {
    this.outer = outer;
  }

  /// Adds a source.
  void add(ParserRuleContext part, Range added) {
    if (ranges.size() >= SOURCES_MAX) {
      throw Problems.at(part, "too many sources", "at most " + SOURCES_MAX);
    }
    if (ranges.stream().anyMatch(range -> range.alias().equalsIgnoreCase(added.alias()))) {
      throw Problems.at(part, "two sources have one name", "an alias");
    }
    ranges.add(added);
  }

  /// Adds a column that `order by` may name.
  void addColumn(String name, Expression value) {
    columns.putIfAbsent(name.toLowerCase(Locale.ROOT), value);
  }

  /// The names of a path as it is written, without quotes.
  static List<String> words(QueryParser.PathContext path) {
    List<String> words = new ArrayList<>();
    for (int index = 0; index < path.getChildCount(); index++) {
      String text = path.getChild(index).getText();
      if (text.equals("[]")) {
        words.set(words.size() - 1, words.getLast() + text);
      } else if (!text.equals(".")) {
        words.add(unquoted(text));
      }
    }
    return words;
  }

  static String unquoted(String name) {
    boolean isQuoted = name.length() > 1 && (name.charAt(0) == '"' || name.charAt(0) == '`');
    return isQuoted ? name.substring(1, name.length() - 1) : name;
  }

  /// The source of that alias, or -1.
  int source(String alias) {
    Range range = range(alias, false);
    return range == null ? outer == null ? -1 : outer.source(alias) : range.number();
  }

  /// The key of the source of that alias, or null if there is none that has keys.
  @Nullable Expression key(String alias) {
    Range range = range(alias, false);
    if (range == null) {
      return outer == null ? null : outer.key(alias);
    }
    return range.hasKey() ? new Expression.KeyPath(range.number(), range.entity().keyType()) : null;
  }

  private @Nullable Range range(String alias, boolean mustBeNamed) {
    for (Range range : ranges) {
      if (range.alias().equalsIgnoreCase(alias) && (range.isNamed() || !mustBeNamed)) {
        return range;
      }
    }
    return alias.equalsIgnoreCase("this") && ranges.size() == 1 ? ranges.getFirst() : null;
  }

  /// What a path means.
  ///
  /// @throws io.varve.query.QueryException if it means nothing, or two things
  Expression resolve(QueryParser.PathContext path) {
    List<String> words = words(path);
    Expression resolved = find(path, words);
    if (resolved == null) {
      throw unknown(path, words);
    }
    return resolved;
  }

  /// What a path means, or null if it means nothing.
  @Nullable Expression find(QueryParser.PathContext path, List<String> words) {
    Expression column = words.size() == 1 ? column(words.getFirst()) : null;
    if (column != null) {
      return column;
    }
    boolean isOne = words.size() == 1;
    Expression found = ofRange(range(words.getFirst(), isOne), words);
    if (found == null) {
      found = unqualified(path, String.join(".", words));
    }
    if (found == null && isOne) {
      found = ofRange(range(words.getFirst(), false), words);
    }
    return found == null && outer != null ? outer.find(path, words) : found;
  }

  private @Nullable Expression column(String name) {
    return columns.get(name.toLowerCase(Locale.ROOT));
  }

  private static @Nullable Expression ofRange(@Nullable Range range, List<String> words) {
    if (range == null) {
      return null;
    }
    return words.size() == 1
        ? range.self()
        : attribute(range, String.join(".", words.subList(1, words.size())));
  }

  private static @Nullable Expression attribute(Range range, String path) {
    if (range.hasKey() && path.equals(range.entity().keyPath())) {
      return new Expression.KeyPath(range.number(), range.entity().keyType());
    }
    Attribute<?, ?> attribute = range.entity().find(path);
    return attribute == null ? null : new Expression.Path(range.number(), attribute);
  }

  private @Nullable Expression unqualified(QueryParser.PathContext part, String path) {
    Expression found = null;
    for (Range range : ranges) {
      Expression attribute = attribute(range, path);
      if (attribute != null && found != null) {
        throw Problems.at(part, "the name means attributes of two sources", "alias." + path);
      }
      found = attribute == null ? found : attribute;
    }
    return found;
  }

  private RuntimeException unknown(QueryParser.PathContext path, List<String> words) {
    Range range = range(words.getFirst(), false);
    boolean isQualified = range != null && words.size() > 1;
    String name = String.join(".", isQualified ? words.subList(1, words.size()) : words);
    List<String> nearest = new ArrayList<>();
    for (Names level = this; level != null; level = level.outer) {
      for (Range each : level.ranges) {
        String attribute = each.entity().nearest(name);
        if (attribute != null && (!isQualified || each.equals(range))) {
          nearest.add(attribute);
        }
      }
    }
    return Problems.at(path, "no such attribute", nearest.isEmpty() ? "" : nearest.getFirst());
  }
}
