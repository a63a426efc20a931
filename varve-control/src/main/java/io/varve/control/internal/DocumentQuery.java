package io.varve.control.internal;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.control.ControlException;
import io.varve.control.ControlException.Reason;
import io.varve.json.JsonCodec;
import io.varve.query.Entity;
import io.varve.query.Queries;
import io.varve.query.Query;
import io.varve.query.QueryTable;
import io.varve.query.Row;
import java.io.IOException;
import java.util.Iterator;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// A query over the spaces of JSON documents that its text names. Of what the process does with
/// these spaces it changes nothing: it keeps no index, and its codecs have no ids to remember.
final class DocumentQuery {
  private static final Codec<String> TEXTS = Codec.string();
  private static final Codec<JsonNode> DOCUMENTS = JsonCodec.of(JsonNode.class);
  private static final Codec<String> KEYS = Codec.of(TEXTS::encode, TEXTS::decode);
  private static final Codec<JsonNode> VALUES = Codec.of(DOCUMENTS::encode, DOCUMENTS::decode);
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /// Takes rows.
  interface RowConsumer {
    void accept(byte[] json) throws IOException;
  }

  private final Store store;
  private final Query query;
  private final Deadline deadline;

  /// Makes a query and runs nothing.
  ///
  /// @throws ControlException if it would change documents
  /// @throws IllegalArgumentException if there is a mistake in it
  DocumentQuery(Store store, String text, Deadline deadline) {
    this.store = store;
    this.deadline = deadline;
    query = queries(store, text).query(text);
    if (query.isChange()) {
      throw new ControlException(
          Reason.REFUSED, "a control socket only reads: documents are changed by their process");
    }
  }

  private static Queries queries(Store store, String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    Queries queries = Queries.of(store);
    for (String space : store.spaceNames()) {
      if (lower.contains(space.toLowerCase(Locale.ROOT))) {
        try {
          queries =
              queries.table(
                  QueryTable.of(Table.of(space, KEYS, VALUES), Entity.documents(space))
                      .withIndexesOf(store)
                      .openToRead(store));
        } catch (IllegalArgumentException _) {
          // A table of something else, or items: a query that means it hears that there is none.
        }
      }
    }
    return queries;
  }

  String explain() {
    return query.in(deadline.snapshot(store)).explain();
  }

  void run(RowConsumer rows) throws IOException {
    try (Stream<Row> answers = query.in(deadline.snapshot(store)).stream()) {
      for (Iterator<Row> each = answers.iterator(); each.hasNext(); ) {
        deadline.check();
        rows.accept(MAPPER.writeValueAsBytes(json(each.next())));
      }
    }
  }

  /// The document, if it is all of the row, or an object of the columns.
  private static JsonNode json(Row row) {
    if (row.columns().size() == 1 && row.get(0) instanceof ObjectNode document) {
      return document;
    }
    ObjectNode object = MAPPER.createObjectNode();
    row.asMap().forEach((name, value) -> object.set(name, node(value)));
    return object;
  }

  private static JsonNode node(@Nullable Object value) {
    return switch (value) {
      case null -> MAPPER.nullNode();
      case JsonNode node -> node;
      case Number _, Boolean _, String _ -> MAPPER.valueToTree(value);
      default -> MAPPER.valueToTree(value.toString());
    };
  }
}
