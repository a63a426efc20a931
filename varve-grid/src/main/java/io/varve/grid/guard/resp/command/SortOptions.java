package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.varve.grid.guard.resp.format.RespNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What follows the key of `SORT`, as Redis reads it.
///
/// @param by the keys that elements are ordered by; null for the elements themselves
/// @param gets what the reply has of each element, in this order; the element itself if empty
/// @param isAlpha whether strings are compared, and no numbers
/// @param limit which elements the reply is of
/// @param destination where the reply is stored; null if it is not
record SortOptions(
    @Nullable SortPattern by,
    List<SortPattern> gets,
    boolean isAlpha,
    boolean isDescending,
    Limit limit,
    byte @Nullable [] destination) {
  /// A part of the elements.
  ///
  /// @param offset the first one, negative for 0
  /// @param count negative for all that follow
  record Limit(long offset, long count) {
    private static final Limit ALL = new Limit(0, -1);

    <T> List<T> of(List<T> elements) {
      int from = Math.clamp(offset, 0, elements.size());
      int left = elements.size() - from;
      return elements.subList(from, from + (count < 0 ? left : (int) Math.min(left, count)));
    }
  }

  /// Reads them.
  ///
  /// @param mayStore whether a destination is allowed
  /// @return null for an error of syntax
  /// @throws NumberFormatException if a number of `LIMIT` is none
  static @Nullable SortOptions of(List<byte[]> words, boolean mayStore) {
    SortPattern by = null;
    List<SortPattern> gets = new ArrayList<>();
    boolean isAlpha = false;
    boolean isDescending = false;
    Limit limit = Limit.ALL;
    byte[] destination = null;
    for (int at = 0; at < words.size(); at++) {
      String word = new String(words.get(at), US_ASCII).toUpperCase(Locale.ROOT);
      int left = words.size() - at - 1;
      switch (word) {
        case "ASC" -> isDescending = false;
        case "DESC" -> isDescending = true;
        case "ALPHA" -> isAlpha = true;
        case "BY" -> {
          if (left < 1) {
            return null;
          }
          SortPattern next = SortPattern.of(words.get(++at));
          by = by == null || by.namesKeys() ? next : by; // Nothing is ordered from then on.
        }
        case "GET" -> {
          if (left < 1) {
            return null;
          }
          gets.add(SortPattern.of(words.get(++at)));
        }
        case "LIMIT" -> {
          if (left < 2) {
            return null;
          }
          long offset = RespNumbers.toLong(words.get(++at));
          limit = new Limit(offset, RespNumbers.toLong(words.get(++at)));
        }
        case "STORE" -> {
          if (left < 1 || !mayStore) {
            return null;
          }
          destination = words.get(++at);
        }
        default -> {
          return null;
        }
      }
    }
    return new SortOptions(by, gets, isAlpha, isDescending, limit, destination);
  }

  /// The same for elements that are ordered as strings.
  SortOptions ofTexts() {
    return new SortOptions(null, gets, true, isDescending, limit, destination);
  }
}
