package io.varve.control.internal;

import io.varve.Range;
import org.jspecify.annotations.Nullable;

/// What a client asks for. Properties that an operation does not need are absent.
///
/// @param version of the protocol, [#VERSION]
/// @param operation what to do
/// @param space that it is about
/// @param key for `GET`
/// @param from the first key of a range, or null
/// @param to the end of a range, or null
/// @param isReverse whether a scan starts at the last key
/// @param keysOnly whether a scan has no values
/// @param limit the most entries of a scan or rows of a query, or null
/// @param text of a query
public record Request(
    int version,
    Operation operation,
    @Nullable String space,
    byte @Nullable [] key,
    byte @Nullable [] from,
    byte @Nullable [] to,
    boolean isReverse,
    boolean keysOnly,
    @Nullable Long limit,
    @Nullable String text) {
  /// Rises with each change of what is sent.
  public static final int VERSION = 2;

  /// What can be asked for. All of it only reads.
  public enum Operation {
    /// A JSON array of [io.varve.control.SpaceFigures].
    SPACES,
    /// A [HolderImage] as JSON.
    STATISTICS,
    /// A value, or no frame if the key is absent.
    GET,
    /// A key frame for each entry, each followed by its value.
    SCAN,
    /// A number as JSON.
    COUNT,
    /// A JSON frame for each row.
    QUERY,
    /// The plan of a query: a JSON string.
    EXPLAIN,
    /// A JSON frame for each row, and for each change of one, until the client goes.
    WATCH
  }

  /// A request about the whole store.
  public static Request of(Operation operation) {
    return new Request(VERSION, operation, null, null, null, null, false, false, null, null);
  }

  /// A request for one key.
  public static Request get(String space, byte[] key) {
    return new Request(VERSION, Operation.GET, space, key, null, null, false, false, null, null);
  }

  /// A request for a query or its plan.
  public static Request query(Operation operation, String text) {
    return new Request(VERSION, operation, null, null, null, null, false, false, null, text);
  }

  /// A request for a range of keys.
  public static Request range(
      Operation operation,
      String space,
      Range range,
      boolean isReverse,
      boolean keysOnly,
      long limit) {
    return new Request(
        VERSION,
        operation,
        space,
        null,
        range.from(),
        range.to(),
        isReverse,
        keysOnly,
        limit,
        null);
  }

  Range keyRange() {
    Range range = from == null ? Range.all() : Range.atLeast(from);
    return to == null ? range : range.intersect(Range.lessThan(to));
  }
}
