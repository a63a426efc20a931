package io.varve.internal.codec;

/// The refusal of bytes that a codec cannot have written. It names facts about their form alone:
/// their contents are the user's.
final class Malformed {
  private Malformed() {}

  static IllegalArgumentException refusal(
      String codec, String fact, Object expected, Object found) {
    return new IllegalArgumentException(
        "not a value of this codec: codec="
            + codec
            + ", fact="
            + fact
            + ", expected="
            + expected
            + ", found="
            + found
            + "; use the codec that the bytes were written with");
  }
}
