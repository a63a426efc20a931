package io.varve.internal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.StoreIoException;
import io.varve.StoreLockedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FileDiskTest {
  @TempDir Path directory;

  private static ByteBuffer bytes(int length, int seed) {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    for (int i = 0; i < length; i++) {
      buffer.put(i, (byte) (i * 31 + seed));
    }
    return buffer;
  }

  @Test
  void readsWhatWasWritten() throws IOException {
    try (Disk disk = FileDisk.open(directory, true);
        DiskFile file = disk.open("data", FileOption.CREATE_NEW);
        DiskFile synchronous = disk.open("data", FileOption.DSYNC)) {
      file.write(100, bytes(5000, 1));
      synchronous.write(5100, bytes(10, 2));
      file.force();
      assertThat(file.size()).isEqualTo(5110);
      ByteBuffer read = ByteBuffer.allocateDirect(6000);
      assertThat(file.read(100, read)).isEqualTo(5010);
      read.flip();
      assertThat(read.slice(0, 5000)).isEqualTo(bytes(5000, 1));
      assertThat(read.slice(5000, 10)).isEqualTo(bytes(10, 2));
      assertThat(file.read(6000, read.clear())).isZero();
      file.truncate(200);
      assertThat(file.size()).isEqualTo(200);
      file.truncate(300);
      assertThat(file.size()).isEqualTo(200);
    }
  }

  /// Guards against a reader that meets the close of the store while it asks for the length, and
  /// takes that for a disk that failed.
  @Test
  void allUseOfAClosedFileReportsThatItIsClosed() throws IOException {
    try (Disk disk = FileDisk.open(directory, true)) {
      DiskFile file = disk.open("data", FileOption.CREATE_NEW);
      file.close();
      assertThatThrownBy(file::size).isInstanceOf(FileClosedException.class);
      assertThatThrownBy(file::force).isInstanceOf(FileClosedException.class);
      assertThatThrownBy(() -> file.read(0, ByteBuffer.allocate(1)))
          .isInstanceOf(FileClosedException.class);
      assertThatThrownBy(() -> file.write(0, ByteBuffer.allocate(1)))
          .isInstanceOf(FileClosedException.class);
    }
  }

  @Test
  void aMappingSeesWritesAndOutlivesTheFile() throws IOException {
    try (Disk disk = FileDisk.open(directory, true)) {
      Mapping mapping;
      MemorySegment mapped;
      try (DiskFile file = disk.open("data", FileOption.CREATE)) {
        file.write(0, bytes(8192, 0));
        mapping = file.map(4096, 4096);
        mapped = mapping.memory();
        file.write(4096, bytes(1, 77));
        assertThat(mapped.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 77);
        mapped.set(ValueLayout.JAVA_BYTE, 1, (byte) 78);
        ByteBuffer read = ByteBuffer.allocate(2);
        file.read(4096, read);
        assertThat(read.get(1)).isEqualTo((byte) 78);
      }
      Thread.currentThread().interrupt();
      mapping.force(0, 4096);
      assertThat(Thread.interrupted()).isTrue();
      disk.delete("data");
      mapping.force(0, 4096);
      mapped.set(ValueLayout.JAVA_BYTE, 2, (byte) 79);
      assertThat(mapped.get(ValueLayout.JAVA_BYTE, 2)).isEqualTo((byte) 79);
    }
  }

  @Test
  void namesAreListedRenamedAndDeleted() throws IOException {
    try (Disk disk = FileDisk.open(directory, true)) {
      disk.createDirectory("log");
      disk.createDirectory("log");
      disk.open("log/b", FileOption.CREATE).close();
      disk.open("log/a", FileOption.CREATE).close();
      disk.open("log/c", FileOption.CREATE).close();
      assertThat(disk.list("log")).containsExactly("a", "b", "c");
      disk.rename("log/a", "log/c");
      disk.delete("log/nothing");
      disk.syncDirectory("log");
      disk.syncDirectory("");
      assertThat(disk.list("log")).containsExactly("b", "c");
      assertThat(disk.list("")).containsExactly("log");
      assertThat(disk.list("missing")).isEmpty();
      assertThat(disk.exists("log/b")).isTrue();
      assertThat(disk.exists("log/a")).isFalse();
      assertThatThrownBy(() -> disk.open("log/a")).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> disk.open("log/b", FileOption.CREATE_NEW))
          .isInstanceOf(IOException.class);
      assertThat(disk.usableBytes()).isPositive();
      assertThat(disk.describe("log/b")).endsWith("b").startsWith("/");
    }
  }

  /// Guards against channels that an interrupt closes under every thread that uses the file.
  @Test
  void interruptsNeitherFailCallsNorCloseFiles() throws Exception {
    try (Disk disk = FileDisk.open(directory, true);
        DiskFile file = disk.open("data", FileOption.CREATE, FileOption.DSYNC)) {
      file.write(0, bytes(4096, 0));
      var failure = new AtomicReference<Throwable>();
      var done = new AtomicBoolean();
      var threads = new ArrayList<Thread>();
      for (int t = 0; t < 4; t++) {
        int number = t;
        Runnable work =
            () -> {
              try {
                ByteBuffer buffer = ByteBuffer.allocateDirect(64);
                for (int i = 0; i < 200; i++) {
                  Thread.currentThread().interrupt();
                  file.write(number * 64L, buffer.clear());
                  file.read(number * 64L, buffer.clear());
                  file.force();
                  disk.syncDirectory("");
                  if (i % 20 == 0) {
                    file.map(0, 4096);
                    disk.open("data").close();
                  }
                  assertThat(Thread.currentThread().isInterrupted()).isTrue();
                }
              } catch (Throwable e) {
                failure.set(e);
              }
            };
        threads.add(t % 2 == 0 ? Thread.ofPlatform().start(work) : Thread.ofVirtual().start(work));
      }
      var storm =
          Thread.ofPlatform()
              .start(() -> {
                while (!done.get()) {
                  threads.forEach(Thread::interrupt);
                }
              });
      for (Thread thread : threads) {
        thread.join();
      }
      done.set(true);
      storm.join();
      assertThat(failure.get()).isNull();
    }
  }

  @Test
  void aSecondLockInThisProcessIsRefusedAndNamesIt() throws IOException {
    try (Disk disk = FileDisk.open(directory, true);
        Disk again = FileDisk.open(directory.resolve("../" + directory.getFileName()), true)) {
      DiskLock lock = disk.lock("lock");
      assertThatThrownBy(() -> again.lock("lock"))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("holderPid=" + ProcessHandle.current().pid());
      lock.close();
      lock.close();
      again.lock("lock").close();
    }
  }

  /// Runs another JVM that takes the lock and waits; kills it, and the lock is free.
  @Test
  void aLockOfAnotherProcessIsRefusedAndDiesWithIt() throws Exception {
    var command =
        new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-cp",
            System.getProperty("java.class.path"),
            Holder.class.getName(),
            directory.toString());
    Process holder = command.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (Disk disk = FileDisk.open(directory, true)) {
      assertThat(holder.inputReader().readLine()).isEqualTo("locked");
      assertThatThrownBy(() -> disk.lock("lock"))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("holderPid=" + holder.pid())
          .hasMessageContaining("holderStarted=");
      holder.destroyForcibly().waitFor();
      disk.lock("lock").close();
    } finally {
      holder.destroyForcibly();
    }
  }

  /// Holds the lock until killed.
  static final class Holder {
    public static void main(String[] arguments) throws Exception {
      try (Disk disk = FileDisk.open(Path.of(arguments[0]), true);
          DiskLock lock = disk.lock("lock")) {
        lock.sign();
        System.out.println("locked");
        Thread.currentThread().join();
      }
    }
  }

  @Test
  void aPathThatIsNoDirectoryIsRefused() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> FileDisk.open(file, true))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining(file.toString());
    assertThatThrownBy(() -> FileDisk.open(file.resolve("below"), true))
        .isInstanceOf(StoreIoException.class);
  }

  @Test
  void aClosedFileFails() throws IOException {
    try (Disk disk = FileDisk.open(directory, true)) {
      DiskFile file = disk.open("data", FileOption.CREATE);
      file.close();
      file.close();
      assertThatThrownBy(() -> file.write(0, bytes(1, 1))).isInstanceOf(IOException.class);
      assertThatThrownBy(file::force).isInstanceOf(IOException.class);
      assertThatThrownBy(file::size).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aFullDiskIsDistinguishedFromOtherErrors() {
    var here = new Directory(directory, false);
    for (String message :
        new String[] {
          "No space left on device", "Disk quota exceeded", "There is not enough space on the disk"
        }) {
      assertThat(here.precise(new IOException(message), 0)).isInstanceOf(DiskFullException.class);
    }
    var other = new IOException("Input/output error");
    assertThat(here.precise(other, 100)).isSameAs(other);
    assertThat(here.precise(other, Long.MAX_VALUE)).isInstanceOf(DiskFullException.class);
  }
}
