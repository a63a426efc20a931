package io.varve.test;

import io.varve.internal.disk.Disk;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A disk as the real calls of a [SystemCallTrace] leave it: what the system shows, what must be on
/// stable storage, and what may be there or not.
///
/// - (TRACE-1) A write is there for all to see from its start, and may reach storage from then on.
/// - (TRACE-2) A force, or the end of a synchronous write, makes durable what ended before the
///   force began, and nothing else: what overlaps with it in time stays open.
/// - (TRACE-3) What is stored into mapped memory is known where the recorder looked: before each
///   force of it, and now and then.
/// - (TRACE-4) What a process wrote before it died, in calls that ended or not, the next force
///   makes durable, by whatever process.
final class TracedDisk {
  private static final int SECTOR_BYTES = FileImage.SECTOR_BYTES;
  private static final int O_TRUNC = 01000;

  private final NameTable names = new NameTable();
  private final Predicate<TraceEvent> believed;
  private final Map<Long, FileImage> images = new HashMap<>(); // by inode
  private final Map<Long, Call> open = new HashMap<>(); // by number
  private final Map<FileImage, List<Call>> unforced = new HashMap<>(); // writes that ended
  private final Set<FileImage> mapped = new HashSet<>();

  /// A call under way.
  ///
  /// @param covered the writes that a force makes durable: those that had ended when it began
  private record Call(TraceEvent event, FileImage image, List<Call> covered) {
    int position() {
      return Math.toIntExact(event.first());
    }

    int length() {
      return event.bytes().length;
    }
  }

  TracedDisk() {
    this(_ -> true);
  }

  /// @param believed which forces and synchronous writes take effect as they report, by their first
  ///   record
  TracedDisk(Predicate<TraceEvent> believed) {
    this.believed = believed;
  }

  /// Takes the next event of the trace.
  void apply(TraceEvent event) throws FileNotFoundException {
    switch (event.kind()) {
      case OPEN -> open(event);
      case WRITE -> {
        FileImage image = image(event);
        image.write(Math.toIntExact(event.first()), event.bytes());
        begin(event, image);
      }
      case TRUNCATE -> {
        image(event).truncate(Math.toIntExact(event.first()));
        begin(event, image(event));
      }
      case FORCE -> begin(event, image(event));
      case FORCE_MAPPED -> {
        takeMapped(event);
        begin(event, image(event));
      }
      case LOOK_AT_MAPPED -> takeMapped(event);
      case FORCE_DIRECTORY -> begin(event, NameTable.DIRECTORY);
      case END -> end(event);
      case RENAME -> {
        String[] fromTo = text(event).split("\0");
        names.rename(fromTo[0], fromTo[1]);
      }
      case UNLINK -> names.delete(text(event));
      case MAKE_DIRECTORY -> names.create(text(event), NameTable.DIRECTORY);
      case LINE -> {} // printed, not written
      case UNKNOWN_CALL ->
          throw new AssertionError("a call that is not recorded: call=" + text(event));
    }
  }

  private void open(TraceEvent event) throws FileNotFoundException {
    String name = text(event);
    if (event.second() != 0) {
      names.create(name, new FileImage());
    }
    FileImage image = names.file(name);
    if ((event.first() & O_TRUNC) != 0) {
      image.truncate(0);
    }
    images.put(event.inode(), image);
  }

  private void begin(TraceEvent event, FileImage image) {
    open.put(event.call(), new Call(event, image, List.copyOf(ended(image))));
  }

  private void end(TraceEvent event) {
    Call call = open.remove(event.call());
    if (event.first() < 0 || (isWrite(call) && event.first() != call.length())) {
      throw new AssertionError(
          "a call failed that should not: call=%s, result=%d"
              .formatted(call.event.kind(), event.first()));
    }
    boolean believes = believed.test(call.event);
    switch (call.event.kind()) {
      case WRITE -> {
        if (call.event.second() == 0) {
          ended(call.image).add(call);
        } else if (believes) {
          call.image.forceRange(call.position(), call.length());
        }
      }
      case FORCE -> {
        if (believes) {
          force(call);
        }
      }
      case FORCE_MAPPED -> {
        if (believes) {
          call.image.forceRange(call.position(), call.length());
        }
      }
      case FORCE_DIRECTORY -> {
        if (believes) {
          names.sync(text(call.event));
        }
      }
      default -> {} // a truncate is as durable as the next force
    }
  }

  /// (TRACE-2) Without a write in between the whole file is as it was, its length included.
  private void force(Call force) {
    List<Call> ended = ended(force.image);
    boolean alone =
        ended.size() == force.covered.size()
            && open.values().stream().noneMatch(call -> call.image == force.image);
    if (alone) {
      force.image.force();
    } else {
      force.covered.forEach(write -> force.image.forceRange(write.position(), write.length()));
    }
    ended.removeAll(force.covered);
  }

  private static boolean isWrite(Call call) {
    return call.event.kind() == TraceEvent.Kind.WRITE;
  }

  private List<Call> ended(FileImage image) {
    return unforced.computeIfAbsent(image, _ -> new ArrayList<>());
  }

  private FileImage image(TraceEvent event) {
    FileImage image = images.get(event.inode());
    if (image == null) {
      throw new AssertionError("a call on a file that was not opened: inode=" + event.inode());
    }
    return image;
  }

  private void takeMapped(TraceEvent event) {
    FileImage image = image(event);
    mapped.add(image);
    write(image, Math.toIntExact(event.first()), event.bytes());
  }

  /// Writes the sectors that differ.
  ///
  /// @return a write of each of them
  private static List<Call> write(FileImage image, int offset, byte[] bytes) {
    List<Call> writes = new ArrayList<>();
    byte[] shown = new byte[SECTOR_BYTES];
    for (int at = 0; at < bytes.length; at += SECTOR_BYTES) {
      int length = Math.min(SECTOR_BYTES, bytes.length - at);
      Arrays.fill(shown, (byte) 0);
      int read = image.read(offset + at, ByteBuffer.wrap(shown));
      if (read < length || !Arrays.equals(shown, 0, length, bytes, at, at + length)) {
        byte[] sector = Arrays.copyOfRange(bytes, at, at + length);
        image.write(offset + at, sector);
        var event = new TraceEvent(TraceEvent.Kind.WRITE, 0, offset + at, 0, 0, sector);
        writes.add(new Call(event, image, List.of()));
      }
    }
    return writes;
  }

  /// Takes what the last process stored into mapped memory before it died, and checks that all else
  /// is as the trace shows.
  ///
  /// @throws AssertionError if the recorder missed something
  void takeOver(Path directory) throws IOException {
    // A call that its process died in may be done or not, in part or whole.
    Set<FileImage> unknown = new HashSet<>(mapped);
    for (Call call : open.values()) {
      unknown.add(call.image);
      if (isWrite(call)) {
        ended(call.image).add(call); // (TRACE-4)
      }
    }
    open.clear();
    takeChangeOfNames(directory);
    for (Map.Entry<String, FileImage> file : names.files().entrySet()) {
      byte[] real = Files.readAllBytes(directory.resolve(file.getKey()));
      FileImage image = file.getValue();
      long traceBytes = image.size();
      List<Call> writes = write(image, 0, real);
      ended(image).addAll(writes); // (TRACE-4)
      image.truncate(real.length);
      if ((!writes.isEmpty() || traceBytes != real.length) && !unknown.contains(image)) {
        throw new AssertionError(
            "the trace and the file differ: file=%s, traceBytes=%d, fileBytes=%d"
                .formatted(file.getKey(), traceBytes, real.length));
      }
    }
    try (var files = Files.walk(directory)) {
      long count = files.filter(Files::isRegularFile).count();
      if (count != names.files().size()) {
        throw new AssertionError(
            "the trace and the directory differ: traceFiles=%s, files=%d"
                .formatted(names.files().keySet(), count));
      }
    }
  }

  /// Takes the one change of names that the last process may have made and not noted any more: a
  /// change is noted once it is made, and one at a time.
  private void takeChangeOfNames(Path directory) throws IOException {
    Set<String> real = new HashSet<>();
    try (var files = Files.walk(directory)) {
      files
          .filter(Files::isRegularFile)
          .forEach(file -> real.add(directory.relativize(file).toString()));
    }
    List<String> gone =
        names.files().keySet().stream().filter(name -> !real.contains(name)).toList();
    List<String> made = real.stream().filter(name -> !names.files().containsKey(name)).toList();
    if (gone.size() > 1 || made.size() > 1) {
      return; // more than one: the recorder missed something, as is found below
    }
    if (gone.isEmpty()) {
      made.forEach(name -> names.create(name, new FileImage()));
      return;
    }
    String from = gone.getFirst();
    String to = made.isEmpty() ? replacedBy(names.file(from), directory) : made.getFirst();
    if (to == null) {
      names.delete(from);
    } else {
      names.rename(from, to);
    }
  }

  /// The file that has become another one, or null.
  private @Nullable String replacedBy(FileImage image, Path directory) throws IOException {
    byte[] bytes = bytes(image);
    for (Map.Entry<String, FileImage> file : names.files().entrySet()) {
      Path path = directory.resolve(file.getKey());
      if (file.getValue() != image && Files.exists(path) && Files.size(path) == bytes.length) {
        byte[] real = Files.readAllBytes(path);
        if (Arrays.equals(real, bytes) && !Arrays.equals(real, bytes(file.getValue()))) {
          return file.getKey();
        }
      }
    }
    return null;
  }

  private static byte[] bytes(FileImage image) {
    byte[] bytes = new byte[Math.toIntExact(image.size())];
    int read = image.read(0, ByteBuffer.wrap(bytes));
    return read == bytes.length ? bytes : Arrays.copyOf(bytes, Math.max(0, read));
  }

  /// A disk as it may be found after a loss of power now.
  FaultyDisk afterPowerCut(SplittableRandom random) {
    return new FaultyDisk(names.afterPowerCut(random), random.split());
  }

  /// The disk after a death of the process now: all that the trace shows.
  Disk afterProcessCrash(SplittableRandom random) {
    return new FaultyDisk(names.afterProcessCrash(), random.split());
  }

  private static String text(TraceEvent event) {
    return new String(event.bytes(), StandardCharsets.UTF_8);
  }
}
