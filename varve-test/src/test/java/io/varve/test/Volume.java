package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A small file system of its own, mounted for one test. That takes Linux and the rights of root:
/// without them the test is skipped with a message, or fails on a machine that builds every change,
/// as the variable `CI` marks.
final class Volume implements AutoCloseable {
  private final Path mountPoint;

  private Volume(Path mountPoint) {
    this.mountPoint = mountPoint;
  }

  /// A file system in memory.
  static Volume tmpfs(Path mountPoint, long bytes) throws IOException {
    mount(List.of("mount", "-t", "tmpfs", "-o", "size=" + bytes, "tmpfs", mountPoint.toString()));
    return new Volume(mountPoint);
  }

  /// An ext4 file system in a file.
  static Volume ext4(Path image, Path mountPoint, long bytes) throws IOException {
    try (var file = new java.io.RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(bytes);
    }
    mount(List.of("mkfs.ext4", "-q", "-F", "-m", "0", image.toString()));
    mount(List.of("mount", "-o", "loop", image.toString(), mountPoint.toString()));
    return new Volume(mountPoint);
  }

  private static void mount(List<String> command) throws IOException {
    boolean done;
    try {
      done = run(command) == 0;
    } catch (IOException e) {
      done = false; // no such command
    }
    String reason = "no file system can be mounted here: " + String.join(" ", command);
    assertThat(done || System.getenv("CI") == null).as(reason).isTrue();
    assumeTrue(done, "skipped: " + reason);
  }

  void makeReadOnly() throws IOException {
    require("mount", "-o", "remount,ro", mountPoint.toString());
  }

  void makeWritable() throws IOException {
    require("mount", "-o", "remount,rw", mountPoint.toString());
  }

  /// Fills what is left with a file of zeros.
  static void fill(Path file) throws IOException {
    byte[] zeros = new byte[1 << 16];
    try (var out = new java.io.FileOutputStream(file.toFile())) {
      for (int length = zeros.length; length > 0; ) {
        try {
          out.write(zeros, 0, length);
          out.getFD().sync();
        } catch (IOException e) {
          length /= 2;
        }
      }
    }
    if (Files.size(file) == 0) {
      throw new IOException("nothing was left to fill: file=" + file);
    }
  }

  private static void require(String... command) throws IOException {
    if (run(List.of(command)) != 0) {
      throw new IOException("command failed: " + String.join(" ", command));
    }
  }

  private static int run(List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (process.waitFor(60, TimeUnit.SECONDS)) {
        return process.exitValue();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
    throw new IOException("command takes too long: " + String.join(" ", command));
  }

  @Override
  public void close() throws IOException {
    // Files that are mapped into memory keep a volume busy until the collector has been.
    require("umount", "--lazy", mountPoint.toString());
  }
}
