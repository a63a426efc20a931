package io.varve.test;

import io.varve.Durability;
import io.varve.Store;
import io.varve.VarveException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;

/// The process that [KillTest] kills: commits from several threads, and says what it begins and
/// what the store acknowledged. Its commits follow from the seed and from what the store held when
/// it was opened, so they need not be told.
///
/// | line                  | meaning                                             |
/// |-----------------------|-----------------------------------------------------|
/// | `opened`              | the store is open and was read                      |
/// | `B writer`            | the writer begins its next commit                   |
/// | `P writer number`     | the commit is visible                               |
/// | `A writer number durability lsn` | the commit is acknowledged; `-` for no LSN |
/// | `F message`           | something failed that may not                       |
final class KillChild {
  private static final PrintStream OUT =
      new PrintStream(System.out, /* autoFlush= */ true, StandardCharsets.UTF_8);

  private KillChild() {}

  public static void main(String[] arguments) throws InterruptedException {
    Path directory = Path.of(arguments[0]);
    long seed = Long.parseLong(arguments[1]);
    int writerCount = Integer.parseInt(arguments[2]);
    try {
      Store store = Store.open(directory, Stores.random(new SplittableRandom(seed)));
      Model held = Model.of(store);
      say("opened");
      Thread[] threads = new Thread[writerCount];
      for (int i = 0; i < writerCount; i++) {
        int writer = i;
        threads[i] = Thread.ofPlatform().start(() -> commitForever(store, held, seed, writer));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (VarveException e) {
      fail(e);
    }
  }

  static RandomCommits script(long seed, int writer, Model held) {
    RandomCommits script = new RandomCommits(seed, "w" + writer + "/", workload());
    script.resume(held);
    return script;
  }

  private static Workload workload() {
    return Workload.small().keys(300, 30);
  }

  private static void commitForever(Store store, Model held, long seed, int writer) {
    try {
      RandomCommits script = script(seed, writer, held);
      for (int number = 0; ; number++) {
        RandomCommit commit = script.next();
        script.accept(commit);
        say("B " + writer);
        commit.runOn(store, new Telling(writer, number));
        if (number % 400 == 399) {
          store.checkpoint();
        }
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  private static void fail(Throwable e) {
    e.printStackTrace();
    say("F " + e.toString().replace('\n', ' '));
    Runtime.getRuntime().halt(1);
  }

  private static synchronized void say(String line) {
    OUT.print(line + "\n");
    OUT.flush();
  }

  /// Says what the store says.
  private record Telling(int writer, int number) implements CommitOutcome {
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
