package io.varve.grid.items;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a request states of what it is for, by its tag: `If-Match` and `If-None-Match` of RFC 9110.
///
/// @param match tags of which one is that of it; null if none is stated
/// @param noneMatch tags of which none is; null if none is stated
public record Preconditions(@Nullable List<String> match, @Nullable List<String> noneMatch) {
  private static final String ANY = "*";
  private static final String WEAK = "W/";
  private static final Pattern TAG =
      Pattern.compile("\\s*((?:W/)?\"[\\x21\\x23-\\x7e\\x80-\\xff]*\")\\s*(?:,|$)");

  /// Reads the values of both headers.
  ///
  /// @throws IllegalArgumentException if one is no list of tags
  public static Preconditions of(List<String> match, List<String> noneMatch) {
    return new Preconditions(tags("If-Match", match), tags("If-None-Match", noneMatch));
  }

  private static @Nullable List<String> tags(String header, List<String> values) {
    if (values.isEmpty()) {
      return null;
    }
    String all = String.join(",", values).strip();
    if (all.equals(ANY)) {
      return List.of(ANY);
    }
    List<String> tags = new ArrayList<>();
    Matcher tag = TAG.matcher(all);
    int end = 0;
    while (end < all.length() && tag.find(end) && tag.start() == end) {
      tags.add(tag.group(1));
      end = tag.end();
    }
    if (end < all.length() || tags.isEmpty()) {
      throw new IllegalArgumentException(
          header
              + " is neither * nor a list of tags in double quotes, as in the ETag of an answer");
    }
    return tags;
  }

  /// Whether nothing is stated.
  public boolean isEmpty() {
    return match == null && noneMatch == null;
  }

  /// Whether `If-Match` is true. A weak tag is that of nothing.
  ///
  /// @param tag null if there is nothing
  public boolean matches(@Nullable String tag) {
    return match == null || (tag != null && (match.contains(ANY) || match.contains(tag)));
  }

  /// Whether `If-None-Match` is true.
  ///
  /// @param tag null if there is nothing
  public boolean matchesNone(@Nullable String tag) {
    return noneMatch == null
        || tag == null
        || !(noneMatch.contains(ANY) || noneMatch.contains(tag) || noneMatch.contains(WEAK + tag));
  }

  /// Whether both are true.
  ///
  /// @param tag null if there is nothing
  public boolean areTrueOf(@Nullable String tag) {
    return matches(tag) && matchesNone(tag);
  }
}
