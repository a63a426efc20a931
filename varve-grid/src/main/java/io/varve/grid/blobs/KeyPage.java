package io.varve.grid.blobs;

import io.varve.Snapshot;
import io.varve.grid.items.UriPart;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/// Which keys of a set, or names of sets, a request asks for.
///
/// (KEYPAGE-1) A page ends with the key by which its JSON has [#CHARS] characters, also where more
/// were asked for. So it fits the memory of a slot ([TransferSlots]), whatever keys there are.
///
/// @param prefix that they begin with
/// @param after the key before the first, empty to begin
/// @param limit how many
record KeyPage(String prefix, String after, int limit) {
  private static final int LIMIT = 100; // unless a request states it
  private static final int LIMIT_MAX = 1_000;
  private static final int CHARS = 512 << 10;
  private static final int ESCAPED_CHARS = 6; // of a control character

  /// The page of the parameters of an address.
  ///
  /// @throws IllegalArgumentException if they are none
  static KeyPage of(String query) {
    String prefix = null;
    String after = null;
    int limit = 0;
    for (String parameter : query.isEmpty() ? new String[0] : query.split("&", -1)) {
      String[] parts = parameter.split("=", 2);
      if (parts.length == 2 && parts[0].equals("prefix") && prefix == null) {
        prefix = decoded(parts[1]);
      } else if (parts.length == 2 && parts[0].equals("after") && after == null) {
        after = decoded(parts[1]);
      } else if (parts.length == 2 && parts[0].equals("limit") && limit == 0) {
        limit = limit(parts[1]);
      } else {
        throw new IllegalArgumentException(
            "a list has no parameters but prefix=TEXT, after=KEY and limit=COUNT, each once");
      }
    }
    return new KeyPage(
        prefix == null ? "" : prefix, after == null ? "" : after, limit == 0 ? LIMIT : limit);
  }

  /// A plus is a space to some clients, and a plus to others.
  private static String decoded(String value) {
    if (value.contains("+")) {
      throw new IllegalArgumentException(
          "a parameter has a plus; write %20 for a space, %2B for a plus");
    }
    return UriPart.decoded(value);
  }

  private static int limit(String value) {
    if (value.matches("[0-9]{1,4}")) {
      int limit = Integer.parseInt(value);
      if (limit > 0 && limit <= LIMIT_MAX) {
        return limit;
      }
    }
    throw new IllegalArgumentException("limit is to be a number from 1 to " + LIMIT_MAX);
  }

  /// Lists the blobs of this page.
  ///
  /// @return the last key if there are others after it, or null if there are none
  @Nullable String list(Snapshot snapshot, String set, ArrayNode listed) {
    String[] last = new String[1];
    boolean[] hasMore = new boolean[1];
    int[] chars = new int[1];
    BlobStore.scan(
        snapshot,
        set,
        prefix,
        after,
        (key, record) -> {
          hasMore[0] = listed.size() == limit || chars[0] >= CHARS; // KEYPAGE-1
          if (!hasMore[0]) {
            last[0] = key;
            chars[0] += chars(key) + chars(record.type());
            list(listed, key, record);
          }
          return !hasMore[0];
        });
    return hasMore[0] ? last[0] : null;
  }

  /// Lists the names of the sets of this page.
  ///
  /// @return the last name if there are others after it, or null if there are none
  /// @throws IllegalArgumentException if no name can begin so, or be the one before
  @Nullable String listSets(Snapshot snapshot, ArrayNode listed) {
    if (prefix.indexOf('\0') >= 0 || after.indexOf('\0') >= 0) { // It would be of a key.
      throw new IllegalArgumentException("the name of a set is a text without a zero");
    }
    String[] last = new String[1];
    boolean[] hasMore = new boolean[1];
    int[] chars = new int[1];
    BlobStore.scanSets(
        snapshot,
        prefix,
        after,
        name -> {
          hasMore[0] = listed.size() == limit || chars[0] >= CHARS; // KEYPAGE-1
          if (!hasMore[0]) {
            last[0] = name;
            chars[0] += chars(name);
            listed.add(name);
          }
          return !hasMore[0];
        });
    return hasMore[0] ? last[0] : null;
  }

  private static int chars(String text) {
    return text.length() + (ESCAPED_CHARS - 1) * (int) text.chars().filter(c -> c < ' ').count();
  }

  private static void list(ArrayNode listed, String key, BlobRecord record) {
    listed
        .addObject()
        .put("key", key)
        .put("bytes", record.length())
        .put("etag", record.tag())
        .put("type", record.type())
        .put("modified", Instant.ofEpochMilli(record.modified()).toString());
  }

  /// A link to the page after a key.
  String link(BlobAddress address, String last) {
    return "<"
        + BlobAddress.ROOT
        + (address.set().isEmpty() ? "" : "/" + UriPart.encoded(address.set()))
        + "?prefix="
        + UriPart.encoded(prefix)
        + "&limit="
        + limit
        + "&after="
        + UriPart.encoded(last)
        + ">; rel=\"next\"";
  }
}
