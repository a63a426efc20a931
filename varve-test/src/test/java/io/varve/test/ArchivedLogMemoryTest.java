package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Commit;
import io.varve.Space;
import io.varve.Store;
import io.varve.admin.Backups;
import io.varve.admin.RestoreTo;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A restore reads archived log in the same memory, however much of it there is.
class ArchivedLogMemoryTest {
  private static final int VALUES = 600;

  /// Counts the buffers that are still in use after each few reads of archived log.
  private static final class CountingTarget extends MemoryTarget {
    private final List<WeakReference<ByteBuffer>> buffers = new ArrayList<>();
    private final Set<String> segments = new HashSet<>();
    private int reads;
    private int most;

    @Override
    public int read(String name, long position, ByteBuffer destination) throws IOException {
      if (buffers.stream().noneMatch(buffer -> buffer.refersTo(destination))) {
        buffers.add(new WeakReference<>(destination));
      }
      if (name.endsWith(".log")) {
        segments.add(name);
      }
      if (name.endsWith(".log") && ++reads % 16 == 0) {
        System.gc();
        buffers.removeIf(buffer -> buffer.refersTo(null));
        most = Math.max(most, buffers.size());
      }
      return super.read(name, position, destination);
    }
  }

  @Test
  void aRestoreHoldsAPieceOfFewSegments(@TempDir Path directory) {
    CountingTarget target = new CountingTarget();
    Backups backups = Backups.at(target);
    Commit wanted;
    try (Store store = Store.open(directory.resolve("store"), Stores.tiny().archiveLog(true))) {
      Space space = store.space("s");
      backups.take(store);
      for (int i = 0; i < VALUES; i++) {
        space.put(Bytes.of(i % 10), new byte[20_000]);
      }
      wanted = space.put(Bytes.of("k"), Bytes.of("v"));
      space.put(Bytes.of("k"), Bytes.of("later"));
      backups.take(store);
    }
    target.segments.clear();
    backups.restore(directory.resolve("restored"), RestoreTo.commit(wanted));
    assertThat(target.segments.size()).as("segments that were read").isGreaterThan(30);
    assertThat(target.most).as("buffers in use at a time").isBetween(1, 8);
  }
}
