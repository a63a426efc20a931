package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Commit;
import io.varve.ConflictException;
import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.Transaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What many threads see of each other: the contract on isolation.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConcurrencyTest {
  private final Threads threads = new Threads();
  private Store store;

  @BeforeEach
  void open(@TempDir Path directory) {
    store = Store.open(directory, Stores.tiny().durability(Durability.PROCESS_CRASH));
  }

  @AfterEach
  void verifyAndClose() {
    store.verify().requireSound();
    store.close();
  }

  /// Readers find every key that is always there, in order, none twice. Writers split and merge the
  /// pages around it then, and a cache that is too small drops them.
  @Test
  void readersSeeEveryLastingKeyWhileWritersRebuildPages() throws Exception {
    int keyCount = 6000;
    Space space = store.space("s");
    for (int i = 0; i < keyCount; i += 3) {
      space.with(Durability.BACKGROUND).put(lastingKey(i), valueOf(lastingKey(i), 0));
    }
    AtomicInteger writing = new AtomicInteger(2);
    for (int writer = 0; writer < 2; writer++) {
      int number = writer;
      threads.start(() -> {
        try {
          churn(space, keyCount, number);
        } finally {
          writing.decrementAndGet();
        }
      });
    }
    for (int reader = 0; reader < 3; reader++) {
      int number = reader;
      threads.start(() -> {
        SplittableRandom random = new SplittableRandom(number);
        do {
          readLasting(space, keyCount, random);
        } while (writing.get() > 0 && !threads.failed());
      });
    }
    threads.start(() -> {
      do {
        store.checkpoint();
        store.verify().requireSound();
      } while (writing.get() > 0 && !threads.failed());
    });
    threads.join();
    assertThat(space.count(Range.all())).isGreaterThanOrEqualTo(keyCount / 3);
    assertThat(store.statistics().cache().evictions()).as("the cache was too small").isPositive();
  }

  private static byte[] lastingKey(int number) {
    return Bytes.of("%06d".formatted(number));
  }

  /// The key, then a number, then bytes that have no meaning but belong to it.
  private static byte[] valueOf(byte[] key, int round) {
    byte[] value = new byte[key.length + 1 + (round * 131 + key[key.length - 1] * 7) % 900];
    Arrays.fill(value, (byte) round);
    System.arraycopy(key, 0, value, 0, key.length);
    return value;
  }

  private static void requireValueOf(byte[] key, byte[] value) {
    assertThat(value).startsWith(key);
    byte round = value[key.length];
    for (int i = key.length; i < value.length; i++) {
      assertThat(value[i]).as("value is whole").isEqualTo(round);
    }
  }

  private void churn(Space space, int keyCount, int number) {
    SplittableRandom random = new SplittableRandom(100 + number);
    for (int round = 1; round < 20; round++) {
      for (int i = 0; i < 400; i++) {
        int at = random.nextInt(keyCount);
        byte[] key = lastingKey(at % 3 == 0 ? at + 1 + number : at);
        switch (random.nextInt(6)) {
          case 0 -> {
            byte[] lasting = lastingKey(at - at % 3);
            space.with(Durability.BACKGROUND).put(lasting, valueOf(lasting, round));
          }
          case 1 -> {
            if (key[key.length - 1] != '0' && !isLasting(key)) {
              space.with(Durability.BACKGROUND).delete(key);
            }
          }
          default -> {
            if (!isLasting(key)) {
              space.with(Durability.BACKGROUND).put(key, valueOf(key, round));
            }
          }
        }
      }
      // Take away what is between two lasting keys, so that pages merge.
      for (int i = 0; i < 200; i++) {
        byte[] lasting = lastingKey(random.nextInt(keyCount / 3) * 3);
        byte[] next = lastingKey(Integer.parseInt(Bytes.toText(lasting)) + 3);
        space.deleteRange(Range.greaterThan(lasting).intersect(Range.lessThan(next)));
      }
    }
  }

  private static boolean isLasting(byte[] key) {
    return Integer.parseInt(Bytes.toText(key)) % 3 == 0;
  }

  private void readLasting(Space space, int keyCount, SplittableRandom random) {
    for (int i = 0; i < 200; i++) {
      byte[] key = lastingKey(random.nextInt(keyCount / 3) * 3);
      byte[] value = space.get(key);
      assertThat(value).as("lasting key").isNotNull();
      requireValueOf(key, value);
    }
    int from = random.nextInt(keyCount / 3) * 3;
    int to = Math.min(keyCount, from + 900);
    Range range = Range.of(lastingKey(from), lastingKey(to));
    int lasting = 0;
    byte[] last = null;
    for (Entry entry : space.scan(range)) {
      assertThat(last == null || Arrays.compareUnsigned(last, entry.key()) < 0).isTrue();
      last = entry.key();
      requireValueOf(entry.key(), entry.value());
      lasting += isLasting(entry.key()) ? 1 : 0;
    }
    assertThat(lasting).as("lasting keys of a scan").isEqualTo((to - from + 2) / 3);
    try (Cursor cursor = space.cursor(range)) {
      last = null;
      for (boolean on = cursor.last(); on; on = cursor.previous()) {
        assertThat(last == null || Arrays.compareUnsigned(last, cursor.key()) > 0).isTrue();
        last = cursor.key();
        lasting -= isLasting(last) ? 1 : 0;
      }
    }
    assertThat(lasting).as("lasting keys of a scan backwards").isZero();
  }

  /// A snapshot shows the same forever, whatever is written, evicted and checkpointed concurrently.
  @Test
  void snapshotsShowOnePointInCommitOrder() throws Exception {
    Space one = store.space("one");
    Space two = store.space("two");
    AtomicBoolean done = new AtomicBoolean();
    // Each commit puts its number everywhere, so any two numbers in one snapshot are equal.
    int keyCount = 50;
    threads.start(() -> {
      try {
        for (long round = 1; round <= 400; round++) {
          byte[] value = Bytes.of(round);
          store.transact(
              Durability.BACKGROUND,
              tx -> {
                for (int i = 0; i < keyCount; i++) {
                  tx.put(i % 2 == 0 ? one : two, Bytes.of(i), value);
                }
              });
          if (round % 100 == 0) {
            store.checkpoint();
          }
        }
      } finally {
        done.set(true);
      }
    });
    for (int reader = 0; reader < 2; reader++) {
      threads.start(() -> {
        while (!done.get() && !threads.failed()) {
          try (Snapshot snapshot = store.snapshot()) {
            long number = requireOneNumber(snapshot, List.of(one, two));
            assertThat(requireOneNumber(snapshot, List.of(two, one))).isEqualTo(number);
            long count = snapshot.count(one, Range.all()) + snapshot.count(two, Range.all());
            assertThat(count).isEqualTo(number == 0 ? 0 : keyCount);
          }
        }
      });
    }
    threads.join();
  }

  private static long requireOneNumber(Snapshot snapshot, List<Space> spaces) {
    long number = 0;
    for (Space space : spaces) {
      for (Entry entry : snapshot.scan(space, Range.all())) {
        long found = Bytes.toLong(entry.value());
        assertThat(number == 0 || number == found).as("half of a commit (D1)").isTrue();
        number = found;
      }
    }
    return number;
  }

  /// A reader without a snapshot sees a transaction in all spaces or in none: having seen its write
  /// in one of them, it sees it in the other.
  @Test
  void singleReadsSeeTransactionsTogetherOverSpaces() throws Exception {
    Space one = store.space("one");
    Space two = store.space("two");
    AtomicBoolean done = new AtomicBoolean();
    threads.start(() -> {
      try {
        for (long round = 1; round <= 5000; round++) {
          byte[] value = Bytes.of(round);
          try (Transaction tx = store.begin()) {
            tx.put(one, Bytes.of("k"), value);
            tx.put(two, Bytes.of("k"), value);
            if (round % 10 == 0) { // and a transaction of many pages
              for (int i = 0; i < 100; i++) {
                tx.put(two, Bytes.of("k" + i), value);
              }
            }
            tx.commit(Durability.BACKGROUND);
          }
        }
      } finally {
        done.set(true);
      }
    });
    for (int reader = 0; reader < 3; reader++) {
      Space first = reader == 0 ? two : one;
      Space second = reader == 0 ? one : two;
      threads.start(() -> {
        while (!done.get() && !threads.failed()) {
          long earlier = Bytes.toLong(first.get(Bytes.of("k")));
          long later = Bytes.toLong(second.get(Bytes.of("k")));
          assertThat(later).as("read after %d", earlier).isGreaterThanOrEqualTo(earlier);
        }
      });
    }
    threads.join();
  }

  /// Money moves between accounts of two spaces; the sum never changes.
  @Test
  void transfersKeepTheSumInEverySnapshot() throws Exception {
    int accounts = 40;
    long start = 1000;
    List<Space> banks = List.of(store.space("bank1"), store.space("bank2"));
    store.transact(tx -> {
      for (int i = 0; i < accounts; i++) {
        tx.put(banks.get(i % 2), Bytes.of(i), Bytes.of(start));
      }
    });
    AtomicInteger transferring = new AtomicInteger(4);
    for (int teller = 0; teller < 4; teller++) {
      SplittableRandom random = new SplittableRandom(teller);
      boolean virtual = teller % 2 == 0;
      Threads.Body body =
          () -> {
            try {
              for (int i = 0; i < 500; i++) {
                transfer(banks, random.nextInt(accounts), random.nextInt(accounts), random);
              }
            } finally {
              transferring.decrementAndGet();
            }
          };
      if (virtual) {
        threads.startVirtual(body);
      } else {
        threads.start(body);
      }
    }
    threads.start(() -> {
      do {
        try (Snapshot snapshot = store.snapshot()) {
          long sum = 0;
          for (Space bank : banks) {
            for (Entry entry : snapshot.scan(bank, Range.all())) {
              sum += Bytes.toLong(entry.value());
            }
          }
          assertThat(sum).as("sum of all accounts").isEqualTo(accounts * start);
        }
      } while (transferring.get() > 0 && !threads.failed());
    });
    threads.join();
  }

  private void transfer(List<Space> banks, int from, int to, SplittableRandom random) {
    if (from == to) {
      return;
    }
    long amount = random.nextInt(100);
    store.transact(
        Durability.BACKGROUND,
        tx -> {
          Space source = banks.get(from % 2);
          Space target = banks.get(to % 2);
          long held = Bytes.toLong(tx.get(source, Bytes.of(from)));
          long other = Bytes.toLong(tx.get(target, Bytes.of(to)));
          if (held >= amount) {
            tx.put(source, Bytes.of(from), Bytes.of(held - amount));
            tx.put(target, Bytes.of(to), Bytes.of(other + amount));
          }
        });
  }

  /// Two doctors may each leave while the other is on call. Under snapshot isolation alone both
  /// would (write skew); a serializable store lets one.
  @Test
  void writeSkewIsRefused() throws Exception {
    Space onCall = store.space("onCall");
    for (int round = 0; round < 300; round++) {
      byte[] left = Bytes.of("left" + round);
      byte[] right = Bytes.of("right" + round);
      store.transact(
          Durability.BACKGROUND,
          tx -> {
            tx.put(onCall, left, new byte[0]);
            tx.put(onCall, right, new byte[0]);
          });
      CountDownLatch bothRead = new CountDownLatch(2);
      AtomicInteger left2 = new AtomicInteger();
      for (byte[] doctor : List.of(left, right)) {
        threads.startVirtual(() -> {
          try (Transaction tx = store.begin()) {
            boolean two = tx.contains(onCall, left) && tx.contains(onCall, right);
            bothRead.countDown();
            bothRead.await();
            if (two) {
              tx.delete(onCall, doctor);
              tx.commit(Durability.BACKGROUND);
              left2.incrementAndGet();
            }
          } catch (ConflictException e) {
            // the other one left first
          }
        });
      }
      threads.join();
      assertThat(left2.get()).as("doctors that left in round %d", round).isEqualTo(1);
      assertThat(onCall.contains(left) || onCall.contains(right)).isTrue();
    }
  }

  /// A range that was found empty must still be empty at commit (no phantoms).
  @Test
  void phantomsAreRefused() {
    Space space = store.space("s");
    Range range = Range.prefix(Bytes.of("seat/"));
    try (Transaction first = store.begin();
        Transaction second = store.begin()) {
      assertThat(first.count(space, range)).isZero();
      assertThat(second.scan(space, range)).isEmpty();
      first.put(space, Bytes.of("seat/1"), Bytes.of("first"));
      second.put(space, Bytes.of("seat/2"), Bytes.of("second"));
      first.commit();
      assertThat(conflicts(second)).isTrue();
    }
    assertThat(space.count(range)).isEqualTo(1);
  }

  private static boolean conflicts(Transaction transaction) {
    try {
      transaction.commit();
      return false;
    } catch (ConflictException e) {
      return true;
    }
  }

  /// Conditional operations are linearizable: no update is lost.
  @Test
  void concurrentCountersLoseNoUpdate() throws Exception {
    Space space = store.space("s");
    byte[] key = Bytes.of("counter");
    int each = 400;
    for (int i = 0; i < 2; i++) {
      threads.start(() -> {
        for (int n = 0; n < each; n++) {
          space.merge(
              key, Bytes.of(1), (old, one) -> Bytes.of(Bytes.toLong(old) + Bytes.toLong(one)));
        }
      });
      threads.startVirtual(() -> {
        for (int n = 0; n < each; ) {
          byte[] old = space.get(key);
          n += space.compareAndSet(key, old, Bytes.of(Bytes.toLong(old) + 1)) ? 1 : 0;
        }
      });
      threads.start(() -> {
        for (int n = 0; n < each; n++) {
          store.transact(tx -> tx.put(space, key, Bytes.of(Bytes.toLong(tx.get(space, key)) + 1)));
        }
      });
    }
    threads.join();
    assertThat(Bytes.toLong(space.get(key))).isEqualTo(6L * each);
  }

  /// Ten thousand threads wait for their commits concurrently, each gets an LSN of its own, and
  /// none keeps its carrier while it waits.
  @Test
  void tenThousandVirtualThreadsCommitTogether() throws Exception {
    Space space = store.space("s");
    // What initializes classes may pin its carrier, once: those of events when there is a recorder.
    try (Recording first = new Recording()) {
      first.start();
      threads.startVirtual(() -> space.with(Durability.POWER_LOSS).put(Bytes.of(0), Bytes.of(0)));
      threads.join();
    }
    try (Recording recording = new Recording()) {
      recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO).withStackTrace();
      recording.start();
      commitTogether(space, 10_000);
      recording.stop();
      assertThat(eventsInVarve(recording)).as("waits that pinned a carrier").isEmpty();
    }
  }

  /// Not a thread that waits for the lock of a class loader, which is the JVM's, and once for each
  /// class.
  private static boolean isOfVarve(String stackTrace) {
    return stackTrace.contains("io.varve") && !stackTrace.contains("jdk.internal.loader");
  }

  private static List<RecordedEvent> eventsInVarve(Recording recording) throws IOException {
    Path file = Files.createTempFile("varve", ".jfr");
    try {
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .filter(event -> isOfVarve(String.valueOf(event.getStackTrace())))
          .toList();
    } finally {
      Files.delete(file);
    }
  }

  private void commitTogether(Space space, int count) throws Exception {
    ConcurrentHashMap<Commit, Integer> commits = new ConcurrentHashMap<>();
    CountDownLatch start = new CountDownLatch(1);
    for (int i = 0; i < count; i++) {
      int number = i;
      threads.startVirtual(() -> {
        start.await();
        Commit commit = space.with(Durability.POWER_LOSS).put(Bytes.of(number), Bytes.of(number));
        assertThat(commits.put(commit, number)).as("commit given twice").isNull();
        assertThat(Bytes.toLong(space.get(Bytes.of(number)))).isEqualTo(number);
      });
    }
    start.countDown();
    threads.join();
    assertThat(commits).hasSize(count);
    assertThat(space.count(Range.all())).isEqualTo(count);
    assertThat(store.statistics().commits().durableLsn())
        .isGreaterThanOrEqualTo(commits.keySet().stream().mapToLong(Commit::lsn).max().orElse(0));
  }

  /// A strong commit ends while weak ones come without end (D5).
  @Test
  void strongCommitsAreNotStarvedByWeakOnesD5() throws Exception {
    Space space = store.space("s");
    AtomicBoolean done = new AtomicBoolean();
    AtomicLong weak = new AtomicLong();
    for (int i = 0; i < 3; i++) {
      int number = i;
      threads.start(() -> {
        for (long n = 0; !done.get(); n++) {
          byte[] key = Bytes.of(number + "/" + n % 1000);
          space.with(Durability.BACKGROUND).put(key, new byte[100]);
          weak.incrementAndGet();
        }
      });
    }
    threads.start(() -> {
      try {
        for (int n = 0; n < 200; n++) {
          space.with(Durability.POWER_LOSS).put(Bytes.of("strong" + n), new byte[100]);
        }
      } finally {
        done.set(true);
      }
    });
    threads.join();
    assertThat(weak.get()).isPositive();
  }

  /// The stages of one thread's asynchronous commits complete, all of them, with rising LSNs.
  @Test
  void asynchronousCommitsAllComplete() throws Exception {
    Space space = store.space("s");
    int count = 3000;
    List<java.util.concurrent.CompletableFuture<Commit>> stages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      stages.add(space.async().put(Bytes.of(i), Bytes.of(i)).toCompletableFuture());
      assertThat(Bytes.toLong(space.get(Bytes.of(i)))).isEqualTo(i);
    }
    Commit last = new Commit(0);
    for (var stage : stages) {
      Commit commit = stage.get();
      assertThat(commit).isGreaterThan(last);
      last = commit;
    }
    assertThat(store.whenDurable(last).toCompletableFuture().get()).isEqualTo(last);
  }

  /// Compaction comes to pages and large values of spaces that are dropped concurrently: what a
  /// drop freed must not be freed again.
  @Test
  void compactionContinuesWhileSpacesAreDropped() throws Exception {
    AtomicInteger dropping = new AtomicInteger(2);
    for (int i = 0; i < 2; i++) {
      int number = i;
      threads.start(() -> {
        try {
          for (int round = 0; round < 40; round++) {
            Space space = store.space("dropped" + number);
            for (int n = 0; n < 60; n++) {
              space.with(Durability.BACKGROUND).put(Bytes.of(n), new byte[n % 6 == 0 ? 3000 : 200]);
            }
            store.checkpoint();
            assertThat(store.dropSpace(space.name())).isTrue();
          }
        } finally {
          dropping.decrementAndGet();
        }
      });
    }
    threads.start(() -> {
      do {
        store.compact();
      } while (dropping.get() > 0 && !threads.failed());
    });
    threads.join();
  }
}
