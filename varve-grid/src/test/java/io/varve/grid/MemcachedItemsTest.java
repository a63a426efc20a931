package io.varve.grid;

import static io.varve.grid.BinaryMemcached.NOTHING;
import static io.varve.grid.BinaryMemcached.numbered;
import static io.varve.grid.BinaryMemcached.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.grid.BinaryMemcached.Answer;
import io.varve.grid.node.Node;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What items of memcached are after requests that change them in part, as memcached 1.6.18 has it.
@Timeout(300)
class MemcachedItemsTest {
  private static final int THREADS = 4;
  private static final int CALLS = 100;

  @TempDir static Path data;

  private static Node node;

  @BeforeAll
  static void start() {
    node = Serving.node(data, "--durability", "BACKGROUND", "--memcached-port", Serving.freePort());
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  private interface Check<C> {
    void of(C client) throws Exception;
  }

  private static void byText(Check<TextMemcached> check) throws Exception {
    for (int port : new int[] {node.port(), node.memcachedPort()}) {
      try (var client = new TextMemcached(port)) {
        check.of(client);
      }
    }
  }

  private static void byBinary(Check<BinaryMemcached> check) throws Exception {
    for (int port : new int[] {node.port(), node.memcachedPort()}) {
      try (var client = new BinaryMemcached(port)) {
        check.of(client);
      }
    }
  }

  private static byte[] ints(int... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Integer.BYTES);
    IntStream.of(numbers).forEach(bytes::putInt);
    return bytes.array();
  }

  /// The difference, what is stored where there is no counter, and when that expires.
  private static byte[] count(long by, long initial, int expiry) {
    return ByteBuffer.allocate(20).putLong(by).putLong(initial).putInt(expiry).array();
  }

  private static Answer store(BinaryMemcached client, String key, String value, int... extras)
      throws IOException {
    Answer stored = client.call(BinaryMemcached.SET, ints(extras), key, value);
    assertThat(stored.status()).isZero();
    return stored;
  }

  private static Answer read(BinaryMemcached client, String key) throws IOException {
    return client.call(BinaryMemcached.GET, NOTHING, key, "");
  }

  /// MEMCACHED-8
  @Test
  void flagsHaveNoSign() throws Exception {
    byText(client -> {
      client.store("set f 4294967295 0", "v");
      client.store("set g 2147483648 0", "w");
      assertThat(client.items("get f")).isEqualTo("VALUE f 4294967295 1 v");
      assertThat(client.items("get f g"))
          .isEqualTo("VALUE f 4294967295 1 v VALUE g 2147483648 1 w");
      assertThat(client.items("gat 0 g")).isEqualTo("VALUE g 2147483648 1 w");
      assertThat(client.items("gets g")).startsWith("VALUE g 2147483648 1 ");
    });
    byBinary(client -> assertThat(read(client, "f").flags()).isEqualTo(-1));
  }

  /// MEMCACHED-8. Clients that read several items for `cas` got none.
  @Test
  void severalItemsHaveTheirNumbers() throws Exception {
    byText(client -> {
      client.store("set a 0 0", "1");
      client.store("set b 0 0", "2");
      String numbered = "VALUE a 0 1 \\d+ 1 VALUE b 0 1 \\d+ 2";
      assertThat(client.items("gets a missing b")).matches(numbered);
      assertThat(client.items("gats 0 a missing b")).matches(numbered);
      assertThat(client.items("gats 0 missing")).isEmpty();
      assertThat(client.call("get")).isEqualTo("ERROR");
    });
  }

  /// MEMCACHED-7
  @Test
  void aTextThatGrowsKeepsItsFlags() throws Exception {
    byText(client -> {
      client.store("set t 77 0", "b");
      String before = client.items("gets t");
      assertThat(client.store("append t 5 1", "c")).isEqualTo("STORED");
      assertThat(client.store("prepend t 6 1", "a")).isEqualTo("STORED");
      assertThat(client.items("gets t")).matches("VALUE t 77 3 \\d+ abc").isNotEqualTo(before);
      assertThat(client.call("touch t 100")).isEqualTo("TOUCHED");
      assertThat(client.items("gat 100 t")).isEqualTo("VALUE t 77 3 abc");
      assertThat(client.items("get t")).isEqualTo("VALUE t 77 3 abc");
      client.store("set n 77 0", "7");
      assertThat(client.call("incr n 3")).isEqualTo("10");
      assertThat(client.items("get n")).isEqualTo("VALUE n 77 2 10");
      assertThat(client.store("append missing 0 0", "x")).isEqualTo("NOT_STORED");
    });
  }

  /// MEMCACHED-7. A counter of a limit per minute stayed for good.
  @Test
  void anItemThatChangesExpiresAsBefore() throws Exception {
    byText(client -> {
      client.store("set grown 0 1", "1");
      client.store("set counted 0 1", "1");
      client.store("append grown 0 0", "1");
      client.call("incr counted 1");
      await().until(() -> client.items("get grown counted").isEmpty());
    });
    byBinary(client -> {
      store(client, "counted", "1", 0, 1);
      client.call(BinaryMemcached.INCREMENT, count(1, 0, -1), "counted", "");
      await().until(() -> read(client, "counted").status() == 1);
    });
  }

  /// MEMCACHED-7
  @Test
  void aBinaryItemKeepsItsFlags() throws Exception {
    byBinary(client -> {
      long number = store(client, "b", "5", 77, 0).number();
      Answer counted = client.call(BinaryMemcached.INCREMENT, count(1, 0, 0), "b", "");
      assertThat(counted.status()).isZero();
      assertThat(counted.number()).isNotEqualTo(number);
      assertThat(client.call(BinaryMemcached.TOUCH, ints(100), "b", "").flags()).isEqualTo(77);
      assertThat(client.call(BinaryMemcached.GET_AND_TOUCH, ints(0), "b", "").value())
          .isEqualTo("6");
      Answer grown = client.call(BinaryMemcached.APPEND, NOTHING, "b", "x");
      Answer read = read(client, "b");
      assertThat(read.value()).isEqualTo("6x");
      assertThat(read.flags()).isEqualTo(77);
      assertThat(read.number()).isEqualTo(grown.number()).isNotEqualTo(counted.number());
    });
  }

  /// MEMCACHED-9. A `replace` was never done, and what had grown was overwritten.
  @Test
  void aNumberIsThatOfTheItem() throws Exception {
    byBinary(client -> {
      byte[] flags = BinaryMemcached.NO_FLAGS;
      long number = store(client, "c", "1", 0, 0).number();
      client.send(numbered(request(BinaryMemcached.REPLACE, 1, flags, "c", "2"), number));
      Answer replaced = client.answer();
      assertThat(replaced.status()).isZero();
      client.send(numbered(request(BinaryMemcached.APPEND, 1, NOTHING, "c", "x"), number));
      assertThat(client.answer().status()).as("was changed").isEqualTo(2);
      assertThat(client.call(BinaryMemcached.APPEND, NOTHING, "c", "y").status()).isZero();
      client.send(numbered(request(BinaryMemcached.SET, 1, flags, "c", "3"), replaced.number()));
      assertThat(client.answer().status()).as("has grown").isEqualTo(2);
      assertThat(read(client, "c").value()).isEqualTo("2y");
      assertThat(client.call(BinaryMemcached.APPEND, NOTHING, "none", "x").status()).isEqualTo(5);
    });
  }

  /// MEMCACHED-8. A number of 30 digits became 0.
  @Test
  void countersHave64BitsWithoutASign() throws Exception {
    byText(client -> {
      client.store("set n 0 0", "18446744073709551615");
      assertThat(client.call("decr n 1")).isEqualTo("18446744073709551614");
      assertThat(client.call("incr n 3")).isEqualTo("1");
      assertThat(client.call("decr n 5")).isEqualTo("0");
      for (String none : new String[] {"1".repeat(30), "-5", "x"}) {
        client.store("set n 0 0", none);
        assertThat(client.call("incr n 1")).startsWith("CLIENT_ERROR");
        assertThat(client.items("get n")).endsWith(" " + none);
      }
    });
    byBinary(client -> {
      store(client, "n", "18446744073709551615", 0, 0);
      client.call(BinaryMemcached.DECREMENT, count(1, 0, 0), "n", "");
      assertThat(read(client, "n").value()).isEqualTo("18446744073709551614");
    });
  }

  /// MEMCACHED-10, MEMCACHED-12
  @Test
  void linesOfOldClientsAreTaken() throws Exception {
    byText(client -> {
      client.store("set d 0 0", "x");
      assertThat(client.call("delete d 0")).isEqualTo("DELETED");
      client.store("set d 0 0", "x");
      assertThat(client.call("delete d 0 noreply\r\nversion")).startsWith("VERSION");
      assertThat(client.items("get d")).isEmpty();
      for (int attempt = 0; attempt < 200; attempt++) { // within a millisecond, too
        assertThat(client.store("set d 0 -1", "y")).isEqualTo("STORED");
        assertThat(client.items("get d")).isEmpty();
      }
      client.store("set d 0 0", "x");
      assertThat(client.call("touch d -1")).isEqualTo("TOUCHED");
      assertThat(client.items("get d")).isEmpty();
      assertThat(client.store("set d 4294967296 0", "set e 0 0 1\r\nx")).startsWith("CLIENT_ERROR");
      assertThat(client.items("get d e")).as("a value is no command").isEmpty();
    });
  }

  /// MEMCACHED-13. The next line was taken for what was missing, and `set` was not answered.
  @Test
  void aLineWithoutAllOfItsWordsIsAnError() throws Exception {
    byText(client -> {
      assertThat(client.call("version")).as("it is memcached's protocol").startsWith("VERSION");
      for (String line :
          List.of(
              "set",
              "set a",
              "cas a 0 0 1",
              "add a 0 0",
              "incr",
              "touch a",
              "gats",
              "get",
              "get ",
              "gets",
              "verbosity 1",
              "",
              " ")) {
        assertThat(client.call(line)).as(line).isEqualTo("ERROR");
      }
      assertThat(client.call("delete\r\ndelete none")).isEqualTo("ERROR");
      assertThat(client.call("version")).isEqualTo("NOT_FOUND");
    });
    byText(client -> {
      client.store("set  spaces 0  0", "x");
      assertThat(client.items("get  spaces ")).isEqualTo("VALUE spaces 0 1 x");
      assertThat(client.call("delete spaces\ndelete spaces")).isEqualTo("DELETED");
      assertThat(client.call("version")).isEqualTo("NOT_FOUND");
    });
  }

  /// CONNECTION-7. The connection ended without a word, and what came before was not answered.
  @Test
  void aLengthThatIsNoneIsAnswered() throws Exception {
    for (String length : List.of("x", "-1", "1x", "99999999999999999999", "1.5")) {
      byText(client -> {
        client.send("version\r\nset a 0 0 " + length + "\r\nversion");
        assertThat(client.line()).startsWith("VERSION");
        assertThat(client.line()).as(length).startsWith("CLIENT_ERROR");
        assertThat(client.line()).as("what follows is a value or a command").isNull();
      });
    }
    byText(client -> {
      client.send("version\r\nset a 0 0 2147483647\r\nx");
      assertThat(client.line()).startsWith("VERSION");
      assertThat(client.line()).startsWith("SERVER_ERROR object too large");
      assertThat(client.line()).isNull();
    });
  }

  /// MEMCACHED-11. A part of it was stored.
  @Test
  void aValueOfAnotherLengthIsNotStored() throws Exception {
    byText(client -> {
      assertThat(client.call("set long 0 0 3\r\nabcdef")).isNull();
    });
    byText(client -> assertThat(client.items("get long")).isEmpty());
  }

  /// MEMCACHED-6
  @Test
  void allThatClientsCountIsCounted() throws Exception {
    try (var client = new TextMemcached(node.port())) {
      client.store("set sum 0 0", "0");
      client.store("set all 0 0", "");
      together(() -> {
        try (var other = new TextMemcached(node.port())) {
          for (int at = 0; at < CALLS; at++) {
            assertThat(other.call("incr sum 1")).containsOnlyDigits();
            assertThat(other.store("append all 0 0", "x")).isEqualTo("STORED");
          }
        }
        return null;
      });
      assertThat(client.items("get sum")).endsWith(" " + THREADS * CALLS);
      assertThat(client.items("get all")).endsWith(" " + "x".repeat(THREADS * CALLS));
    }
  }

  /// MEMCACHED-6. A `touch` stored the value again that it had read.
  @Test
  void aTouchDoesNotUndoWhatIsStored() throws Exception {
    var ended = new AtomicBoolean();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        var client = new TextMemcached(node.port())) {
      client.store("set touched 0 0", "first");
      Future<?> touching =
          threads.submit(() -> {
            try (var other = new TextMemcached(node.port())) {
              while (!ended.get()) {
                other.call("touch touched 100");
                other.items("gat 100 touched");
              }
            }
            return null;
          });
      try {
        for (int at = 0; at < 3 * CALLS; at++) {
          client.store("set touched 0 0", "v" + at);
          assertThat(client.items("get touched")).endsWith(" v" + at);
        }
      } finally {
        ended.set(true);
      }
      touching.get();
    }
  }

  private static void together(Callable<?> calls) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (Future<?> each :
          threads.invokeAll(IntStream.range(0, THREADS).mapToObj(_ -> calls).toList())) {
        each.get();
      }
    }
  }
}
