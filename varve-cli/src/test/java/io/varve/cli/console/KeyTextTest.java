package io.varve.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyTextTest {
  @Test
  void textStandsForItself() {
    assertThat(KeyText.parse("h\u00e9llo w\u00f6rld"))
        .isEqualTo("h\u00e9llo w\u00f6rld".getBytes(UTF_8));
    assertThat(KeyText.print("h\u00e9llo \ud83d\ude00".getBytes(UTF_8)))
        .isEqualTo("h\u00e9llo \ud83d\ude00");
    assertThat(KeyText.print(new byte[0])).isEmpty();
  }

  @Test
  void escapesStandForBytes() {
    assertThat(KeyText.parse("a\\0\\n\\r\\t\\\\\\xff\\x7Fb"))
        .isEqualTo(new byte[] {'a', 0, '\n', '\r', '\t', '\\', -1, 127, 'b'});
    assertThat(KeyText.parse("0x00ff")).isEqualTo(new byte[] {0, -1});
    assertThat(KeyText.parse("0x")).isEmpty();
  }

  @Test
  void whatCannotBeShownIsEscaped() {
    assertThat(KeyText.print(new byte[] {'a', 0, '\n', '\\', (byte) 0xc3, 'b', 27}))
        .isEqualTo("a\\0\\n\\\\\\xc3b\\x1b");
    assertThat(KeyText.print("\u202e\u2028".getBytes(UTF_8)))
        .isEqualTo("\\xe2\\x80\\xae\\xe2\\x80\\xa8");
    assertThat(KeyText.print("0xab".getBytes(UTF_8))).isEqualTo("\\x30xab");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\", "a\\q", "\\x", "\\x1", "\\xzz", "0x1", "0xgg"})
  void whatIsWrongIsNamed(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> KeyText.parse(text));
  }

  @Test
  void anyBytesSurvive() {
    long seed = System.nanoTime();
    var random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      var bytes = new byte[random.nextInt(12)];
      random.nextBytes(bytes);
      if (random.nextBoolean()) { // As a rule random bytes are no UTF-8; here are some that are.
        bytes = new String(bytes, UTF_8).getBytes(UTF_8);
      }
      String printed = KeyText.print(bytes);
      assertThat(KeyText.parse(printed)).as("seed=%s, printed=%s", seed, printed).isEqualTo(bytes);
      assertThat(printed).doesNotContain("\n", "\t", "\0", "\u001b");
    }
  }

  @Test
  void longTextIsPrintedWhole() {
    String text = "\u20acx".repeat(5_000);
    assertThat(KeyText.print(text.getBytes(UTF_8))).isEqualTo(text);
  }
}
