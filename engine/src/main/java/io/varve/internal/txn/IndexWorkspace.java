package io.varve.internal.txn;

import io.varve.Range;
import io.varve.Space;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/// The keys in the *workspace* of an index: the space that exists while the index is built. It
/// belongs to the space with the entries as an index belongs to its space, so it goes with it.
///
/// - (WORKSPACE-1) While there is a workspace, each commit that takes an entry out of the index
///   notes that there. An entry that was there before, and goes, and comes again, keeps its note.
/// - (WORKSPACE-2) A commit that planned with the workspace, or without it, is refused once that
///   has changed: it is one of the indexes of the space with the entries (INDEXES-2).
public final class IndexWorkspace {
  /// The key of the progress of the build.
  private static final byte[] PROGRESS = {};

  private static final byte BLOCKS = 1;
  private static final byte REMOVED = 2;
  private static final byte REMOVED_LONG = 3;

  /// Its name among the indexes of the space with the entries. No user's index has it.
  static final String NAME = "\u0000workspace";

  private IndexWorkspace() {}

  /// The key of the progress of the build.
  public static byte[] progress() {
    return PROGRESS.clone();
  }

  /// The key of a block of sorted index entries.
  ///
  /// @param run which run of blocks
  /// @param block its number in the run
  public static byte[] block(int run, int block) {
    return ByteBuffer.allocate(1 + 2 * Integer.BYTES).put(BLOCKS).putInt(run).putInt(block).array();
  }

  /// The keys of the blocks of a run.
  public static Range blocks(int run) {
    return Range.of(block(run, 0), block(run + 1, 0));
  }

  /// The key that notes that an index entry was removed.
  ///
  /// @param entry the prefix, and then the key, also of a unique index
  public static byte[] removed(byte[] entry) {
    if (entry.length < Space.KEY_BYTES_MAX) {
      return after(REMOVED, entry);
    }
    return after(REMOVED_LONG, digest(entry));
  }

  /// The notes of removed entries from one to another, both inclusive. Those of the longest entries
  /// are not among them.
  public static Range removed(byte[] first, byte[] last) {
    byte[] end = after(REMOVED, Arrays.copyOf(last, last.length + 1)); // what comes next
    return Range.of(after(REMOVED, first), end);
  }

  private static byte[] after(byte kind, byte[] rest) {
    byte[] key = new byte[1 + rest.length];
    key[0] = kind;
    System.arraycopy(rest, 0, key, 1, rest.length);
    return key;
  }

  private static byte[] digest(byte[] entry) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(entry);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
