package io.varve.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Statistics;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.control.ControlException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ControlSocketTest {
  @TempDir Path directory;

  private Store store;
  private ControlSocket socket;
  private ControlClient client;

  @BeforeEach
  void open() {
    store = Store.open(directory, StoreOptions.defaults().durability(Durability.BACKGROUND));
    socket = ControlSocket.open(store, directory);
    client = new ControlClient(directory);
  }

  @AfterEach
  void close() {
    socket.close();
    store.verify().requireSound();
    store.close();
  }

  private Space fill(int entries) {
    Space space = store.space("s");
    for (int i = 0; i < entries; i++) {
      space.put("k%04d".formatted(i).getBytes(UTF_8), ("v" + i).getBytes(UTF_8));
    }
    return space;
  }

  private List<String> scan(Range range, boolean isReverse, boolean keysOnly, long limit) {
    List<String> entries = new ArrayList<>();
    client.scan(
        "s",
        range,
        isReverse,
        keysOnly,
        limit,
        (key, value) ->
            entries.add(
                new String(key, UTF_8) + (value == null ? "" : "=" + new String(value, UTF_8))));
    return entries;
  }

  private static void requireRefusal(Reason reason, ThrowingCallable call) {
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason));
  }

  @Test
  void valuesAreThoseOfTheStore() {
    fill(3);
    var value = new ByteArrayOutputStream();
    assertThat(client.get("s", "k0001".getBytes(UTF_8), value)).isTrue();
    assertThat(value.toString(UTF_8)).isEqualTo("v1");
    assertThat(client.get("s", "k000".getBytes(UTF_8), value)).isFalse();
    store.space("s").put(new byte[0], new byte[0]);
    value.reset();
    assertThat(client.get("s", new byte[0], value)).isTrue();
    assertThat(value.size()).isZero();
    requireRefusal(Reason.NOT_FOUND, () -> client.get("none", new byte[0], value));
  }

  /// What is longer than a frame comes in parts, by any number of bytes more or less.
  @Test
  void longValuesComeWhole() {
    Space space = store.space("s");
    for (int bytes : new int[] {(1 << 16) - 1, 1 << 16, (1 << 16) + 1, 1 << 17, 3_000_001}) {
      byte[] content = new byte[bytes];
      new Random(bytes).nextBytes(content);
      space.put("big".getBytes(UTF_8), content);
      var value = new ByteArrayOutputStream();
      assertThat(client.get("s", "big".getBytes(UTF_8), value)).isTrue();
      assertThat(value.toByteArray()).isEqualTo(content);
      client.scan(
          "s",
          Range.all(),
          false,
          false,
          1,
          (_, scanned) -> assertThat(scanned).isEqualTo(content));
    }
  }

  @Test
  void scansAndCountsAreThoseOfTheRange() {
    fill(300);
    assertThat(scan(Range.all(), false, false, Long.MAX_VALUE)).hasSize(300).startsWith("k0000=v0");
    assertThat(scan(Range.prefix("k000".getBytes(UTF_8)), true, true, 2))
        .containsExactly("k0009", "k0008");
    assertThat(scan(Range.lessThan("k0001".getBytes(UTF_8)), false, false, 10))
        .containsExactly("k0000=v0");
    assertThat(scan(Range.all(), false, false, 0)).isEmpty();
    assertThat(client.count("s", Range.all())).isEqualTo(300);
    assertThat(client.count("s", Range.prefix("k01".getBytes(UTF_8)))).isEqualTo(100);
    assertThat(client.spaces()).extracting(SpaceFigures::name).containsExactly("s");
    assertThat(client.spaces().getFirst().entries()).isEqualTo(300);
  }

  @Test
  void figuresAreThoseOfTheStore() {
    fill(10);
    try (var _ = store.snapshot()) {
      Statistics before = store.statistics();
      HolderFigures figures = client.statistics();
      Statistics there = figures.statistics();
      Statistics here = store.statistics();
      assertThat(figures.processId()).isEqualTo(ProcessHandle.current().pid());
      assertThat(figures.heapUsedBytes()).isPositive();
      assertThat(there.commits().applied()).isEqualTo(here.commits().applied());
      assertThat(there.commits().lastLsn()).isEqualTo(here.commits().lastLsn());
      // The log is written and checkpointed in the background.
      assertThat(there.log().appendedBytes())
          .isBetween(before.log().appendedBytes(), here.log().appendedBytes());
      assertThat(there.log().forceTimes().counts()).hasSameSizeAs(here.log().forceTimes().counts());
      assertThat(there.cache().budgetBytes()).isEqualTo(here.cache().budgetBytes());
      assertThat(there.cache().offHeap().budgetBytes())
          .isEqualTo(here.cache().offHeap().budgetBytes());
      assertThat(there.disk().quotaBytes()).isEqualTo(here.disk().quotaBytes());
      assertThat(there.checkpoints().count())
          .isBetween(before.checkpoints().count(), here.checkpoints().count());
      assertThat(there.recovery().replayedCommits()).isEqualTo(here.recovery().replayedCommits());
      assertThat(there.snapshots().open()).hasSize(1);
      assertThat(there.snapshots().open().getFirst().owner())
          .isEqualTo(here.snapshots().open().getFirst().owner());
    }
  }

  @Test
  void nobodyElseMayEnter() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.path())))
        .isEqualTo("rw-------");
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.path().getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void closedSocketLeavesNothing() {
    Path path = socket.path();
    assertThat(client.isPresent()).isTrue();
    socket.close();
    socket.close();
    assertThat(path.getParent()).doesNotExist();
    assertThat(client.isPresent()).isFalse();
    requireRefusal(Reason.FAILED, client::statistics);
  }

  /// The name of a socket has about a hundred bytes at most.
  @Test
  void longPathsLeadElsewhere() throws IOException {
    Path deep = directory.resolve("d".repeat(150));
    try (Store other = Store.open(deep)) {
      Path path;
      try (ControlSocket long1 = ControlSocket.open(other, deep)) {
        path = long1.path();
        assertThat(path.toString().length()).isLessThan(100);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path.getParent())))
            .isEqualTo("rwx------");
        assertThat(new ControlClient(deep).spaces()).isEmpty();
      }
      assertThat(path.getParent()).doesNotExist();
      assertThat(deep.resolve("control")).doesNotExist();
    }
  }

  /// Guards against a client of a copy that asks the process of the original. A socket of the copy
  /// must not remove that of the original either.
  @Test
  void copyOfADirectoryLeadsNowhere() throws IOException {
    Path deep = directory.resolve("d".repeat(150));
    Path copy = directory.resolve("c".repeat(150));
    Store.open(copy).close();
    try (Store original = Store.open(deep);
        ControlSocket first = ControlSocket.open(original, deep)) {
      original.space("of the original");
      Files.createDirectory(copy.resolve("control"));
      Files.copy(deep.resolve("control/address"), copy.resolve("control/address"));
      var clientOfCopy = new ControlClient(copy);
      assertThat(clientOfCopy.isPresent()).isFalse();
      requireRefusal(Reason.FAILED, clientOfCopy::spaces);
      try (Store copied = Store.open(copy);
          ControlSocket second = ControlSocket.open(copied, copy)) {
        assertThat(second.path()).isNotEqualTo(first.path());
        assertThat(clientOfCopy.spaces()).isEmpty();
        assertThat(new ControlClient(deep).spaces()).hasSize(1);
      }
      assertThat(new ControlClient(deep).spaces()).hasSize(1);
    }
  }

  @Test
  void renamedDirectoryLeadsToItsSocket() throws IOException {
    Path deep = directory.resolve("d".repeat(150));
    Path renamed = directory.resolve("r".repeat(150));
    try (Store other = Store.open(deep);
        ControlSocket _ = ControlSocket.open(other, deep)) {
      Files.move(deep, renamed);
      assertThat(new ControlClient(renamed).spaces()).isEmpty();
      Files.move(renamed, deep);
    }
  }

  @Test
  void socketOfKilledProcessIsReplaced() throws IOException {
    Path path = socket.path();
    socket.close();
    Files.createDirectory(path.getParent());
    try (var left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      left.bind(UnixDomainSocketAddress.of(path));
    }
    assertThat(client.isPresent()).isTrue();
    requireRefusal(Reason.FAILED, client::statistics);
    socket = ControlSocket.open(store, directory);
    assertThat(client.spaces()).isEmpty();
  }

  @Test
  void storeHasOneSocket() {
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> ControlSocket.open(store, directory))
        .withStackTraceContaining("has a control socket already");
    assertThat(client.spaces()).isEmpty();
    assertThat(ControlSocket.openIfPossible(store, directory)).isNull();
  }

  @Test
  void closedStoreRefuses() {
    store.close();
    requireRefusal(Reason.FAILED, client::statistics);
    requireRefusal(Reason.FAILED, client::spaces);
    store = Store.open(directory);
  }

  @Test
  void readOnlyStoreHasNone() {
    store.space("s");
    socket.close();
    store.close();
    store = Store.open(directory, StoreOptions.defaults().readOnly(true));
    assertThatIllegalArgumentException().isThrownBy(() -> ControlSocket.open(store, directory));
    assertThat(ControlSocket.openIfPossible(store, directory)).isNull();
  }
}
