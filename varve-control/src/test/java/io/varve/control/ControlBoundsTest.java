package io.varve.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.varve.Range;
import io.varve.Store;
import io.varve.control.ControlException.Reason;
import io.varve.control.internal.Bounds;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients that are slow, dead, many or hostile, and a process that is: neither side hangs, and
/// none holds more of the other than its bounds allow.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class ControlBoundsTest {
  private static final String SCAN = "{\"version\":2,\"operation\":\"SCAN\",\"space\":\"s\"}";

  /// Inputs of each direction; more by the property.
  private static final int INPUTS = Integer.getInteger("varve.control.inputs", 300);

  @TempDir Path directory;

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
      Thread.yield();
    }
  }

  private static SocketChannel connect(Path socket) throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(socket));
  }

  private static byte[] frame(char kind, byte[] payload) {
    return ByteBuffer.allocate(payload.length + 5)
        .putInt(payload.length + 1)
        .put((byte) kind)
        .put(payload)
        .array();
  }

  /// More than sockets buffer, so that a scan waits for its reader.
  private static void fill(Store store) {
    for (int i = 0; i < 80; i++) {
      store.space("s").put(("k" + i).getBytes(UTF_8), new byte[100_000]);
    }
  }

  /// Guards against a client that asks, reads nothing, and keeps what the store has dropped on
  /// disk.
  @Test
  void slowClientLosesItsSnapshot() throws IOException {
    try (Store store = Store.open(directory);
        ControlSocket socket =
            ControlSocket.open(
                store, directory, new Bounds(1, Duration.ofMillis(500), Duration.ofMillis(1)))) {
      fill(store);
      try (SocketChannel slow = connect(socket.path())) {
        slow.write(ByteBuffer.wrap(frame('Q', SCAN.getBytes(UTF_8))));
        await(() -> store.statistics().snapshots().open().size() == 1);
        await(() -> store.statistics().snapshots().open().isEmpty());
        byte[] all = Channels.newInputStream(slow).readAllBytes();
        assertThat(all.length).isLessThan(8_000_000);
      }
      // The one connection is free again.
      await(() -> canCount(new ControlClient(directory)));
    }
  }

  private static boolean canCount(ControlClient client) {
    try {
      return client.count("s", Range.all()) == 80;
    } catch (ControlException e) {
      assertThat(e.reason()).isEqualTo(Reason.BUSY);
      return false;
    }
  }

  @Test
  void silentClientIsDisconnected() throws IOException {
    try (Store store = Store.open(directory);
        ControlSocket socket =
            ControlSocket.open(
                store, directory, new Bounds(1, Duration.ofMillis(1), Duration.ofMillis(1)));
        SocketChannel silent = connect(socket.path())) {
      assertThat(Channels.newInputStream(silent).readAllBytes()).isEmpty();
    }
  }

  @Test
  void connectionsAreBounded() throws IOException {
    try (Store store = Store.open(directory);
        ControlSocket socket =
            ControlSocket.open(
                store, directory, new Bounds(2, Duration.ofMinutes(5), Duration.ofMinutes(5)))) {
      fill(store);
      var client = new ControlClient(directory);
      try (SocketChannel first = connect(socket.path());
          SocketChannel second = connect(socket.path())) {
        for (SocketChannel slow : List.of(first, second)) {
          slow.write(ByteBuffer.wrap(frame('Q', SCAN.getBytes(UTF_8))));
        }
        await(() -> store.statistics().snapshots().open().size() == 2);
        assertThatExceptionOfType(ControlException.class)
            .isThrownBy(client::statistics)
            .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.BUSY));
      }
      await(() -> canCount(client)); // both have gone
      await(() -> store.statistics().snapshots().open().isEmpty());
    }
  }

  private static List<byte[]> hostile(Random random, byte[]... seeds) {
    List<byte[]> inputs = new ArrayList<>();
    for (int i = 0; i < INPUTS; i++) {
      byte[] seed = seeds[random.nextInt(seeds.length)];
      byte[] input = seed.clone();
      switch (random.nextInt(4)) {
        case 0 -> {
          input = new byte[random.nextInt(40)];
          random.nextBytes(input);
        }
        case 1 -> input = Arrays.copyOf(input, random.nextInt(input.length));
        case 2 -> input[random.nextInt(input.length)] ^= (byte) (1 << random.nextInt(8));
        default -> {
          for (int flips = 0; flips < 5; flips++) {
            input[random.nextInt(input.length)] = (byte) random.nextInt();
          }
        }
      }
      inputs.add(input);
    }
    return inputs;
  }

  @Test
  void hostileRequestsAreRefused() throws IOException {
    try (Store store = Store.open(directory);
        ControlSocket socket = ControlSocket.open(store, directory)) {
      store.space("s").put(new byte[] {1}, new byte[] {2});
      String get = "{\"version\":2,\"operation\":\"GET\",\"space\":\"s\",\"key\":\"AQ==\"}";
      String query = "{\"version\":2,\"operation\":\"QUERY\",\"text\":\"from s where a = 1\"}";
      List<byte[]> inputs =
          hostile(
              new Random(17),
              frame('Q', SCAN.getBytes(UTF_8)),
              frame('Q', get.getBytes(UTF_8)),
              frame('Q', query.getBytes(UTF_8)));
      inputs.add(frame('Q', "[".repeat(60_000).getBytes(UTF_8)));
      inputs.add(frame('Q', "{\"version\":2}".getBytes(UTF_8)));
      inputs.add(frame('Q', "{\"version\":2}".getBytes(UTF_8)));
      inputs.add(frame('Q', "{\"version\":2,\"operation\":\"GET\"}".getBytes(UTF_8)));
      inputs.add(frame('Q', "null".getBytes(UTF_8)));
      inputs.add(new byte[] {127, -1, -1, -1, 'Q'});
      inputs.add(new byte[] {0, 0, 0, 0, 'Q'});
      for (byte[] input : inputs) {
        try (SocketChannel channel = connect(socket.path())) {
          channel.write(ByteBuffer.wrap(input));
          channel.shutdownOutput();
          Channels.newInputStream(channel).readAllBytes(); // ends
        } catch (IOException e) {
          // The process has ended the connection before it had read all.
        }
      }
      await(() -> new ControlClient(directory).count("s", Range.all()) == 1);
      store.verify().requireSound();
    }
  }

  /// What a process answers is no more to be trusted.
  @Test
  void hostileAnswersAreErrors() throws Exception {
    Path control = Files.createDirectory(directory.resolve("control"));
    byte[] entry = new byte[] {0, 0, 0, 2, 'K', 1, 0, 0, 0, 2, 'V', 2, 0, 0, 0, 1, 'E'};
    byte[] json = frame('J', "[{\"name\":\"s\",\"entries\":1,\"bytes\":2}]".getBytes(UTF_8));
    List<byte[]> answers = hostile(new Random(18), entry, json);
    answers.add(new byte[0]);
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(control.resolve("socket")));
      var client = new ControlClient(directory);
      for (byte[] answer : answers) {
        Thread answering = Thread.ofVirtual().start(() -> answer(server, answer));
        try {
          if (answer.length % 2 == 0) {
            client.scan("s", Range.all(), false, false, 10, (_, _) -> {});
          } else {
            client.spaces();
          }
        } catch (ControlException e) {
          assertThat(e.reason()).isNotNull();
        }
        answering.join();
      }
    }
  }

  private static void answer(ServerSocketChannel server, byte[] answer) {
    try (SocketChannel channel = server.accept()) {
      var request = ByteBuffer.allocate(1 << 16);
      if (channel.read(request) < 0) {
        throw new EOFException();
      }
      channel.write(ByteBuffer.wrap(answer));
    } catch (IOException e) {
      // The client has seen enough.
    }
  }
}
