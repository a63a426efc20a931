package io.varve;

/// A commit was refused: two entries would have one prefix of a unique index. Nothing was written.
///
/// @since 1.0
public final class UniqueIndexException extends VarveException {
  private static final long serialVersionUID = 1;

  private final String index;
  private final transient byte[] key;
  private final transient byte[] presentKey;

  /// Makes the refusal.
  ///
  /// @param key of the entry that was to be written
  /// @param presentKey of the entry that has the prefix
  public UniqueIndexException(String space, String index, byte[] key, byte[] presentKey) {
    super(
        "another entry has the same value of a unique index: space="
            + space
            + ", index="
            + index
            + ", keyBytes="
            + key.length
            + ", presentKeyBytes="
            + presentKey.length
            + "; change or delete one of them",
        null);
    this.index = index;
    this.key = key.clone();
    this.presentKey = presentKey.clone();
  }

  /// The name of the index.
  public String index() {
    return index;
  }

  /// The key of the entry that was to be written.
  public byte[] key() {
    return key.clone();
  }

  /// The key of the entry that has the value already.
  public byte[] presentKey() {
    return presentKey.clone();
  }
}
