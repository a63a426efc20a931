package io.varve.internal.file;

/// What a store knows of a space apart from its entries. Changed by commits.
///
/// @param name of the space
/// @param keyCodec the id of the codec of a table's keys; empty if there is none
/// @param valueCodec the id of the codec of a table's values; empty if there is none
public record SpaceDefinition(String name, String keyCodec, String valueCodec) {
  /// The longest id of a codec, in characters.
  public static final int CODEC_ID_LENGTH_MAX = 8192;

  /// A space that is no table, or not known to be one.
  public static SpaceDefinition of(String name) {
    return new SpaceDefinition(name, "", "");
  }

  /// This with another name.
  public SpaceDefinition renamed(String newName) {
    return new SpaceDefinition(newName, keyCodec, valueCodec);
  }

  /// Whether codecs are known.
  public boolean isTable() {
    return !keyCodec.isEmpty() || !valueCodec.isEmpty();
  }
}
