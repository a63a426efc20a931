package io.varve.query.internal.access;

import io.varve.query.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Year;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Random values of all kinds that indexes order, many of them close to each other.
final class SampleValues {
  private final Random random;

  SampleValues(long seed) {
    this.random = new Random(seed);
  }

  @Nullable Object next() {
    return Values.normal(raw(2));
  }

  private @Nullable Object raw(int depth) {
    return switch (random.nextInt(depth > 0 ? 22 : 20)) {
      case 0 -> null;
      case 1 -> random.nextBoolean();
      case 2 -> random.nextInt(-3, 4);
      case 3 -> random.nextLong();
      case 4 -> random.nextLong(-100_000, 100_000);
      case 5 -> random.nextInt(-30, 30) / 10.0;
      case 6 -> Double.longBitsToDouble(random.nextLong());
      case 7 -> new BigDecimal(BigInteger.valueOf(random.nextInt(-30, 30)), random.nextInt(-2, 3));
      case 8 -> new BigDecimal(new BigInteger(90, random), random.nextInt(-400, 400));
      case 9 -> random.nextFloat();
      case 10 -> List.of(0.0, -0.0, Long.MIN_VALUE, Long.MAX_VALUE).get(random.nextInt(4));
      case 11 -> text(random.nextInt(5));
      case 12 -> text(random.nextInt(40));
      case 13 -> Instant.ofEpochSecond(random.nextInt(-2, 3), random.nextInt(3));
      case 14 -> LocalDate.ofEpochDay(random.nextInt(-2, 3) * 100_000_000L);
      case 15 -> LocalDateTime.of(2020, 1, 1, 0, 0).plusNanos(random.nextLong(-3, 3));
      case 16 -> time();
      case 17 -> new UUID(random.nextInt(-2, 2), random.nextInt(-2, 2));
      case 18 -> URI.create("x:" + random.nextInt(30));
      case 19 -> bytes(random.nextInt(4));
      case 20 -> list(depth - 1);
      default -> Duration.ofNanos(random.nextInt(-5, 5));
    };
  }

  private Object time() {
    return switch (random.nextInt(3)) {
      case 0 -> LocalTime.ofNanoOfDay(random.nextInt(5) * 1_000_000_000_000L);
      case 1 -> Year.of(random.nextInt(-2, 3));
      default -> YearMonth.of(random.nextInt(-1, 2), random.nextInt(1, 13));
    };
  }

  /// Few letters, among them those at the edges of encodings, and unpaired surrogates.
  private String text(int length) {
    String alphabet = "\0\1\2ab\u00e4\u0fff\ud7ff\ud800\ud801\udbff\udc00\udc01\udfff\ue000\uffff";
    var text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) random.nextInt(-2, 4);
    }
    return bytes;
  }

  private List<@Nullable Object> list(int depth) {
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      list.add(raw(depth));
    }
    return list;
  }
}
