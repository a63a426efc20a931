package io.varve.internal.txn;

import io.varve.Space;
import io.varve.spi.SpaceIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Which index entries the changes of a space bring with them. Never changes: another set of
/// indexes is another object, by which a commit finds that the set has changed since it looked
/// (INDEXES-2).
///
/// @param space the name of the space, for messages
/// @param kept the indexes whose definitions the program has given
/// @param unkept the names of the others, because of which the space cannot be changed
/// @param isIndex whether the space itself has the entries of an index, which commits alone change
/// @param workspace if so, and while that index is built, the id of its [IndexWorkspace]; or null
public record Indexing(
    String space,
    List<Kept> kept,
    List<String> unkept,
    boolean isIndex,
    @Nullable Integer workspace) {
  /// An index whose entries commits keep.
  ///
  /// @param entries the id of the space that has them
  /// @param name that the store has for the index, which is not that of a definition given before a
  ///   rename
  /// @param definition what they are
  public record Kept(int entries, String name, SpaceIndex definition) {}

  /// What takes the changes of index entries.
  public interface Sink {
    /// Takes an entry that goes.
    void remove(Kept index, byte[] prefix);

    /// Takes an entry that comes.
    void add(Kept index, byte[] prefix);
  }

  /// Lets a user's change pass.
  ///
  /// @throws IllegalStateException if the program has not given the definition of an index
  /// @throws IllegalArgumentException if the space has the entries of an index
  public void requireChangeable() {
    if (isIndex) {
      throw new IllegalArgumentException(
          "the space holds the entries of an index, which change with the indexed space alone:"
              + " space="
              + printable(space));
    }
    if (!unkept.isEmpty()) {
      throw new IllegalStateException(
          "the space has indexes whose definitions the program has not given, so they would not"
              + " follow a change: space="
              + printable(space)
              + ", indexes="
              + unkept
              + "; give them by IndexedSpace.keep, or drop them");
    }
  }

  private static String printable(String name) {
    return name.replace('\0', '?');
  }

  /// Passes to `sink` which index entries a change of one entry removes and adds.
  ///
  /// @param before the value so far, or null
  /// @param after the value from now on, or null
  public void change(byte[] key, byte @Nullable [] before, byte @Nullable [] after, Sink sink) {
    List<Difference> differences = new ArrayList<>(kept.size());
    for (Kept index : kept) {
      differences.add(
          new Difference(index, prefixes(index, key, before), prefixes(index, key, after)));
    }
    // Only now: what a definition throws refuses the change, before any effect on other indexes.
    differences.forEach(difference -> difference.tell(sink));
  }

  private record Difference(Kept index, NavigableSet<byte[]> old, NavigableSet<byte[]> now) {
    void tell(Sink sink) {
      for (byte[] prefix : old) {
        if (!now.contains(prefix)) {
          sink.remove(index, prefix);
        }
      }
      for (byte[] prefix : now) {
        if (!old.contains(prefix)) {
          sink.add(index, prefix);
        }
      }
    }
  }

  /// The prefixes of an entry in an index, in order.
  public static NavigableSet<byte[]> prefixes(Kept index, byte[] key, byte @Nullable [] value) {
    NavigableSet<byte[]> prefixes = new TreeSet<>(Arrays::compareUnsigned);
    if (value != null) {
      forEachPrefix(index, key, value, prefixes::add);
    }
    return prefixes;
  }

  /// Passes the prefixes of an entry as the definition gives them: in no order, equal ones too.
  public static void forEachPrefix(
      Kept index, byte[] key, byte[] value, Consumer<byte[]> prefixes) {
    index.definition.prefixes(
        key,
        value,
        prefix -> {
          if (prefix.length == 0 || prefix.length + key.length > Space.KEY_BYTES_MAX) {
            throw new IllegalArgumentException(
                "index entry too long, or its prefix empty: index="
                    + index.name()
                    + ", prefixBytes="
                    + prefix.length
                    + ", keyBytes="
                    + key.length
                    + ", max="
                    + Space.KEY_BYTES_MAX);
          }
          prefixes.accept(prefix);
        });
  }

  /// The entry of an index that is not unique: the prefix, and then the key.
  public static byte[] entry(byte[] prefix, byte[] key) {
    byte[] entry = Arrays.copyOf(prefix, prefix.length + key.length);
    System.arraycopy(key, 0, entry, prefix.length, key.length);
    return entry;
  }
}
