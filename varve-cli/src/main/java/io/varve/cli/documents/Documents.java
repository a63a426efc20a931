package io.varve.cli.documents;

import io.varve.Codec;
import io.varve.Space;
import io.varve.Store;
import io.varve.Table;
import io.varve.json.JsonCodec;
import io.varve.query.Entity;
import io.varve.query.Queries;
import io.varve.query.QueryTable;
import io.varve.query.Queryable;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/// Spaces whose values are JSON, as tables of documents by keys that are texts. Their indexes are
/// made of paths, so the store itself says what they are.
public final class Documents {
  private Documents() {}

  /// A space as a table of documents, with the indexes that it has.
  ///
  /// @throws IllegalArgumentException if it is a table of something else
  public static QueryTable<String, JsonNode> table(Store store, String space) {
    return QueryTable.of(
            Table.of(space, Codec.string(), JsonCodec.of(JsonNode.class)), Entity.documents(space))
        .withIndexesOf(store);
  }

  /// Lets a space be changed that has indexes of documents: they follow from now on.
  public static void keepIndexes(Store store, String space) {
    Space present = store.findSpace(space);
    if (present != null && !store.indexed(present).list().isEmpty()) {
      table(store, space).open(store);
    }
  }

  /// Queries over the spaces that a text names.
  public static Queries queries(Store store, String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    Queries queries = Queries.of(store);
    for (String space : store.spaceNames()) {
      if (lower.contains(space.toLowerCase(Locale.ROOT))) {
        try {
          Queryable<String, JsonNode> documents = table(store, space).open(store);
          queries = queries.table(documents);
        } catch (IllegalArgumentException _) {
          // A table of something else, or items: a query that means it hears that there is none.
        }
      }
    }
    return queries;
  }
}
