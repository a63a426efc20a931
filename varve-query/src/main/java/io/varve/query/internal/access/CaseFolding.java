package io.varve.query.internal.access;

import java.util.Locale;

/// Strings without their case. Strings have equal results if their lower cases are equal, or their
/// upper cases.
public final class CaseFolding {
  private CaseFolding() {}

  /// The string without its case.
  public static String fold(String text) {
    // Not all letters have one small and one capital form: each round brings more of them together.
    return text.toLowerCase(Locale.ROOT).toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }
}
