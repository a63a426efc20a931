package io.varve.grid.guard.entry;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// What the lists of a message state, wherever they are, and what is no list.
class StatedElementsTest {
  private static final String TYPE =
      field(
          "e201",
          HexFormat.of().formatHex("org.infinispan.protostream.commons.Set".getBytes(US_ASCII)));
  private static final String NONE = "f20100";

  private static String field(String tag, String content) {
    return tag + HexFormat.of().toHexDigits((byte) (content.length() / 2)) + content;
  }

  private static long stated(String message) {
    return StatedElements.of(HexFormat.of().parseHex(message));
  }

  @Test
  void theFieldsOfAListHaveAnyOrder() {
    assertThat(stated(TYPE + "d8010c" + NONE)).isEqualTo(12);
    assertThat(stated("d8010c" + TYPE + NONE)).isEqualTo(12);
    assertThat(stated(NONE + TYPE + "d8010c")).isEqualTo(12);
    assertThat(stated("00" + TYPE + "d881808000" + "8c8000" + "f28100" + "00")).isEqualTo(12);
  }

  @Test
  void eachListIsCountedOneTime() {
    String list = TYPE + "d80105" + NONE;
    assertThat(stated(list + list)).isEqualTo(10);
    assertThat(stated(list + field("8a01", list))).isEqualTo(10);
    assertThat(stated(TYPE + "d80105" + field("f201", list))).isEqualTo(10);
    // Fields that another list may begin with hide none.
    assertThat(stated(field("f201", list) + TYPE + "d80107")).isEqualTo(12);
  }

  @Test
  void whatIsNoListStatesNothing() {
    assertThat(stated("")).isZero();
    assertThat(stated("d801")).isZero();
    assertThat(stated("d8010c" + TYPE)).isZero();
    assertThat(stated("d8010c" + field("e201", "616263") + NONE)).isZero();
    assertThat(stated("d8010c" + TYPE + "f20101")).isZero();
    assertThat(stated("d801ffffffff0f" + TYPE + NONE)).isZero();
    assertThat(stated("f2".repeat(50))).isZero();
  }
}
