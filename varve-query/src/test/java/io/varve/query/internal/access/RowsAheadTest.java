package io.varve.query.internal.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Rows that are read in batches: each with its own value, and no more than the answer needs.
class RowsAheadTest {
  private static final int ROWS = 200;

  private final Store store = Store.inMemory();
  private final Space table = store.space("people");
  private final Keys keys = new Keys();
  private Snapshot snapshot = store.snapshot();

  @BeforeEach
  void fill() {
    for (int row = 0; row < ROWS; row++) {
      table.put(key(row), value(row));
    }
    snapshot.close();
    snapshot = store.snapshot();
  }

  @AfterEach
  void close() {
    snapshot.close();
    store.close();
  }

  private static byte[] key(int row) {
    return new byte[] {(byte) (row >> 8), (byte) row};
  }

  private static byte[] value(int row) {
    return ("row " + row).getBytes(UTF_8);
  }

  @Test
  void everyRowComesWithItsValue() {
    try (var rows = ahead(Ask.ALL)) {
      for (int row = 0; row < ROWS; row++) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.key()).isEqualTo(key(row));
        assertThat(rows.value()).isEqualTo(value(row));
      }
      assertThat(rows.next()).isFalse();
      assertThat(rows.next()).isFalse();
    }
    assertThat(keys.isClosed).isTrue();
  }

  /// Values of some rows alone, as an answer asks for them whose condition reads keys.
  @Test
  void aValueMayBeLeftOut() {
    try (var rows = ahead(Ask.ALL)) {
      for (int row = 0; row < ROWS; row++) {
        assertThat(rows.next()).isTrue();
        if (row % 7 == 3) {
          assertThat(rows.value()).isEqualTo(value(row));
        }
      }
      assertThat(rows.next()).isFalse();
    }
  }

  /// (AHEAD-1)
  @Test
  void theFirstBatchIsSmall() {
    try (var rows = ahead(Ask.ALL)) {
      assertThat(rows.next()).isTrue();
      assertThat(keys.read).isLessThanOrEqualTo(4);
    }
  }

  @Test
  void noKeyIsReadThatTheLimitLeavesOut() {
    try (var rows = ahead(10)) {
      List<byte[]> found = new ArrayList<>();
      while (rows.next()) {
        found.add(rows.value());
      }
      assertThat(found)
          .containsExactlyElementsOf(
              IntStream.range(0, 10).mapToObj(RowsAheadTest::value).toList());
      assertThat(keys.read).isEqualTo(10);
    }
  }

  /// (AHEAD-3)
  @Test
  void largeRowsAreReadOneByOne() {
    for (int row = 0; row < ROWS; row++) {
      table.put(key(row), new byte[row < 4 ? 800_000 : 10]);
    }
    snapshot.close();
    snapshot = store.snapshot();
    try (var rows = ahead(Ask.ALL)) {
      for (int row = 0; row < 6; row++) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.value()).hasSize(row < 4 ? 800_000 : 10);
      }
      assertThat(keys.read).isEqualTo(6);
    }
  }

  @Test
  void aKeyWithoutARowHasNoValue() {
    table.delete(key(2));
    snapshot.close();
    snapshot = store.snapshot();
    try (var rows = ahead(Ask.ALL)) {
      for (int row = 0; row <= 2; row++) {
        assertThat(rows.next()).isTrue();
      }
      assertThat(rows.value()).isNull();
    }
  }

  private RowsAhead ahead(long rowsMax) {
    return new RowsAhead(snapshot, table, keys, rowsMax);
  }

  /// The keys of all rows, counted as they are read.
  private static final class Keys implements SortedRun {
    private int read;
    private boolean isClosed;

    @Override
    public boolean next() {
      if (read == ROWS) {
        return false;
      }
      read++;
      return true;
    }

    @Override
    public byte[] key() {
      return RowsAheadTest.key(read - 1);
    }

    @Override
    public byte[] payload() {
      return new byte[0];
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }
}
