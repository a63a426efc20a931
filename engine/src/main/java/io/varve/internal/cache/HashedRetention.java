package io.varve.internal.cache;

import io.varve.internal.page.Leaf;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// A table with about as many slots as the budget has pages. The extent on disk selects the slot of
/// a leaf, and a newcomer displaces the leaf that it finds there. A use changes nothing.
final class HashedRetention implements LeafRetention {
  private static final int SLOTS_MIN = 16;
  private static final int SLOTS_MAX = 1 << 26;

  /// What a leaf is taken to weigh, at least: the first one that comes may be the only one that is
  /// so short.
  private static final int WEIGHT_MIN = 1 << 10;

  /// After how many leaves a table is tried again that found no memory. To look for memory that
  /// there is not costs a collection, while readers wait.
  private static final int ADDS_PER_TRY = 1 << 13;

  /// What spreads extents, which are multiples, over all slots (Knuth, 6.4; 2^64 / golden ratio).
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  private @Nullable Leaf[] slots = new Leaf[SLOTS_MIN];

  /// Leaves that lost their slots when the table became smaller; they are the next to leave.
  private Queue<Leaf> displaced = new ArrayDeque<>();

  /// The budget that the table was made for, or was to be.
  private long sizedFor;

  /// Leaves to add until a table is tried again that found no memory; 0 if none is to be.
  private int addsUntilTry;

  /// The slot that is looked at next where a leaf must leave although nobody comes to its slot.
  private int hand;

  private long bytes;

  @Override
  public void used(Leaf leaf) {}

  @Override
  public @Nullable Leaf add(Leaf leaf, long bytesMax, boolean passing) {
    if (bytesMax != sizedFor || (addsUntilTry > 0 && --addsUntilTry == 0)) {
      resize(bytesMax, Weight.of(leaf));
    }
    leaf.place = this;
    bytes += Weight.of(leaf);
    int slot = slot(leaf);
    Leaf before = slots[slot];
    slots[slot] = leaf;
    return before == null ? pollDisplaced() : leave(before);
  }

  /// Moves all leaves to a table for another budget. The leaf that just came may be a full one, and
  /// most are two thirds full. If there is no memory for the table, the old one stays in use as it
  /// is, and the new one is tried again later. A leaf in neither would never leave.
  private void resize(long bytesMax, long weight) {
    sizedFor = bytesMax;
    addsUntilTry = 0;
    long leaves = bytesMax / Math.max(weight * 2 / 3, WEIGHT_MIN);
    try {
      @Nullable Leaf[] resized =
          new Leaf[Math.toIntExact(Math.clamp(leaves, SLOTS_MIN, SLOTS_MAX))];
      Queue<Leaf> without = new ArrayDeque<>(displaced);
      for (Leaf leaf : slots) {
        if (leaf == null) {
          continue;
        }
        int slot = slot(leaf, resized.length);
        if (resized[slot] == null) {
          resized[slot] = leaf;
        } else {
          without.add(leaf);
        }
      }
      slots = resized;
      displaced = without;
      hand = 0;
    } catch (OutOfMemoryError _) {
      // The budget is kept by bytes. But a table that is too short holds fewer leaves than it.
      addsUntilTry = ADDS_PER_TRY;
    }
  }

  private int slot(Leaf leaf) {
    return slot(leaf, slots.length);
  }

  private static int slot(Leaf leaf, int slotCount) {
    return (int) Math.unsignedMultiplyHigh(leaf.extent() * SPREAD, slotCount);
  }

  private Leaf leave(Leaf leaf) {
    leaf.place = null;
    bytes -= Weight.of(leaf);
    return leaf;
  }

  private @Nullable Leaf pollDisplaced() {
    Leaf leaf = displaced.poll();
    return leaf == null ? null : leave(leaf);
  }

  @Override
  public void remove(Leaf leaf) {
    int slot = slot(leaf);
    if (slots[slot] == leaf) {
      slots[slot] = null;
    } else {
      displaced.remove(leaf);
    }
    leave(leaf);
  }

  @Override
  public @Nullable Leaf evict(long bytesMax) {
    Leaf first = pollDisplaced();
    if (first != null || bytes == 0) {
      return first;
    }
    while (true) {
      hand = hand + 1 < slots.length ? hand + 1 : 0;
      Leaf leaf = slots[hand];
      if (leaf != null) {
        slots[hand] = null;
        return leave(leaf);
      }
    }
  }

  @Override
  public long bytes() {
    return bytes;
  }
}
