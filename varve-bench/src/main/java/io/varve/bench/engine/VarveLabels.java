package io.varve.bench.engine;

/// What the engines of Varve are called that others are compared with.
public final class VarveLabels {
  /// The label of the store that the others are compared with.
  public static final String VARVE = "varve";

  /// The label of the same store, encrypted.
  public static final String ENCRYPTED = "varve-encrypted";

  /// Varve with the largest pages.
  public static final String LARGE_PAGES = "varve-32k";

  private VarveLabels() {}
}
