package io.varve.internal.codec;

import io.varve.Codec;
import io.varve.Tuple2;
import io.varve.Tuple3;
import io.varve.Tuple4;
import io.varve.Tuple5;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/// Tuples as their parts, one after the other: see [Parts].
///
/// @param <T> the tuples
public final class TupleCodec<T> implements VariableLengthCodec<T> {
  private final List<Codec<?>> parts;
  private final Function<T, Object[]> apart;
  private final Function<Object[], T> made;
  private final String id;

  /// @param apart gives the parts of a tuple
  /// @param made makes a tuple of its parts, which are of the types of `parts`
  private TupleCodec(
      List<Codec<?>> parts, Function<T, Object[]> apart, Function<Object[], T> made) {
    this.parts = List.copyOf(parts);
    this.apart = apart;
    this.made = made;
    this.id = CodecIds.composite("tuple", parts.stream().map(Codec::id).toList());
  }

  /// Makes a codec of tuples of 2 parts.
  @SuppressWarnings("unchecked") // each part is of its codec
  public static <A, B> TupleCodec<Tuple2<A, B>> of(Codec<A> first, Codec<B> second) {
    return new TupleCodec<>(
        List.of(first, second),
        tuple -> new Object[] {tuple.first(), tuple.second()},
        parts -> new Tuple2<>((A) parts[0], (B) parts[1]));
  }

  /// Makes a codec of tuples of 3 parts.
  @SuppressWarnings("unchecked") // each part is of its codec
  public static <A, B, C> TupleCodec<Tuple3<A, B, C>> of(
      Codec<A> first, Codec<B> second, Codec<C> third) {
    return new TupleCodec<>(
        List.of(first, second, third),
        tuple -> new Object[] {tuple.first(), tuple.second(), tuple.third()},
        parts -> new Tuple3<>((A) parts[0], (B) parts[1], (C) parts[2]));
  }

  /// Makes a codec of tuples of 4 parts.
  @SuppressWarnings("unchecked") // each part is of its codec
  public static <A, B, C, D> TupleCodec<Tuple4<A, B, C, D>> of(
      Codec<A> first, Codec<B> second, Codec<C> third, Codec<D> fourth) {
    return new TupleCodec<>(
        List.of(first, second, third, fourth),
        tuple -> new Object[] {tuple.first(), tuple.second(), tuple.third(), tuple.fourth()},
        parts -> new Tuple4<>((A) parts[0], (B) parts[1], (C) parts[2], (D) parts[3]));
  }

  /// Makes a codec of tuples of 5 parts.
  @SuppressWarnings("unchecked") // each part is of its codec
  public static <A, B, C, D, E> TupleCodec<Tuple5<A, B, C, D, E>> of(
      Codec<A> first, Codec<B> second, Codec<C> third, Codec<D> fourth, Codec<E> fifth) {
    return new TupleCodec<>(
        List.of(first, second, third, fourth, fifth),
        tuple ->
            new Object[] {
              tuple.first(), tuple.second(), tuple.third(), tuple.fourth(), tuple.fifth()
            },
        parts ->
            new Tuple5<>((A) parts[0], (B) parts[1], (C) parts[2], (D) parts[3], (E) parts[4]));
  }

  @Override
  @SuppressWarnings("unchecked") // each part is of its codec
  public byte[] encode(T value) {
    Object[] values = apart.apply(value);
    var writer = new Parts.Writer();
    for (int index = 0; index < values.length; index++) {
      Codec<Object> part = (Codec<Object>) parts.get(index);
      writer.write(part, part.encode(values[index]), index == values.length - 1);
    }
    return writer.toBytes();
  }

  @Override
  public T decode(byte[] bytes) {
    var reader = new Parts.Reader(this, bytes);
    Object[] values = new Object[parts.size()];
    for (int index = 0; index < values.length; index++) {
      values[index] = reader.read(parts.get(index), index == values.length - 1);
    }
    return made.apply(values);
  }

  @Override
  @SuppressWarnings("unchecked") // each part is of its codec
  public Comparator<? super T> comparator() {
    List<Comparator<Object>> orders =
        parts.stream().map(part -> (Comparator<Object>) Parts.order(part)).toList();
    return (left, right) -> {
      Object[] leftParts = apart.apply(left);
      Object[] rightParts = apart.apply(right);
      for (int index = 0; index < leftParts.length; index++) {
        int order = orders.get(index).compare(leftParts[index], rightParts[index]);
        if (order != 0) {
          return order;
        }
      }
      return 0;
    };
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public boolean reads(String other) {
    List<String> others = CodecIds.partsOf("tuple", other);
    return other.equals(id) || (others.size() == parts.size() && CodecIds.eachReads(parts, others));
  }

  @Override
  public String toString() {
    return "Codec[" + (id.isEmpty() ? "tuple" : id) + "]";
  }
}
