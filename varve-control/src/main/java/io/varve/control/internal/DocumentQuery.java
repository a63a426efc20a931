package io.varve.control.internal;

import io.varve.Codec;
import io.varve.Commit;
import io.varve.Store;
import io.varve.Table;
import io.varve.Visibility;
import io.varve.control.ControlException;
import io.varve.control.ControlException.Reason;
import io.varve.json.JsonCodec;
import io.varve.query.Entity;
import io.varve.query.LiveQuery;
import io.varve.query.Queries;
import io.varve.query.Query;
import io.varve.query.QueryTable;
import io.varve.query.Row;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
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

  /// Takes the rows of an answer, and the changes of it.
  interface StepConsumer extends RowConsumer {
    /// Sends what was taken.
    ///
    /// @param isQuiet whether nothing was, for a while
    void flush(boolean isQuiet) throws IOException;
  }

  /// An answer that is followed is held once on the heap of the process.
  private static final int WATCHED_ROWS_MAX = 100_000;

  /// Of changes that wait for the client.
  private static final long WAITING_BYTES_MAX = 4 << 20;

  /// A client that has gone is noticed when the next sign is sent to it.
  private static final Duration QUIET_TIME = Duration.ofSeconds(1);

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

  /// Gives the answer, and then what each commit changes of it, without an end: a client that goes
  /// ends it, and the close of the store.
  ///
  /// @throws UnsupportedOperationException if such a query cannot be followed
  void watch(StepConsumer steps) throws IOException {
    try (LiveQuery<Object, Row> live = query.live(Visibility.APPLIED, WAITING_BYTES_MAX)) {
      start(live, steps);
      while (true) {
        deadline.suspend();
        LiveQuery.Step<Object, Row> step = live.next(QUIET_TIME);
        deadline.resume();
        if (step != null && step.areMissed()) {
          start(live, steps);
          continue;
        }
        if (step != null) {
          for (LiveQuery.Change<Object, Row> change : step.changes()) {
            deadline.check();
            steps.accept(line(step.commit(), change));
          }
        }
        steps.flush(step == null);
      }
    }
  }

  private void start(LiveQuery<Object, Row> live, StepConsumer steps) throws IOException {
    requireFew();
    LiveQuery.Answer<Object, Row> answer = live.start();
    ObjectNode first = MAPPER.createObjectNode().put("commit", answer.commit().lsn());
    steps.accept(MAPPER.writeValueAsBytes(first.put("start", true)));
    for (Map.Entry<Object, Row> entry : answer.entries()) {
      deadline.check();
      var row = new LiveQuery.Change<>(entry.getKey(), null, entry.getValue());
      steps.accept(line(answer.commit(), row));
    }
    steps.flush(false);
  }

  /// Refuses what would fill the heap of the process, before it is read.
  private void requireFew() {
    long count;
    try (Stream<Row> answers = query.in(deadline.snapshot(store)).stream()) {
      count = answers.limit(WATCHED_ROWS_MAX + 1L).peek(_ -> deadline.check()).count();
    }
    if (count > WATCHED_ROWS_MAX) {
      throw new ControlException(
          Reason.BAD_REQUEST,
          "the answer has too many rows to be followed: rowsMax="
              + WATCHED_ROWS_MAX
              + "; ask for fewer, as by a limit");
    }
  }

  private static byte[] line(Commit commit, LiveQuery.Change<Object, Row> change) {
    ObjectNode line = MAPPER.createObjectNode().put("commit", commit.lsn());
    line.put("key", change.key().toString());
    Row before = change.before();
    if (before != null) {
      line.set("before", json(before));
    }
    Row after = change.after();
    if (after != null) {
      line.set("after", json(after));
    }
    return MAPPER.writeValueAsBytes(line);
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
