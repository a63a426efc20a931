package io.varve.query.internal.expr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// `like` with texts and forms that were chosen to take long: a text that does not fit was tried
/// from each of its characters on.
class LikeTest {
  private static boolean isLike(String text, String pattern, String escape) {
    return new LikePattern(pattern, escape).matches(text);
  }

  @Test
  void longFormsOfLongTextsAreMatchedInTimeOfBoth() {
    String text = "a".repeat(400_000);
    for (String part : List.of("a".repeat(200_000), "_".repeat(200_000), "a_".repeat(100_000))) {
      assertThat(isLike(text, "%" + part + "%", "")).isTrue();
      assertThat(isLike(text, "%" + part + "b%", "")).isFalse();
      assertThat(isLike(text + "b", "%" + part + "b", "")).isTrue();
      assertThat(isLike("b" + text, "b%" + part + "%c", "")).isFalse();
    }
    assertThat(isLike(text, "%a%a%a%a%a%b", "")).isFalse();
    assertThat(isLike(text, "a%".repeat(100_000), "")).isTrue();
    assertThat(isLike(text, "%ab".repeat(100_000) + "%", "")).isFalse();
  }

  @Test
  void formsFitAsTheirDefinitionStates() {
    var random = new Random(1);
    String[] signs = {"a", "b", "\uD83D\uDE00", "%", "_", "!%", "!_", "!!", "!"};
    for (int i = 0; i < 50_000; i++) {
      var pattern = new LikePattern(joined(random, signs, random.nextInt(12)), "!");
      String text = joined(random, signs, random.nextInt(20));
      int[] symbols = text.codePoints().toArray();
      boolean fits = fits(pattern.symbols(), symbols);
      assertThat(pattern.matches(text)).as("%s like %s", text, pattern).isEqualTo(fits);
      if (IntStream.of(pattern.symbols()).anyMatch(symbol -> symbol == LikeSearch.MANY)) {
        assertThat(new LikeSearch(pattern.symbols(), symbols).matches())
            .as("%s like %s", text, pattern)
            .isEqualTo(fits);
      }
    }
  }

  /// Parts of more than one word of bits, of which some code points are frequent.
  @Test
  void longPartsWithGapsFitAsTheirDefinitionStates() {
    var random = new Random(2);
    for (int i = 0; i < 300; i++) {
      String text = joined(random, new String[] {"a", "a", "b", "c"}, 400);
      int from = random.nextInt(200);
      StringBuilder part = new StringBuilder(text.substring(from, from + 1 + random.nextInt(200)));
      for (int gaps = random.nextInt(5); gaps > 0; gaps--) {
        part.setCharAt(random.nextInt(part.length()), '_');
      }
      if (random.nextBoolean()) {
        part.setCharAt(random.nextInt(part.length()), 'c');
      }
      int[] symbols = text.codePoints().toArray();
      int[] form = new LikePattern("%" + part + "%", "").symbols();
      assertThat(new LikeSearch(form, symbols).matches())
          .as("%s like %s", text, part)
          .isEqualTo(fits(form, symbols));
    }
  }

  private static String joined(Random random, String[] signs, int count) {
    StringBuilder joined = new StringBuilder();
    for (int i = 0; i < count; i++) {
      joined.append(signs[random.nextInt(signs.length)]);
    }
    return joined.toString();
  }

  /// Which beginnings of the text fit what is read of the form.
  private static boolean fits(int[] form, int[] text) {
    var fitting = new BitSet();
    fitting.set(0);
    for (int symbol : form) {
      var next = new BitSet();
      for (int at = fitting.nextSetBit(0); at >= 0; at = fitting.nextSetBit(at + 1)) {
        if (symbol == LikeSearch.MANY) {
          next.set(at, text.length + 1);
        } else if (at < text.length && (symbol == LikeSearch.ONE || symbol == text[at])) {
          next.set(at + 1);
        }
      }
      fitting = next;
    }
    return fitting.get(text.length);
  }
}
