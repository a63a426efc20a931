package io.varve.test;

import io.varve.Durability;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.admin.BackupOptions;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.FileDisk;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.store.StoreOpener;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The process that [KillTest] kills: commits from several threads, and prints what it begins and
/// what the store acknowledged, before it continues. Its commits follow from the seed and from what
/// the store held when it was opened, so they need not be printed.
///
/// | line                  | meaning                                             |
/// |-----------------------|-----------------------------------------------------|
/// | `K`                   | the call comes at which the child is to be killed   |
/// | `opened`              | the store is open and was read                      |
/// | `B writer`            | the writer begins its next commit                   |
/// | `P writer number`     | the commit is visible                               |
/// | `A writer number durability lsn` | the commit is acknowledged; `-` for no LSN |
/// | `closed`              | the store was closed                                |
/// | `failed`              | the store refused something, where calls may fail   |
/// | `F message`           | something failed that may not                       |
///
/// A signal that ends it in order (SIGTERM) closes the store, as a program should.
final class KillChild {
  /// Commits of each writer before the store is closed, if that is when the kill is to come.
  private static final int COMMITS_BEFORE_CLOSE = 60;

  /// Commits of each writer before the store is closed, if system calls fail.
  private static final int COMMITS_WITH_FAILURES = 150;

  /// What the line of a failure shows of its stack: the rest is in the output of errors alone.
  private static final int FRAMES_SHOWN = 4;

  /// Whether system calls of this process fail, so that the store may.
  private static final boolean CALLS_FAIL = System.getenv(FailingCalls.KIND) != null;

  private static final ScopedValue<KillPhase> UNDER_WAY = ScopedValue.newInstance();
  private static final PrintStream OUT =
      new PrintStream(System.out, /* autoFlush= */ false, StandardCharsets.UTF_8);

  private final Path directory;
  private final long seed;
  private final int writerCount;
  private final KillOrder order;
  private final AtomicInteger callsLeft;
  private volatile boolean terminated;

  private KillChild(Path directory, long seed, int writerCount, KillOrder order) {
    this.directory = directory;
    this.seed = seed;
    this.writerCount = writerCount;
    this.order = order;
    this.callsLeft = new AtomicInteger(order.calls());
  }

  static String[] arguments(Path directory, long seed, int writerCount, KillOrder order) {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of(directory.toString(), Long.toString(seed), "" + writerCount));
    arguments.addAll(order.arguments());
    return arguments.toArray(String[]::new);
  }

  public static void main(String[] arguments) {
    KillOrder order = KillOrder.parse(arguments[3], arguments[4], arguments[5]);
    new KillChild(
            Path.of(arguments[0]),
            Long.parseLong(arguments[1]),
            Integer.parseInt(arguments[2]),
            order)
        .run();
  }

  static RandomCommits script(long seed, int writer, Model held) {
    RandomCommits script = new RandomCommits(seed, "w" + writer + "/", workload());
    script.resume(held);
    return script;
  }

  private static Workload workload() {
    return Workload.small().keys(300, 30);
  }

  private void run() {
    try {
      Disk disk = new WatchedDisk(FileDisk.open(directory, true), this::watch);
      StoreOptions options = Stores.random(new SplittableRandom(seed));
      Store store =
          during(
              KillPhase.OPEN,
              () -> StoreOpener.open(disk, Clock.SYSTEM, StoreThreads.PLATFORM, options));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> terminate(store)));
      Model held = Model.of(store);
      say("opened");
      while (order.phase() == KillPhase.OPEN) {
        LockSupport.park(this); // what the open left is all that counts
      }
      Thread[] threads = new Thread[writerCount];
      for (int i = 0; i < writerCount; i++) {
        int writer = i;
        threads[i] = Thread.ofPlatform().start(() -> commitMany(store, held, writer));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      if (!terminated) {
        close(store);
      }
    } catch (Throwable e) {
      failOrRefuse(e);
    }
  }

  private static <T> T during(KillPhase phase, Supplier<T> work) {
    return ScopedValue.where(UNDER_WAY, phase).call(work::get);
  }

  private static void during(KillPhase phase, Runnable work) {
    ScopedValue.where(UNDER_WAY, phase).run(work);
  }

  /// Asks for the kill when its call comes.
  private void watch(DiskCall call) {
    KillPhase underWay = UNDER_WAY.isBound() ? UNDER_WAY.get() : null;
    if (order.phase().covers(underWay, call) && callsLeft.getAndDecrement() == 0) {
      say("K");
      while (order.holds()) {
        LockSupport.park(this);
      }
    }
  }

  private void terminate(Store store) {
    terminated = true;
    close(store);
  }

  private static void close(Store store) {
    during(KillPhase.CLOSE, store::close);
    say("closed");
  }

  private void commitMany(Store store, Model held, int writer) {
    int count =
        order.phase() == KillPhase.CLOSE
            ? COMMITS_BEFORE_CLOSE
            : CALLS_FAIL ? COMMITS_WITH_FAILURES : Integer.MAX_VALUE;
    try {
      RandomCommits script = script(seed, writer, held);
      for (int number = 0; number < count; number++) {
        RandomCommit commit = script.next();
        script.accept(commit);
        say("B " + writer);
        commit.runOn(store, new Reporting(writer, number));
        maintain(store, writer, number);
      }
    } catch (StoreClosedException e) {
      if (!terminated) {
        fail(e);
      }
    } catch (Throwable e) {
      failOrRefuse(e);
    }
  }

  /// A store may refuse, by an exception of its own, what a failed call keeps it from.
  private void failOrRefuse(Throwable e) {
    if (CALLS_FAIL && e instanceof VarveException) {
      say("failed");
    } else {
      fail(e);
    }
  }

  /// What is to be killed comes often.
  private void maintain(Store store, int writer, int number) {
    switch (order.phase()) {
      case CHECKPOINT, SUPERBLOCK -> {
        if (number % 50 == 49) {
          during(KillPhase.CHECKPOINT, store::checkpoint);
        }
      }
      case COMPACTION -> {
        if (number % 50 == 49) {
          during(KillPhase.COMPACTION, store::compact);
        }
      }
      case BACKUP -> {
        if (writer == 0 && number % 20 == 19) {
          during(KillPhase.BACKUP, () -> backup(store));
        }
      }
      case ANYWHERE, LOG_WRITE, SEGMENT_SWITCH, CLOSE -> {
        if (number % 400 == 399) {
          during(KillPhase.CHECKPOINT, store::checkpoint);
        }
      }
      case OPEN -> throw new IllegalStateException("a child that only opens does not commit");
    }
  }

  private void backup(Store store) {
    Disk target = new WatchedDisk(FileDisk.open(backups(directory), true), this::watch);
    StoreOpener.backup(store, target, BackupOptions.defaults());
  }

  /// Where a child puts the backups of its store.
  static Path backups(Path directory) {
    return directory.resolveSibling("backups");
  }

  private void fail(Throwable e) {
    e.printStackTrace();
    String where =
        Stream.of(e.getStackTrace())
            .limit(FRAMES_SHOWN)
            .map(StackTraceElement::toString)
            .collect(Collectors.joining(" < "));
    say("F " + e.toString().replace('\n', ' ') + " at " + where);
    Runtime.getRuntime().halt(1);
  }

  /// Writes a line, whole, before it returns: what was printed has left the process.
  private static synchronized void say(String line) {
    OUT.print(line + "\n");
    OUT.flush();
  }

  /// Prints what the store answers.
  private record Reporting(int writer, int number) implements CommitOutcome {
    @Override
    public void applied() {
      say("P " + writer + " " + number);
    }

    @Override
    public void acknowledged(long lsn, Durability durability) {
      say("A " + writer + " " + number + " " + durability + " " + lsn);
    }

    @Override
    public void acknowledged(Durability durability) {
      say("A " + writer + " " + number + " " + durability + " -");
    }

    @Override
    public void refused() {
      throw new AssertionError("commit was refused");
    }
  }
}
