package io.varve.grid.blobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.grid.items.UriPart;

/// What the address of a request for blobs names.
///
/// - BLOBADDRESS-1 The key is all that follows the name of the set, with its slashes. So `a/b` and
///   `a%2Fb` are one key.
///
/// @param set its name, empty if the request is for the names of all
/// @param key empty if the request is for the keys of a set
/// @param query the parameters as they were sent, empty if there are none
record BlobAddress(String set, String key, String query) {
  /// The path of all sets.
  static final String ROOT = "/rest/v2/varve/blobs";

  /// Of a set and a key, in UTF-8. A record has both, and a zero between, in its key.
  static final int SET_BYTES_MAX = 200;

  static final int KEY_BYTES_MAX = 3_840;

  /// Whether a request is for blobs.
  static boolean isOfBlobs(String uri) {
    return uri.startsWith(ROOT)
        && (uri.length() == ROOT.length() || "/?".indexOf(uri.charAt(ROOT.length())) >= 0);
  }

  /// The address of a request for blobs.
  ///
  /// @throws IllegalArgumentException if it is none
  static BlobAddress of(String uri) {
    int mark = uri.indexOf('?');
    String query = mark < 0 ? "" : uri.substring(mark + 1);
    String path = uri.substring(ROOT.length(), mark < 0 ? uri.length() : mark);
    if (path.length() <= 1) {
      return new BlobAddress("", "", query);
    }
    int slash = path.indexOf('/', 1);
    String set = UriPart.decoded(path.substring(1, slash < 0 ? path.length() : slash));
    String key = slash < 0 ? "" : UriPart.decoded(path.substring(slash + 1));
    if (set.isEmpty() || set.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("the name of a set is a text without a zero");
    }
    requireLength("the name of a set", set, SET_BYTES_MAX);
    requireLength("a key", key, KEY_BYTES_MAX);
    if (!key.isEmpty() && !query.isEmpty()) {
      throw new IllegalArgumentException("the address of a blob has no parameters");
    }
    return new BlobAddress(set, key, query);
  }

  private static void requireLength(String what, String text, int bytesMax) {
    int bytes = text.getBytes(UTF_8).length;
    if (bytes > bytesMax) {
      throw new IllegalArgumentException(
          what + " is too long: bytes=" + bytes + ", max=" + bytesMax);
    }
  }

  /// The key of the record in the store.
  byte[] recordKey() {
    return recordKey(set, key);
  }

  /// The key of the record of a key; of an empty one, the start of all records of a set.
  static byte[] recordKey(String set, String key) {
    return (set + '\0' + key).getBytes(UTF_8);
  }
}
