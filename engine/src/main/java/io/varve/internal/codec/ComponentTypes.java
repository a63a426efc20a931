package io.varve.internal.codec;

import io.varve.Codec;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Which codec a component of a record has by its type.
final class ComponentTypes {
  private static final Map<Class<?>, Codec<?>> CODECS =
      Map.ofEntries(
          Map.entry(boolean.class, BoolCodec.INSTANCE),
          Map.entry(Boolean.class, BoolCodec.INSTANCE),
          Map.entry(int.class, Int32Codec.INSTANCE),
          Map.entry(Integer.class, Int32Codec.INSTANCE),
          Map.entry(long.class, Int64Codec.INSTANCE),
          Map.entry(Long.class, Int64Codec.INSTANCE),
          Map.entry(double.class, Float64Codec.INSTANCE),
          Map.entry(Double.class, Float64Codec.INSTANCE),
          Map.entry(String.class, StringCodec.INSTANCE),
          Map.entry(byte[].class, BytesCodec.INSTANCE),
          Map.entry(UUID.class, UuidCodec.INSTANCE),
          Map.entry(Instant.class, InstantCodec.INSTANCE),
          Map.entry(LocalDate.class, LocalDateCodec.INSTANCE),
          Map.entry(LocalDateTime.class, LocalDateTimeCodec.INSTANCE),
          Map.entry(Duration.class, DurationCodec.INSTANCE),
          Map.entry(BigInteger.class, BigIntegerCodec.INSTANCE),
          Map.entry(BigDecimal.class, BigDecimalCodec.INSTANCE));

  private final Nested nested;

  /// The records around the component: one that holds itself has no codec.
  private final Set<Class<?>> around = new HashSet<>();

  /// Makes the codec of a record that is a component.
  @FunctionalInterface
  interface Nested {
    /// The codec of a record.
    ///
    /// @param types what gives the codecs of its components
    Codec<?> codec(Class<? extends Record> type, ComponentTypes types);
  }

  ComponentTypes(Nested nested) {
    this.nested = nested;
  }

  /// The codec of a component; if there is none, one that refuses all values.
  @SuppressWarnings("unchecked") // codecs cast
  Codec<Object> codec(Class<?> record, RecordComponent component) {
    around.add(record);
    Codec<?> codec = find(component.getGenericType());
    around.remove(record);
    return (Codec<Object>) (codec == null ? missing(record, component) : codec);
  }

  private @Nullable Codec<?> find(Type type) {
    return switch (type) {
      case ParameterizedType generic when generic.getRawType() == List.class -> {
        Codec<?> elements = find(generic.getActualTypeArguments()[0]);
        yield elements == null ? null : new ListCodec<>(elements);
      }
      case ParameterizedType generic when generic.getRawType() == Optional.class -> {
        Codec<?> present = find(generic.getActualTypeArguments()[0]);
        yield present == null ? null : new OptionalCodec<>(present);
      }
      case Class<?> plain when plain.isRecord() ->
          around.contains(plain) ? null : nested.codec(plain.asSubclass(Record.class), this);
      case Class<?> plain when plain.isEnum() -> constants(plain);
      case Class<?> plain -> CODECS.get(plain);
      default -> null;
    };
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // the class is an enum's
  private static Codec<?> constants(Class<?> type) {
    return new EnumCodec(type);
  }

  private static Codec<?> missing(Class<?> record, RecordComponent component) {
    String message =
        "no codec for the type of a component: record="
            + record.getName()
            + ", component="
            + component.getName()
            + ", type="
            + component.getGenericType()
            + "; give one, Codec.record(...).with(component, codec)";
    return new FunctionCodec<>(
        _ -> {
          throw new IllegalArgumentException(message);
        },
        _ -> {
          throw new IllegalArgumentException(message);
        });
  }
}
