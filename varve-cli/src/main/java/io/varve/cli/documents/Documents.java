package io.varve.cli.documents;

import io.varve.Codec;
import io.varve.Space;
import io.varve.Store;
import io.varve.Table;
import io.varve.json.JsonCodec;
import io.varve.query.Attribute;
import io.varve.query.Entity;
import io.varve.query.Queries;
import io.varve.query.Query;
import io.varve.query.QueryException;
import io.varve.query.QueryTable;
import io.varve.query.Queryable;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/// Spaces whose values are JSON, as tables of documents by keys that are texts. Their indexes are
/// made of paths, so the store itself names what they are.
public final class Documents {
  private Documents() {}

  private static final Codec<String> KEYS = Codec.string();
  private static final Codec<JsonNode> VALUES = JsonCodec.of(JsonNode.class);

  /// The same codecs without ids: a store does not remember them.
  private static final Codec<String> UNNAMED_KEYS = Codec.of(KEYS::encode, KEYS::decode);

  private static final Codec<JsonNode> UNNAMED_VALUES = Codec.of(VALUES::encode, VALUES::decode);

  /// A space as a table of documents, with the indexes that it has. The store remembers that it is
  /// one.
  ///
  /// @throws IllegalArgumentException if it is a table of something else
  public static QueryTable<String, JsonNode> table(Store store, String space) {
    return of(store, Table.of(space, KEYS, VALUES));
  }

  /// The same for a caller that only checks whether it is one: the store remembers nothing.
  private static QueryTable<String, JsonNode> unnamed(Store store, String space) {
    return store.options().readOnly()
        ? table(store, space)
        : of(store, Table.of(space, UNNAMED_KEYS, UNNAMED_VALUES));
  }

  private static QueryTable<String, JsonNode> of(Store store, Table<String, JsonNode> table) {
    return QueryTable.of(table, Entity.documents(table.name())).withIndexesOf(store);
  }

  /// Lets a space be changed that has indexes of documents: they follow from now on.
  public static void keepIndexes(Store store, String space) {
    Space present = store.findSpace(space);
    if (present != null && !store.indexed(present).list().isEmpty()) {
      unnamed(store, space).open(store);
    }
  }

  /// The query of a text, over the spaces that it names.
  ///
  /// @throws QueryException if it is none; of a name that no space has, it shows the nearest one
  public static Query query(Store store, String text) {
    try {
      return queries(store, text).query(text);
    } catch (QueryException e) {
      throw String.valueOf(e.getMessage()).startsWith("no such table") ? withNearest(store, e) : e;
    }
  }

  /// The tables of a query are those that its text has. The name that was meant is none of these.
  private static QueryException withNearest(Store store, QueryException e) {
    List<Attribute<Object, ?>> names =
        store.spaceNames().stream()
            .<Attribute<Object, ?>>map(name -> Attribute.of(name, Object.class, of -> of))
            .toList();
    String nearest = Entity.of("spaces", Object.class, names).nearest(e.found());
    return new QueryException(
        "no such table",
        e.line(),
        e.column(),
        e.found(),
        nearest == null ? "a space of documents, as 'varve spaces' lists them" : nearest,
        e);
  }

  private static Queries queries(Store store, String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    Queries queries = Queries.of(store);
    for (String space : store.spaceNames()) {
      if (lower.contains(space.toLowerCase(Locale.ROOT))) {
        try {
          Queryable<String, JsonNode> documents = unnamed(store, space).open(store);
          queries = queries.table(documents);
        } catch (IllegalArgumentException _) {
          // A table of something else, or items: a query that means it hears that there is none.
        }
      }
    }
    return queries;
  }
}
