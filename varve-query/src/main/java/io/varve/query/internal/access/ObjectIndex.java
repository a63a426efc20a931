package io.varve.query.internal.access;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Keeps the indexes of all classes of objects in one map or cache.
///
/// Thread-safe. Changes of one key take effect in the order in which they come here; the caller
/// sees to it that this is the order of the objects.
///
/// @param store that has the indexes
/// @param shadows of the classes
/// @param <K> the keys
public record ObjectIndex<K>(Store store, List<Shadow<K, ?>> shadows) {
  /// A row as it is, and as it is to be.
  private record Change(
      Shadow<?, ?> shadow, byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
    boolean isNone() {
      return Arrays.equals(before, after);
    }
  }

  private List<Change> changes(K key, @Nullable Object object) {
    List<Change> changes = new ArrayList<>();
    for (Shadow<K, ?> shadow : shadows) {
      byte[] keyBytes = shadow.table().keys().encode(key);
      byte[] before = shadow.space().get(keyBytes);
      Change change = new Change(shadow, keyBytes, before, shadow.row(key, object));
      if (!change.isNone()) {
        changes.add(change);
      }
    }
    return changes;
  }

  /// Has the indexes record that a key has this object now, or none, in one commit.
  ///
  /// @throws io.varve.UniqueIndexException if another key has equal values in a unique index;
  ///   nothing was changed
  public void set(K key, @Nullable Object object) {
    List<Change> changes = changes(key, object);
    if (changes.size() == 1) {
      Change change = changes.getFirst();
      if (change.after() == null) {
        change.shadow().space().delete(change.key());
      } else {
        change.shadow().space().put(change.key(), change.after());
      }
    } else if (!changes.isEmpty()) {
      store.transact(
          Durability.BACKGROUND,
          tx -> {
            for (Change change : changes) {
              if (change.after() == null) {
                tx.delete(change.shadow().space(), change.key());
              } else {
                tx.put(change.shadow().space(), change.key(), change.after());
              }
            }
          });
    }
  }

  /// Has the indexes record what a key has, while others may change it and report that: looks until
  /// the object and the rows agree. A row is replaced only if it is still the one that was read
  /// before the object, so that nothing newer is overwritten.
  ///
  /// @param current the object that a key has now, or null
  /// @return whether they disagreed
  public boolean settle(K key, Function<? super K, ? extends @Nullable Object> current) {
    boolean isChanged = false;
    for (Shadow<K, ?> shadow : shadows) {
      isChanged |= settle(shadow, key, current);
    }
    return isChanged;
  }

  /// The same for the row of one class.
  public static <K> boolean settle(
      Shadow<K, ?> shadow, K key, Function<? super K, ? extends @Nullable Object> current) {
    boolean isChanged = false;
    byte[] keyBytes = shadow.table().keys().encode(key);
    while (true) {
      byte[] before = shadow.space().get(keyBytes);
      byte[] after = shadow.row(key, current.apply(key));
      if (Arrays.equals(before, after)) {
        return isChanged;
      }
      isChanged |= shadow.space().compareAndSet(keyBytes, before, after);
    }
  }

  /// Removes a row for which a unique index refused one of another key, unless it is that of the
  /// object which its key has now. The key has to be settled after that.
  ///
  /// @param keyBytes of the key that has the row
  /// @param current the object that a key has now, or null
  /// @return whether the value may be free, so that the row that was refused is to be tried again
  public static <K> boolean free(
      Shadow<K, ?> shadow,
      byte[] keyBytes,
      Function<? super K, ? extends @Nullable Object> current) {
    byte[] row = shadow.space().get(keyBytes);
    K key = shadow.table().key(keyBytes);
    if (row != null && Arrays.equals(row, shadow.row(key, current.apply(key)))) {
      return false;
    }
    boolean _ = row == null || shadow.space().compareAndSet(keyBytes, row, null);
    return true;
  }

  /// Forgets all objects.
  public void clear() {
    for (Shadow<K, ?> shadow : shadows) {
      shadow.space().clear();
    }
  }

  /// Gives each key of which there is a row now; one may come twice.
  public void keys(Consumer<? super K> consumer) {
    for (Shadow<K, ?> shadow : shadows) {
      try (Snapshot snapshot = store.snapshot();
          Cursor cursor = snapshot.cursor(shadow.space(), Range.all())) {
        while (cursor.next()) {
          consumer.accept(shadow.table().key(cursor.key()));
        }
      }
    }
  }
}
