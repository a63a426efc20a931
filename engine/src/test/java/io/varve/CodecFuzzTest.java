package io.varve;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/// Decodes any bytes: a codec gives a value that it writes as the same bytes, or throws an
/// [IllegalArgumentException].
@Tag("fuzz")
class CodecFuzzTest {
  private static final List<Codec<?>> KEY_CODECS =
      List.of(
          Codec.string(),
          Codec.bytes(),
          Codec.bool(),
          Codec.int32(),
          Codec.int64(),
          Codec.float64(),
          Codec.instant(),
          Codec.uuid(),
          Codec.localDate(),
          Codec.localDateTime(),
          Codec.duration(),
          Codec.bigInteger(),
          Codec.bigDecimal(),
          Codec.enumOf(Thread.State.class),
          Codec.list(Codec.string()),
          Codec.optional(Codec.bigInteger()),
          Codec.tuple(Codec.string(), Codec.int32(), Codec.list(Codec.bytes())),
          Codec.record(Parts.class));

  private record Parts(String name, double size, List<String> tags, Optional<BigDecimal> price) {}

  private record Form(String name, int[] numbers, Map<String, BigDecimal> parts)
      implements Serializable {}

  private static final Codec<Form> SERIAL = Codec.of(Form.class);

  @FuzzTest(maxDuration = "3m")
  void keys(byte[] input) {
    KEY_CODECS.forEach(codec -> requireSameOrRefused(codec, input));
  }

  private static <T> void requireSameOrRefused(Codec<T> codec, byte[] input) {
    T value;
    try {
      value = codec.decode(input);
    } catch (IllegalArgumentException e) {
      return;
    }
    if (!Arrays.equals(codec.encode(value), input)) {
      throw new AssertionError("not the bytes that the codec writes: codec=" + codec);
    }
  }

  /// What is read of serialized objects can be written, though perhaps in other bytes.
  @FuzzTest(maxDuration = "3m")
  void serial(byte[] input) {
    Form value;
    try {
      value = SERIAL.decode(input);
    } catch (IllegalArgumentException e) {
      return;
    }
    SERIAL.encode(value);
  }
}
