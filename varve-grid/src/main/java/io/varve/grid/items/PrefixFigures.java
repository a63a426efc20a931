package io.varve.grid.items;

import io.varve.item.Item;
import io.varve.item.ItemCursor;
import io.varve.item.ItemView;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// What there is under a prefix, found by reading all of it without holding it.
///
/// @param items their number
/// @param jsonBytes of memory that their JSON takes at most, as a tree and as a text
/// @param tag an entity tag of HTTP, the same for the same items after a prefix; null if there are
///   none
record PrefixFigures(long items, long jsonBytes, @Nullable String tag) {
  static final PrefixFigures NONE = new PrefixFigures(0, 0, null);

  /// Read before other requests have a turn: they take less than a millisecond.
  private static final int ITEMS_IN_A_ROW_MAX = 1_000;

  /// Of a name in a tree, whose objects have a map each.
  private static final int COMPONENT_BYTES = 256;

  /// Of a character: in the tree, in the text, and where an escape is six.
  private static final int TEXT_FACTOR = 8;

  /// Of a digest of 32, so that a tag is short. By chance, two of 2^64 states have the same.
  private static final int TAG_BYTES = 16;

  /// Of the items in a view. Lets other virtual threads run as it reads: there are as many at a
  /// time as there are cores, and nothing takes one of them away.
  @SuppressWarnings("ThreadPriorityCheck") // A turn for others, on which nothing depends.
  static PrefixFigures of(ItemView view, Item prefix) {
    MessageDigest digest = digest();
    int from = prefix.byteLength();
    long items = 0;
    long jsonBytes = 0;
    ItemCursor cursor = view.cursor(prefix);
    while (cursor.next()) {
      byte[] bytes = cursor.toBytes();
      update(digest, bytes, from);
      items++;
      if (items % ITEMS_IN_A_ROW_MAX == 0) {
        Thread.yield();
      }
      jsonBytes += jsonBytes(cursor, prefix);
    }
    return items == 0 ? NONE : new PrefixFigures(items, jsonBytes, tag(digest));
  }

  /// Memory that the JSON of the item that a cursor is on takes at most.
  static long jsonBytes(ItemCursor cursor, Item prefix) {
    return (long) TEXT_FACTOR * (cursor.byteLength() - prefix.byteLength())
        + (long) COMPONENT_BYTES * (cursor.size() - prefix.size());
  }

  /// The tag of items that all start with a prefix, in their order, or null if there are none.
  static @Nullable String tag(Collection<Item> items, Item prefix) {
    if (items.isEmpty()) {
      return null;
    }
    MessageDigest digest = digest();
    items.forEach(item -> update(digest, item.toBytes(), prefix.byteLength()));
    return tag(digest);
  }

  /// Adds what follows the prefix, after its length.
  private static void update(MessageDigest digest, byte[] item, int from) {
    int length = item.length - from;
    digest.update((byte) (length >> 8));
    digest.update((byte) length);
    digest.update(item, from, length);
  }

  private static String tag(MessageDigest digest) {
    byte[] start = Arrays.copyOf(digest.digest(), TAG_BYTES);
    return '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(start) + '"';
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-256", e);
    }
  }
}
