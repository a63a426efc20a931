package io.varve.query.internal.parse;

import io.varve.query.Attribute;
import io.varve.query.Entity;
import io.varve.query.internal.entity.NearestName;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.grammar.QueryParser;
import io.varve.query.internal.statement.Catalog;
import io.varve.query.internal.statement.Statement.Join;
import io.varve.query.internal.statement.Statement.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.ParserRuleContext;
import org.jspecify.annotations.Nullable;

/// Resolves the tables of a query, and the attributes that it walks through, and numbers them.
final class Sources {
  /// The first number of those that an `exists` walks through: all tables have lower ones.
  private static final int ELEMENTS = 1000;

  private final Catalog catalog;
  private final Map<Integer, Entity<?>> entities = new HashMap<>();
  private final List<Source> found = new ArrayList<>();
  private int nextElement = ELEMENTS;

  Sources(Catalog catalog) {
    this.catalog = catalog;
  }

  /// The number of the next source that an `exists` walks through.
  int nextElement() {
    return nextElement++;
  }

  /// The sources that rows are made of, in order.
  List<Source> found() {
    return List.copyOf(found);
  }

  /// Adds a table, or the elements of an attribute of one added before.
  void add(Names names, QueryParser.SourceContext source, Join join) {
    List<String> words = Names.words(source.path());
    boolean isNamed = source.alias() != null;
    boolean isElements = words.size() > 1 && names.source(words.getFirst()) >= 0;
    Expression elements = isElements ? collection(names, source.path()) : null;
    String table = elements == null ? table(source.path(), words) : "";
    Entity<?> entity = elements == null ? entity(table) : elementsOf(elements);
    String alias = isNamed ? Names.unquoted(source.alias().getText()) : words.getLast();
    add(
        names,
        source,
        new Source(table, alias, found.size(), join, elements, Expression.Literal.TRUE),
        entity,
        isNamed);
  }

  /// Adds the only table that there is, for a query that names none.
  void addOnly(Names names, ParserRuleContext part) {
    if (catalog.names().size() != 1) {
      throw Problems.at(part.getStart(), "the query names no table", "from");
    }
    String table = catalog.names().iterator().next();
    Source source =
        new Source(table, table, found.size(), Join.INNER, null, Expression.Literal.TRUE);
    add(names, part, source, entity(table), false);
  }

  private void add(
      Names names, ParserRuleContext part, Source source, Entity<?> entity, boolean isNamed) {
    boolean hasKey = source.elements() == null;
    names.add(part, new Names.Range(source.alias(), isNamed, source.number(), entity, hasKey));
    entities.put(source.number(), entity);
    found.add(source);
  }

  /// Sets the condition of the join of the last source.
  void on(Expression condition) {
    Source last = found.removeLast();
    found.add(
        new Source(
            last.table(), last.alias(), last.number(), last.join(), last.elements(), condition));
  }

  private String table(ParserRuleContext part, List<String> words) {
    String name = String.join(".", words);
    String table = catalog.table(name);
    if (table == null) {
      @Nullable String nearest = NearestName.of(name, catalog.names());
      throw Problems.at(
          part, "no such table", nearest == null ? String.join(", ", catalog.names()) : nearest);
    }
    return table;
  }

  private Entity<?> entity(String table) {
    Entity<?> entity = catalog.find(table);
    if (entity == null) {
      throw new IllegalStateException("no such table: " + table);
    }
    return entity;
  }

  /// An attribute with many values. Of documents each attribute may be one.
  Expression collection(Names names, QueryParser.PathContext path) {
    Expression resolved = names.resolve(path);
    if (resolved instanceof Expression.Self self && entities.get(self.source()) == null) {
      return resolved;
    }
    if (resolved instanceof Expression.Path(int source, Attribute<?, ?> attribute)) {
      if (attribute.isMany()) {
        return resolved;
      }
      Entity<?> entity = entities.get(source);
      Attribute<?, ?> each = entity == null ? null : entity.find(attribute.path() + "[]");
      if (each != null) {
        return new Expression.Path(source, each);
      }
    }
    throw Problems.at(path, "an attribute with one value", "an attribute with many values");
  }

  /// The whole rows of a source, or its elements, as a path of its alias alone means them.
  Expression.Self whole(Source source) {
    Entity<?> entity = entities.get(source.number());
    return new Expression.Self(source.number(), entity == null ? Object.class : entity.type());
  }

  /// What the elements of an attribute are.
  Entity<?> elementsOf(Expression collection) {
    if (collection instanceof Expression.Path(int source, Attribute<?, ?> attribute)) {
      Entity<?> entity = entities.get(source);
      if (entity != null) {
        Entity<?> elements = entity.elements(attribute);
        return elements;
      }
    }
    return Entity.of("element", Object.class, List.of());
  }

  /// Remembers what the elements are that an `exists` walks through.
  void remember(int number, Entity<?> entity) {
    entities.put(number, entity);
  }
}
