package io.varve.cache.marshal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.io.Output;
import io.varve.cache.Marshaller;
import io.varve.cache.Marshallers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Timer;
import java.util.stream.IntStream;
import javax.cache.CacheException;
import org.junit.jupiter.api.Test;

class KryoMarshallerTest {
  private final Marshaller<Object> marshaller =
      Marshallers.named(
          "kryo", Object.class, getClass().getClassLoader(), "io.varve.cache.marshal.*");

  /// An array within an array, and so on, as Kryo writes them except their elements.
  private static byte[] nestedArrays(int depth, int length, int byteCount) {
    try (Output output = new Output(256, -1)) {
      output.writeByte(0); // an object that the library wrote
      for (int level = 0; level < depth; level++) {
        output.writeVarInt(1, true); // a class by its name
        output.writeVarInt(0, true);
        if (level == 0) {
          output.writeString("[Ljava.lang.Object;");
        }
        output.writeVarInt(1, true); // an object that is new
        output.writeVarInt(length + 1, true);
      }
      return Arrays.copyOf(output.toBytes(), byteCount);
    }
  }

  /// Guards against lengths that the bytes can hold each, but not all together.
  @Test
  void arraysWithinArraysAreRefusedBeforeTheyTakeAllMemory() {
    byte[] bytes = nestedArrays(480, 7_900_000, 1_000_000);
    assertThatThrownBy(() -> marshaller.fromBytes(bytes))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("length");
  }

  static final class NoMaker {
    final int number;

    NoMaker(int number) {
      this.number = number;
    }
  }

  /// Guards against a put that succeeds, and gets that all fail.
  @Test
  void whatCouldNotBeReadIsNotWritten() {
    for (Object object :
        List.of(
            new ArrayList<>(Collections.nCopies(5_000, null)),
            nulls(100, 1_000),
            Collections.unmodifiableList(new ArrayList<>(List.of(1))),
            new NoMaker(1))) {
      assertThatThrownBy(() -> marshaller.toBytes(object))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("written");
      assertThatThrownBy(() -> marshaller.toBytes(object)).isInstanceOf(CacheException.class);
    }
  }

  private static List<Object> nulls(int lists, int length) {
    return new ArrayList<>(
        IntStream.range(0, lists)
            .mapToObj(_ -> new ArrayList<>(Collections.nCopies(length, null)))
            .toList());
  }

  enum Many {
    A,
    B
  }

  /// Guards against numbers that are no lengths, and count as such.
  @Test
  void largeValuesOfManyReferencesAreRead() {
    List<Object> objects = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      objects.add(new ArrayList<>(List.of(i)));
    }
    Object last = objects.getLast();
    for (int i = 0; i < 50_000; i++) {
      objects.add(i % 2 == 0 ? last : Locale.IsoCountryCode.values()[i % 3]);
    }
    for (Object object :
        List.of(
            objects,
            new ArrayList<>(Collections.nCopies(50_000, Many.B)),
            new ArrayList<>(Collections.nCopies(50_000, "a")),
            new ArrayList<>(Collections.nCopies(1_000, null)),
            nulls(10, 100),
            Arrays.asList(new Object[10]),
            Map.of("a", Optional.of(1)))) {
      assertThat(marshaller.fromBytes(marshaller.toBytes(object))).isEqualTo(object);
    }
  }

  /// Guards against constructors that do more than make a value: that of a timer starts a thread.
  @Test
  void classesOfTheJdkAreSerializable() {
    try (Output output = new Output(256, -1)) {
      output.writeByte(0); // an object that the library wrote
      output.writeVarInt(1, true); // a class by its name
      output.writeVarInt(0, true);
      output.writeString(Timer.class.getName());
      output.writeVarInt(1, true); // an object that is new
      assertThatThrownBy(() -> marshaller.fromBytes(output.toBytes()))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("not allowed: class=java.util.Timer");
    }
  }
}
