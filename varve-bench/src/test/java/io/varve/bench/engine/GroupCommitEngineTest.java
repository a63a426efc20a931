package io.varve.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commits of many threads, merged by one, all arrive.
class GroupCommitEngineTest {
  private static final int THREADS = 16;
  private static final int COMMITS = 200;

  @Test
  void commitsOfAllThreadsArrive(@TempDir Path directory) throws InterruptedException {
    var type = new GroupCommitEngine.Type(new SkipListEngine.Type());
    try (Engine engine =
        type.open(
            new EngineSettings(directory, Promise.OS, 1 << 20, THREADS * COMMITS, Long.BYTES))) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        byte thread = (byte) i;
        threads.add(Thread.ofVirtual().start(() -> commit(engine, thread)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      int[] entries = {0};
      try (EngineSession session = engine.session()) {
        session.forward((key, value, length) -> ++entries[0] > 0);
      }
      assertThat(entries[0]).isEqualTo(THREADS * COMMITS);
    }
  }

  private static void commit(Engine engine, byte thread) {
    try (EngineSession session = engine.session()) {
      for (int commit = 0; commit < COMMITS; commit++) {
        byte[] key = new byte[EngineSettings.KEY_BYTES];
        key[0] = thread;
        key[1] = (byte) commit;
        session.put(key, new byte[Long.BYTES]);
        assertThat(session.get(key, (value, length) -> {})).isTrue();
      }
    }
  }
}
