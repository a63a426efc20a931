package io.varve.test;

import java.io.FileNotFoundException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The names of a disk, twice: as the system shows them and as they are on stable storage, and the
/// changes in between. Changes of one directory reach storage in their order, as with a journal;
/// those of different directories in any.
///
/// A name maps to the bytes of a file, or to [#DIRECTORY]. Guarded by the lock of its [FaultyDisk].
final class NameTable {
  /// What the name of a directory maps to.
  static final FileImage DIRECTORY = new FileImage();

  private final NavigableMap<String, FileImage> shown = new TreeMap<>();
  private final NavigableMap<String, FileImage> stored = new TreeMap<>();
  private final Deque<Renaming> pending = new ArrayDeque<>();

  /// One atomic change of names: `from` is gone and `to` maps to `image`. Without a `from` it
  /// creates, without a `to` it deletes.
  private record Renaming(@Nullable String from, @Nullable String to, @Nullable FileImage image) {
    boolean isIn(String directory) {
      return (from != null && parent(from).equals(directory))
          || (to != null && parent(to).equals(directory));
    }

    void applyTo(Map<String, FileImage> names) {
      if (from != null) {
        names.remove(from);
      }
      if (to != null && image != null) {
        names.put(to, image);
      }
    }
  }

  @Nullable FileImage find(String name) {
    return name.isEmpty() ? DIRECTORY : shown.get(name);
  }

  /// The file of that name.
  FileImage file(String name) throws FileNotFoundException {
    FileImage image = find(name);
    if (image == null || image == DIRECTORY) {
      throw new FileNotFoundException(name);
    }
    return image;
  }

  long usedBytes() {
    return shown.values().stream().mapToLong(FileImage::size).sum();
  }

  long usedBytes(Predicate<String> chosen) {
    long bytes = 0;
    for (Map.Entry<String, FileImage> file : shown.entrySet()) {
      bytes += chosen.test(file.getKey()) ? file.getValue().size() : 0;
    }
    return bytes;
  }

  boolean isDirectory(String name) {
    return find(name) == DIRECTORY;
  }

  /// The files, by name.
  NavigableMap<String, FileImage> files() {
    NavigableMap<String, FileImage> files = new TreeMap<>(shown);
    files.values().removeIf(image -> image == DIRECTORY);
    return files;
  }

  List<String> list(String directory) {
    SortedSet<String> names = new TreeSet<>();
    for (String name : shown.keySet()) {
      if (parent(name).equals(directory)) {
        names.add(name.substring(name.lastIndexOf('/') + 1));
      }
    }
    return List.copyOf(names);
  }

  void create(String name, FileImage image) {
    apply(new Renaming(null, name, image));
  }

  void rename(String from, String to) {
    apply(new Renaming(from, to, shown.get(from)));
  }

  void delete(String name) {
    apply(new Renaming(name, null, null));
  }

  private void apply(Renaming renaming) {
    renaming.applyTo(shown);
    pending.add(renaming);
  }

  /// Makes the names in one directory durable.
  void sync(String directory) {
    for (Iterator<Renaming> i = pending.iterator(); i.hasNext(); ) {
      Renaming renaming = i.next();
      if (renaming.isIn(directory)) {
        renaming.applyTo(stored);
        i.remove();
      }
    }
  }

  /// The names after the death of the process: all that are shown, still as volatile as they were.
  NameTable afterProcessCrash() {
    Map<FileImage, FileImage> copies = new HashMap<>();
    NameTable after = new NameTable();
    copyAll(shown, after.shown, copies, FileImage::afterProcessCrash);
    copyAll(stored, after.stored, copies, FileImage::afterProcessCrash);
    for (Renaming renaming : pending) {
      FileImage image = renaming.image;
      after.pending.add(
          new Renaming(
              renaming.from,
              renaming.to,
              image == null ? null : copyOnce(image, copies, FileImage::afterProcessCrash)));
    }
    return after;
  }

  /// The names after a loss of power: those synced, and of the later changes in each directory as
  /// many of the first as chance picks.
  NameTable afterPowerCut(SplittableRandom random) {
    NavigableMap<String, FileImage> names = new TreeMap<>(stored);
    Map<String, Integer> kept = new HashMap<>();
    for (Renaming renaming : pending) {
      String directory = directoryOf(renaming);
      int left = kept.computeIfAbsent(directory, _ -> pickCount(directory, random));
      if (left > 0) {
        renaming.applyTo(names);
      }
      kept.put(directory, left - 1);
    }
    names.keySet().removeIf(name -> isOrphan(name, names));
    NameTable after = new NameTable();
    copyAll(names, after.shown, new HashMap<>(), image -> image.afterPowerCut(random));
    after.stored.putAll(after.shown);
    return after;
  }

  private int pickCount(String directory, SplittableRandom random) {
    long count = pending.stream().filter(r -> directoryOf(r).equals(directory)).count();
    return switch (random.nextInt(3)) {
      case 0 -> 0;
      case 1 -> (int) count;
      default -> random.nextInt((int) count + 1);
    };
  }

  private static String directoryOf(Renaming renaming) {
    return renaming.from != null ? parent(renaming.from) : parent(String.valueOf(renaming.to));
  }

  private static boolean isOrphan(String name, Map<String, FileImage> names) {
    for (String above = parent(name); !above.isEmpty(); above = parent(above)) {
      if (names.get(above) != DIRECTORY) {
        return true;
      }
    }
    return false;
  }

  private static void copyAll(
      Map<String, FileImage> from,
      Map<String, FileImage> to,
      Map<FileImage, FileImage> copies,
      UnaryOperator<FileImage> copying) {
    from.forEach((name, image) -> to.put(name, copyOnce(image, copies, copying)));
  }

  private static FileImage copyOnce(
      FileImage image, Map<FileImage, FileImage> copies, UnaryOperator<FileImage> copying) {
    return image == DIRECTORY ? DIRECTORY : copies.computeIfAbsent(image, copying);
  }

  static String parent(String name) {
    int slash = name.lastIndexOf('/');
    return slash < 0 ? "" : name.substring(0, slash);
  }

  /// The directories that hold `name`, outermost first, and `name` itself.
  static List<String> path(String name) {
    List<String> path = new ArrayList<>();
    for (String at = name; !at.isEmpty(); at = parent(at)) {
      path.addFirst(at);
    }
    return path;
  }
}
