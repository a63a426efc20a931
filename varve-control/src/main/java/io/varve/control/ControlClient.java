package io.varve.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Range;
import io.varve.control.ControlException.Reason;
import io.varve.control.internal.Exchange;
import io.varve.control.internal.HolderImage;
import io.varve.control.internal.Request;
import io.varve.control.internal.Request.Operation;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Looks into a store that another process has open, over its [ControlSocket]. Each call is a
/// connection of its own, and its answer comes from one snapshot of the store.
///
/// Every method throws a [ControlException] if the process refuses.
///
/// @since 1.0
public final class ControlClient {
  private final Path directory;

  /// A client of the store in a directory. Connects to no process yet.
  ///
  /// @since 1.0
  public ControlClient(Path directory) {
    this.directory = directory;
  }

  /// Takes entries.
  ///
  /// @since 1.0
  @FunctionalInterface
  public interface EntryConsumer {
    /// Takes one.
    ///
    /// @param value null if only keys were asked for
    /// @since 1.0
    void accept(byte[] key, byte @Nullable [] value);
  }

  /// The directory of the store.
  ///
  /// @since 1.0
  public Path directory() {
    return directory;
  }

  /// Whether there is a socket. A process that was killed leaves its own.
  ///
  /// @since 1.0
  public boolean isPresent() {
    return Exchange.isPresent(directory);
  }

  /// Figures of the store and of its process.
  ///
  /// @since 1.0
  public HolderFigures statistics() {
    return one(Request.of(Operation.STATISTICS), HolderImage.class).figures();
  }

  /// The spaces, by name.
  ///
  /// @since 1.0
  public List<SpaceFigures> spaces() {
    return List.of(one(Request.of(Operation.SPACES), SpaceFigures[].class));
  }

  /// Writes the value of a key, which may be larger than the heap.
  ///
  /// @return false if the key is absent
  /// @throws java.io.UncheckedIOException if `target` takes no more
  /// @since 1.0
  public boolean get(String space, byte[] key, OutputStream target) {
    try (Exchange exchange = Exchange.begin(directory, Request.get(space, key))) {
      return exchange.copyValue(target);
    }
  }

  /// The number of keys in a range.
  ///
  /// @since 1.0
  public long count(String space, Range range) {
    return one(Request.range(Operation.COUNT, space, range, false, false, 0), Long.class);
  }

  /// Gives the entries of a range to `consumer`, in key order.
  ///
  /// @param isReverse from the last key to the first
  /// @param keysOnly without values
  /// @param limit the most entries
  /// @since 1.0
  public void scan(
      String space,
      Range range,
      boolean isReverse,
      boolean keysOnly,
      long limit,
      EntryConsumer consumer) {
    Request request = Request.range(Operation.SCAN, space, range, isReverse, keysOnly, limit);
    try (Exchange exchange = Exchange.begin(directory, request)) {
      for (byte[] key = exchange.key(); key != null; key = exchange.key()) {
        consumer.accept(key, keysOnly ? null : exchange.value());
      }
    }
  }

  /// The answers of a query over documents as they come: each is a JSON object. Close the stream.
  ///
  /// @since 1.0
  public Stream<String> query(String text) {
    return lines(Request.query(Operation.QUERY, text));
  }

  private Stream<String> lines(Request request) {
    Exchange exchange = Exchange.begin(directory, request);
    return Stream.generate(exchange::json)
        .takeWhile(Objects::nonNull)
        .map(row -> new String(row, UTF_8))
        .onClose(exchange::close);
  }

  /// The answers of a query over documents, and then what each commit changes of them, as it comes
  /// and without an end. Each line is a JSON object:
  ///
  /// - `{"commit":12,"start":true}`: an answer follows, the first one or a new one after changes
  ///   were too many to wait. What was sent before is to be forgotten.
  /// - `{"commit":12,"key":"a","after":{...}}`: a row of the answer, or one that comes into it.
  /// - `{"commit":13,"key":"a","before":{...},"after":{...}}`: a row that changes.
  /// - `{"commit":14,"key":"a","before":{...}}`: a row that leaves.
  ///
  /// An answer has at most 100,000 rows. Close the stream.
  ///
  /// @since 1.0
  public Stream<String> watch(String text) {
    return lines(Request.query(Operation.WATCH, text));
  }

  /// How a query would be answered.
  ///
  /// @since 1.0
  public String explain(String text) {
    return one(Request.query(Operation.EXPLAIN, text), String.class);
  }

  private <T> T one(Request request, Class<T> type) {
    try (Exchange exchange = Exchange.begin(directory, request)) {
      T answer = exchange.json(type);
      if (answer == null) {
        throw new ControlException(Reason.FAILED, "the process that holds the store gave nothing");
      }
      return answer;
    }
  }
}
