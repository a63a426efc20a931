package io.varve.test;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

/// The system calls that processes make on the files of one directory, in their order, with their
/// data: `trace.c`, compiled here and loaded into each process, records them.
///
/// The order is that of the real calls: a call of which the record of the end comes before the
/// record of the start of another was over before that began.
final class SystemCallTrace {
  private static final int COPY_BYTES_MAX = 1 << 16;

  private final Path library;
  private final Path directory;
  private final Path record;

  /// Compiles the recorder.
  ///
  /// @param scratch where the recorder and its record may be
  /// @param directory the files to follow: a real path
  SystemCallTrace(Path scratch, Path directory) throws IOException, InterruptedException {
    this.library = NativeLibrary.compile("trace", scratch);
    this.directory = directory.toRealPath();
    this.record = scratch.resolve("trace");
  }

  /// What a process must have in its environment to be recorded.
  Map<String, String> environment() {
    return Map.of(
        "LD_PRELOAD", library.toString(),
        "VARVE_TRACE_DIRECTORY", directory.toString(),
        "VARVE_TRACE_FILE", record.toString());
  }

  /// Gives all that was recorded since the last drain, in order, and forgets it. The process must
  /// have ended. A last record that its death cut short is left out.
  void drain(Consumer<TraceEvent> events) throws IOException {
    try (DataInputStream in =
        new DataInputStream(
            new BufferedInputStream(Files.newInputStream(record), COPY_BYTES_MAX))) {
      while (true) {
        TraceEvent event = read(in);
        if (event == null) {
          break;
        }
        events.accept(event);
      }
    }
    Files.delete(record);
  }

  @SuppressWarnings("NullAway") // null is the end of the record
  private static TraceEvent read(DataInputStream in) throws IOException {
    try {
      TraceEvent.Kind kind = TraceEvent.Kind.of(Integer.reverseBytes(in.readInt()));
      int length = Integer.reverseBytes(in.readInt());
      long call = Long.reverseBytes(in.readLong());
      long first = Long.reverseBytes(in.readLong());
      long second = Long.reverseBytes(in.readLong());
      long inode = Long.reverseBytes(in.readLong());
      byte[] bytes = new byte[length];
      in.readFully(bytes);
      return new TraceEvent(kind, call, first, second, inode, bytes);
    } catch (EOFException _) {
      return null;
    }
  }
}
