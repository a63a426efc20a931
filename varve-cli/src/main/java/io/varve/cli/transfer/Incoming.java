package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Entry;

/// An entry in flight into a store.
public sealed interface Incoming {
  /// The space it goes to.
  String space();

  /// Its key.
  byte[] key();

  /// The length of its value.
  long valueBytes();

  /// An entry in memory.
  record Whole(String space, Entry entry) implements Incoming {
    @Override
    public byte[] key() {
      return entry.key();
    }

    @Override
    public long valueBytes() {
      return entry.value().length;
    }
  }

  /// A file that is too large to be held in memory along with others.
  record Streamed(String space, FileTree tree, FileTree.Item item) implements Incoming {
    @Override
    public byte[] key() {
      return item.path().getBytes(UTF_8);
    }

    @Override
    public long valueBytes() {
      return item.bytes();
    }
  }
}
