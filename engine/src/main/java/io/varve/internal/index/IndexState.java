package io.varve.internal.index;

import io.varve.internal.file.SpaceDefinition;

/// What the store remembers of an index in the definition of the space with its entries. That of a
/// table has the id of the codec of its values there. The id of the index is stored in the field of
/// the id of the codec of the keys.
///
/// @param isUnique whether equal prefixes are refused
/// @param isBuilt whether the index has the entries of the whole space
record IndexState(boolean isUnique, boolean isBuilt) {
  private static final String UNIQUE = "unique";
  private static final String BUILT = "built";

  static IndexState of(SpaceDefinition entries) {
    String words = entries.valueCodec(); // each query asks: so they are not taken apart
    return new IndexState(words.contains(UNIQUE), words.contains(BUILT));
  }

  String words() {
    return "index" + (isUnique ? " " + UNIQUE : "") + (isBuilt ? " " + BUILT : "");
  }
}
