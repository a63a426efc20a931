package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The calls of a cursor.
final class CursorCalls extends InterfaceCalls {
  CursorCalls() {
    addCursorMoves();
    addCursorReads();
  }

  private void addCursorMoves() {
    addMove("Cursor.first()", (_, cursor) -> cursor.first(), (_, there) -> there.firstEntry());
    addMove("Cursor.last()", (_, cursor) -> cursor.last(), (_, there) -> there.lastEntry());
    addMove("Cursor.next()", (_, cursor) -> cursor.next(), (_, there) -> there.firstEntry());
    addMove("Cursor.previous()", (_, cursor) -> cursor.previous(), (_, _) -> null);
    addMove(
        "Cursor.seek(byte[])",
        (c, cursor) -> cursor.seek(c.key()),
        (c, there) -> there.ceilingEntry(c.key()));
    addMove(
        "Cursor.seekFloor(byte[])",
        (c, cursor) -> cursor.seekFloor(c.key()),
        (c, there) -> there.floorEntry(c.key()));
    add("Cursor.close()", c -> c.space.cursor(c.own).close());
  }

  /// Adds a move of a cursor that is before the first entry.
  private void addMove(
      String name,
      BiFunction<Caller, Cursor, Boolean> move,
      BiFunction<Caller, NavigableMap<byte[], byte[]>, Map.@Nullable Entry<byte[], byte[]>>
          expected) {
    add(
        name,
        c -> {
          try (Cursor cursor = c.space.cursor(c.own)) {
            c.requireMoved(cursor, move.apply(c, cursor), expected.apply(c, c.expected(c.own)));
          }
        });
  }

  private void addCursorReads() {
    addRead("Cursor.entry()", c -> new Entry(c.key(), c.value()), Cursor::entry);
    addRead("Cursor.key()", Caller::key, Cursor::key);
    addRead("Cursor.readKey(byte[])", c -> c.key().length, cursor -> cursor.readKey(new byte[1]));
    addRead(
        "Cursor.readValue(byte[])",
        c -> c.value().length,
        cursor -> cursor.readValue(new byte[100]));
    addRead("Cursor.value()", Caller::value, Cursor::value);
    addRead("Cursor.valueLength()", c -> c.value().length, Cursor::valueLength);
    addRead("Cursor.valueSegment()", Caller::value, cursor -> bytes(cursor.valueSegment()));
    addRead("Cursor.valueStream()", Caller::value, CursorCalls::readStream);
  }

  private static byte[] readStream(Cursor cursor) {
    try (InputStream stream = cursor.valueStream()) {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Adds a read of a cursor that is on the key, which has the value.
  private void addRead(
      String name, Function<Caller, Object> expected, Function<Cursor, Object> read) {
    add(
        name,
        c -> {
          c.space.with(Durability.BACKGROUND).put(c.key(), c.value());
          c.wrote();
          try (Cursor cursor = c.space.cursor(c.own)) {
            assertThat(cursor.seek(c.key())).isTrue();
            assertThat(read.apply(cursor)).isEqualTo(expected.apply(c));
          }
        });
  }
}
