package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.cache.CacheException;
import org.junit.jupiter.api.Test;

class MarshallersTest {
  record Point(int x, int y) implements Serializable {}

  private static <T> Marshaller<T> marshaller(Class<T> type, String... allowed) {
    return Marshallers.ofType(type, MarshallersTest.class.getClassLoader(), allowed);
  }

  @Test
  void everyScalarComesBack() {
    Marshaller<Object> marshaller = marshaller(Object.class);
    for (Object value :
        List.of(
            "",
            "text",
            "\0",
            "\ud83d\ude00",
            "\ud800 alone",
            "\udc00\ud800",
            1,
            -1,
            Long.MIN_VALUE,
            1.5,
            Double.NaN,
            -0.0f,
            (short) 7,
            (byte) -7,
            'x',
            true,
            false,
            new UUID(1, -2))) {
      byte[] bytes = marshaller.toBytes(value);
      assertThat(marshaller.fromBytes(bytes)).isEqualTo(value).hasSameClassAs(value);
      assertThat(marshaller.toBytes(value)).isEqualTo(bytes);
    }
    byte[] bytes = {1, 2, 3};
    assertThat(marshaller.fromBytes(marshaller.toBytes(bytes))).isEqualTo(bytes);
  }

  @Test
  void valuesOfTheJdkAndOfTheDeclaredTypeComeBack() {
    Marshaller<Object> any = marshaller(Object.class);
    for (Object value :
        List.of(List.of(1, "a"), Map.of("k", 2), Instant.EPOCH, new int[0].length)) {
      assertThat(any.fromBytes(any.toBytes(value))).isEqualTo(value);
    }
    Marshaller<Point> points = marshaller(Point.class);
    assertThat(points.fromBytes(points.toBytes(new Point(1, 2)))).isEqualTo(new Point(1, 2));
  }

  @Test
  void otherClassesAreRefused() {
    Marshaller<Object> marshaller = marshaller(Object.class);
    byte[] point = marshaller.toBytes(new Point(1, 2));
    assertThatThrownBy(() -> marshaller.fromBytes(point))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("allowed patterns");
    assertThat(marshaller(Object.class, "io.varve.cache.*").fromBytes(point))
        .isEqualTo(new Point(1, 2));
  }

  @Test
  void whatIsDamagedIsRefused() {
    Marshaller<Object> marshaller = marshaller(Object.class);
    for (byte[] bytes : new byte[][] {{}, {99}, {0}, {0, 1, 2}, {3, 1}}) {
      assertThatThrownBy(() -> marshaller.fromBytes(bytes)).isInstanceOf(CacheException.class);
    }
  }
}
