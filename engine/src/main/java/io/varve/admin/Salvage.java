package io.varve.admin;

import io.varve.CorruptStoreException;
import io.varve.KeySource;
import io.varve.ProgressListener;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.StoreKeyException;
import io.varve.StoreLockedException;
import io.varve.internal.store.StoreSalvager;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Makes a new store of all that is intact in a damaged one, which is not changed: also if
/// superblocks, roots, inner pages, the catalog or parts of the log are destroyed.
///
/// ```java
/// SalvageReport report = Salvage.of(Path.of("shop")).into(Path.of("shop-salvaged"));
/// ```
///
/// Of a store that is not damaged this makes a store with the same content. Where what leads to a
/// page is lost, the page is found by search, and of several versions of a key the newest is taken.
/// What cannot be known then is whether a newer version was lost, or the key deleted: so some
/// deleted keys may come back. Spaces whose names are lost are called `space-7`, by their number.
///
/// Safe for threads.
///
/// @since 1.0
public final class Salvage {
  private final Path damaged;
  private final @Nullable KeySource key;

  private Salvage(Path damaged, @Nullable KeySource key) {
    this.damaged = damaged;
    this.key = key;
  }

  /// A salvage of the store in a directory, which must not be open. Nothing is read yet.
  public static Salvage of(Path damaged) {
    return new Salvage(Objects.requireNonNull(damaged, "damaged"), null);
  }

  /// The same salvage, with the source of the key of an encrypted store. The new store is encrypted
  /// by the same key.
  public Salvage encryption(KeySource value) {
    return new Salvage(damaged, Objects.requireNonNull(value, "encryption"));
  }

  /// Makes the new store: see [#into(Path, ProgressListener)].
  public SalvageReport into(Path target) {
    return into(target, ProgressListener.none());
  }

  /// Makes the new store, and reports progress.
  ///
  /// - **Cost:** reads the damaged store once or twice, and then the new one; memory does not grow
  ///   with them.
  ///
  /// @param target directory of the new store, missing or empty
  /// @return what was found and what was lost
  /// @throws StoreLockedException if the damaged store is open
  /// @throws StoreKeyException if a key was given and is another one than the store's, or the store
  ///   has no keys file; or if none was given and the store is encrypted
  /// @throws StoreIoException if the target is not empty, or there is no page file, or one of the
  ///   directories cannot be used
  /// @throws StoreFullException if the target has no capacity left
  /// @throws CorruptStoreException if the disk lost what was written: the new store is not sound
  public SalvageReport into(Path target, ProgressListener listener) {
    return StoreSalvager.salvage(damaged, target, key, listener);
  }

  @Override
  public String toString() {
    return "Salvage[" + damaged + "]";
  }
}
