package io.varve.internal.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.internal.file.SpaceDefinition;
import java.util.HexFormat;

/// What the store remembers of an index in the definition of the space with its entries. That of a
/// table has the id of the codec of its values there. The id of the index is stored in the field of
/// the id of the codec of the keys.
final class IndexState {
  private static final String UNIQUE = "unique";
  private static final String BUILT = "built";
  private static final String GIVEN = " given=";

  private final boolean isUnique;
  private final boolean isBuilt;
  private final String given;

  /// @param isUnique whether equal prefixes are refused
  /// @param isBuilt whether the index has the entries of the whole space
  /// @param given the name that the program gives the index, as hexadecimal digits of its UTF-8, if
  ///   a rename gave it another one; or else empty. So no name reads as one of the words.
  IndexState(boolean isUnique, boolean isBuilt, String given) {
    this.isUnique = isUnique;
    this.isBuilt = isBuilt;
    this.given = given;
  }

  boolean isUnique() {
    return isUnique;
  }

  boolean isBuilt() {
    return isBuilt;
  }

  String given() {
    return given;
  }

  static IndexState of(SpaceDefinition entries) {
    String words = entries.valueCodec(); // each query asks: so they are not taken apart
    int at = words.indexOf(GIVEN);
    return new IndexState(
        words.contains(UNIQUE),
        words.contains(BUILT),
        at < 0 ? "" : words.substring(at + GIVEN.length()));
  }

  String words() {
    return "index"
        + (isUnique ? " " + UNIQUE : "")
        + (isBuilt ? " " + BUILT : "")
        + (given.isEmpty() ? "" : GIVEN + given);
  }

  /// This, with the entries of the whole space.
  IndexState built() {
    return new IndexState(isUnique, true, given);
  }

  /// This, where the program gives the index a name that the store does not.
  IndexState given(String name) {
    return new IndexState(isUnique, isBuilt, hex(name));
  }

  /// This, where the program and the store give the index one name.
  IndexState named() {
    return new IndexState(isUnique, isBuilt, "");
  }

  /// Whether a rename took that name from the index.
  boolean isGiven(String name) {
    return !given.isEmpty() && given.equals(hex(name));
  }

  private static String hex(String name) {
    return HexFormat.of().formatHex(name.getBytes(UTF_8));
  }
}
