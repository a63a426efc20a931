package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What patterns of channels match, as a Redis 7.0.15 has it.
class GlobPatternTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      textBlock =
          """
          *,          abc,   true
          *,          "",    false
          "",         "",    true
          "",         a,     false
          ?,          "",    false
          a*c,        abcbc, true
          a*b,        abcbc, false
          a**c?,      abcd,  true
          h[a-c]t,    hbt,   true
          h[c-a]t,    hbt,   true
          h[^a]t,     hat,   false
          h[^a]t,     hbt,   true
          h[!a]t,     hbt,   false
          h\\*t,      h*t,   true
          h\\*t,      hat,   false
          "[\\]]",    ],     true
          a[bc,       ac,    true
          a[,         a,     false
          a\\,        a\\,   true
          [],         ],     false
          """)
  void patternsMatchAsAtRedis(String pattern, String text, boolean matches) {
    assertThat(GlobPattern.matches(pattern.getBytes(ISO_8859_1), text.getBytes(ISO_8859_1)))
        .isEqualTo(matches);
  }

  /// What it matches is matched in a cluster too, where all of it is ASCII.
  @ParameterizedTest
  @CsvSource({"a*b, a*b", "é*, ?*", "a\\éb, a?b", "\\[é[a-c]x, \\[?*", "[aé]b, *", "\\\\é, \\\\?"})
  void aPatternOfAsciiTakesNoLess(String pattern, String ascii) {
    assertThat(GlobPattern.ascii(pattern.getBytes(ISO_8859_1)))
        .asString(ISO_8859_1)
        .isEqualTo(ascii);
  }

  /// GLOB-1
  @Test
  @Timeout(10)
  void manyStarsTakeNoLongTime() {
    byte[] text = "a".repeat(1_000).getBytes(ISO_8859_1);
    byte[] pattern = ("*a".repeat(900) + "*b").getBytes(ISO_8859_1);
    assertThat(GlobPattern.matches(pattern, text)).isFalse();
  }
}
