package io.varve.internal.cache;

import io.varve.internal.disk.StoreThreads;
import io.varve.internal.page.Leaf;
import io.varve.spi.RetainedPage;
import io.varve.spi.RetentionPolicy;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Has the leaves leave that a program's own policy names.
///
/// - (V1) Which leaves are here and what they weigh is written before the policy is notified, and
///   never read from it. Whatever it does, the accounts are right and a leaf that is asked for
///   leaves.
/// - (V2) A policy that fails is dismissed: it is not called again. Leaves then leave in the order
///   in which they came.
final class ProvidedRetention implements LeafRetention {
  /// A stay of a leaf, with identity. What a reader may see without the lock is final.
  private static final class Stay implements RetainedPage {
    final long id;
    final int bytes;

    /// Null after the stay, so that a policy that keeps this does not keep the leaf. Guarded by the
    /// lock of the cache.
    @Nullable Leaf leaf;

    Stay(Leaf leaf) {
      this.id = leaf.extent();
      this.bytes = Math.toIntExact(Weight.of(leaf));
      this.leaf = leaf;
    }

    @Override
    public long id() {
      return id;
    }

    @Override
    public int bytes() {
      return bytes;
    }

    @Override
    public String toString() {
      return "page " + id;
    }
  }

  private final String name;
  private final StoreThreads threads;

  /// Null once it was dismissed, which any thread may do.
  private final AtomicReference<@Nullable RetentionPolicy> policy;

  /// In the order in which they came.
  private final LinkedHashSet<Stay> stays = new LinkedHashSet<>();

  private long bytes;

  /// The budget that the policy knows of.
  private long bytesMaxReported = -1;

  /// @param name of the policy, for messages
  ProvidedRetention(String name, RetentionPolicy policy, StoreThreads threads) {
    this.name = name;
    this.policy = new AtomicReference<>(policy);
    this.threads = threads;
  }

  /// Reads the leaf's place without the lock. It may be an earlier one, or none.
  @Override
  public void used(Leaf leaf) {
    RetentionPolicy present = policy.get();
    if (present != null && leaf.place instanceof Stay stay) {
      try {
        present.used(stay);
      } catch (Throwable e) {
        dismiss("used", e);
      }
    }
  }

  @Override
  public @Nullable Leaf add(Leaf leaf, long bytesMax, boolean passing) {
    Stay stay = new Stay(leaf);
    stays.add(stay);
    bytes += stay.bytes;
    leaf.place = stay;
    tellBudget(bytesMax);
    RetentionPolicy present = policy.get();
    if (present != null) {
      try {
        present.added(stay, passing);
      } catch (Throwable e) {
        dismiss("added", e);
      }
    }
    return null;
  }

  @Override
  public void remove(Leaf leaf) {
    if (leaf.place instanceof Stay stay) {
      leave(stay, leaf);
    }
  }

  @Override
  public @Nullable Leaf evict(long bytesMax) {
    if (stays.isEmpty()) {
      return null;
    }
    tellBudget(bytesMax);
    Stay named = named();
    Stay stay = named != null ? named : stays.getFirst();
    Leaf leaf = Objects.requireNonNull(stay.leaf, "leaf of a page that is here");
    leave(stay, leaf);
    return leaf;
  }

  private void leave(Stay stay, Leaf leaf) {
    stays.remove(stay);
    bytes -= stay.bytes;
    stay.leaf = null;
    leaf.place = null;
    RetentionPolicy present = policy.get();
    if (present != null) {
      try {
        present.removed(stay);
      } catch (Throwable e) {
        dismiss("removed", e);
      }
    }
  }

  /// What the policy names, or null if it names none that is here.
  private @Nullable Stay named() {
    RetentionPolicy present = policy.get();
    if (present == null) {
      return null;
    }
    try {
      RetainedPage page = present.next();
      if (page == null) {
        return null;
      }
      if (page instanceof Stay stay && stays.contains(stay)) {
        return stay;
      }
      dismiss("next, which named a page that is not in memory", null);
    } catch (Throwable e) {
      dismiss("next", e);
    }
    return null;
  }

  private void tellBudget(long bytesMax) {
    RetentionPolicy present = policy.get();
    if (present == null || bytesMax == bytesMaxReported) {
      return;
    }
    bytesMaxReported = bytesMax;
    try {
      present.budget(bytesMax);
    } catch (Throwable e) {
      dismiss("budget", e);
    }
  }

  /// Reports in a thread of its own: what takes logs is the users' code as well, may take long, and
  /// locks are held here.
  private void dismiss(String call, @Nullable Throwable cause) {
    if (policy.getAndSet(null) == null) {
      return;
    }
    String message =
        "a retention policy failed and is not asked again before the next open: policy="
            + name
            + ", call="
            + call
            + "; pages leave memory in the order in which they came; correct the policy, or set"
            + " StoreOptions.cache(cache -> cache.retention(PageRetention.S3_FIFO))";
    threads
        .newVirtualThread(
            "varve-retention-report",
            () ->
                System.getLogger(ProvidedRetention.class.getName())
                    .log(System.Logger.Level.WARNING, message, cause))
        .start();
  }

  @Override
  public long bytes() {
    return bytes;
  }
}
