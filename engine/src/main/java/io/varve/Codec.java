package io.varve;

import io.varve.internal.codec.BigDecimalCodec;
import io.varve.internal.codec.BigIntegerCodec;
import io.varve.internal.codec.BoolCodec;
import io.varve.internal.codec.BytesCodec;
import io.varve.internal.codec.ComponentsCodec;
import io.varve.internal.codec.DurationCodec;
import io.varve.internal.codec.EnumCodec;
import io.varve.internal.codec.Float64Codec;
import io.varve.internal.codec.FunctionCodec;
import io.varve.internal.codec.InstantCodec;
import io.varve.internal.codec.Int32Codec;
import io.varve.internal.codec.Int64Codec;
import io.varve.internal.codec.ListCodec;
import io.varve.internal.codec.LocalDateCodec;
import io.varve.internal.codec.LocalDateTimeCodec;
import io.varve.internal.codec.NamedCodec;
import io.varve.internal.codec.OptionalCodec;
import io.varve.internal.codec.SerialCodec;
import io.varve.internal.codec.StringCodec;
import io.varve.internal.codec.TupleCodec;
import io.varve.internal.codec.UuidCodec;
import java.io.Serializable;
import java.lang.invoke.MethodHandles.Lookup;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Turns values into bytes and back. As the codec of keys, it also defines their order: that of the
/// bytes, unsigned, a shorter key before any longer one that it starts.
///
/// A codec for keys must give equal keys equal bytes, and unequal keys unequal bytes, in every
/// release of the program. All codecs made here do, except [#of(Class, Class...)].
///
/// - **Threads:** safe for any number of threads; a codec keeps no state between calls.
/// - **Refusals:** a value that cannot be kept as it is, and bytes that this codec cannot have
///   written, are an [IllegalArgumentException]. Its message names lengths and offsets, never
///   contents.
///
/// @param <T> the values
/// @since 1.0
public interface Codec<T> {
  /// The bytes of `value`, in an array that the caller may keep.
  ///
  /// @throws IllegalArgumentException if `value` could not be read back as it is
  byte[] encode(T value);

  /// The value of `bytes`, which are not kept.
  ///
  /// @throws IllegalArgumentException if this codec cannot have written `bytes`
  T decode(byte[] bytes);

  /// The order of the bytes as an order of values, or null when that is the natural order, and so
  /// `T` is [Comparable]. [OrderedMap#comparator()] returns it for keys.
  ///
  /// Unless overridden, encodes both values and compares the bytes.
  default @Nullable Comparator<? super T> comparator() {
    return (left, right) -> Arrays.compareUnsigned(encode(left), encode(right));
  }

  /// What the bytes of this codec look like, as a name that stays the same in every release of the
  /// program; empty if it has none, as a codec of your own has unless it is [#named(String)]. Two
  /// codecs of one id write equal values as equal bytes.
  ///
  /// Codecs made of others are called by their parts: `tuple(string,int64)`, or
  /// `record(name:string,born:int32)`. If one of them has no id, neither has the whole.
  ///
  /// @since 1.0
  default String id() {
    return "";
  }

  /// Whether this codec reads what the codec of that id wrote: its own id, and of records, ids of
  /// older versions.
  ///
  /// @param id of a codec, not empty
  /// @since 1.0
  default boolean reads(String id) {
    return id.equals(id());
  }

  /// This codec under an id: for codecs of your own, and for bytes that have an id from before. It
  /// reads what this one reads, and what was written under its id.
  ///
  /// @param id 1 to 200 characters, which stay the same as long as the bytes mean the same; its
  ///   parentheses match, and commas are within them
  /// @since 1.0
  default Codec<T> named(String id) {
    return new NamedCodec<>(this, id);
  }

  /// Bytes as they are, copied. Ordered unsigned, as [Arrays#compareUnsigned(byte[], byte[])].
  static Codec<byte[]> bytes() {
    return BytesCodec.INSTANCE;
  }

  /// Strings as UTF-8, ordered by code point.
  ///
  /// That is the order of [String#compareTo(String)] except that characters above U+FFFF, which
  /// Java counts as two surrogates, come after U+E000 to U+FFFF, not before. A string with an
  /// unpaired surrogate has no UTF-8 form and is refused; so are bytes that are not UTF-8.
  static Codec<String> string() {
    return StringCodec.INSTANCE;
  }

  /// Four bytes, big-endian with the sign bit flipped: in natural order.
  static Codec<Integer> int32() {
    return Int32Codec.INSTANCE;
  }

  /// Eight bytes, big-endian with the sign bit flipped: in natural order.
  static Codec<Long> int64() {
    return Int64Codec.INSTANCE;
  }

  /// Eight bytes in natural order, that of [Double#compare(double, double)]: -0.0 comes before 0.0,
  /// and NaN after infinity. All NaNs are one value; their payload bits are not kept.
  static Codec<Double> float64() {
    return Float64Codec.INSTANCE;
  }

  /// One byte, 0 for false and 1 for true: in natural order.
  static Codec<Boolean> bool() {
    return BoolCodec.INSTANCE;
  }

  /// The 16 bytes of RFC 9562, in whose order UUIDs of version 7 come by time.
  ///
  /// The natural order of [UUID#compareTo(UUID)] is another: it takes both halves as signed.
  static Codec<UUID> uuid() {
    return UuidCodec.INSTANCE;
  }

  /// Twelve bytes, seconds since 1970 with the sign bit flipped and nanoseconds, big-endian: in
  /// natural order, before 1970 too.
  static Codec<Instant> instant() {
    return InstantCodec.INSTANCE;
  }

  /// Six bytes, year, month and day: in natural order.
  ///
  /// @since 1.0
  static Codec<LocalDate> localDate() {
    return LocalDateCodec.INSTANCE;
  }

  /// Fourteen bytes, the date as [#localDate()] writes it and nanoseconds since midnight: in
  /// natural order.
  ///
  /// @since 1.0
  static Codec<LocalDateTime> localDateTime() {
    return LocalDateTimeCodec.INSTANCE;
  }

  /// Twelve bytes, seconds and nanoseconds, in natural order.
  ///
  /// @since 1.0
  static Codec<Duration> duration() {
    return DurationCodec.INSTANCE;
  }

  /// Integers of any size, in natural order: as many bytes as the number has, and one more for up
  /// to 123.
  ///
  /// @since 1.0
  static Codec<BigInteger> bigInteger() {
    return BigIntegerCodec.INSTANCE;
  }

  /// Decimal numbers of up to 100,000 digits, the zeros at their end included. Ordered by value,
  /// and those of one value by scale: 2.0 comes before 2.00, which [BigDecimal#equals(Object)]
  /// takes for another number.
  ///
  /// Takes 11 bytes and one for each two digits, zeros at the end not counted.
  ///
  /// @since 1.0
  static Codec<BigDecimal> bigDecimal() {
    return BigDecimalCodec.INSTANCE;
  }

  /// Constants of an enum by their names, in the order of the names, as [#string()] orders them. So
  /// constants may be added anywhere and moved; one that is renamed or removed is refused when it
  /// is read.
  ///
  /// @since 1.0
  static <E extends Enum<E>> Codec<E> enumOf(Class<E> type) {
    return new EnumCodec<>(type);
  }

  /// Lists, in the order of their elements: a list comes before any longer one that it starts. What
  /// is read cannot be changed.
  ///
  /// @since 1.0
  static <E> Codec<List<E>> list(Codec<E> elements) {
    return new ListCodec<>(elements);
  }

  /// Values that may be absent, and are the first one then; the others come in the order of
  /// `present`. Takes one byte more than these.
  ///
  /// @since 1.0
  static <T> Codec<Optional<T>> optional(Codec<T> present) {
    return new OptionalCodec<>(present);
  }

  /// Tuples in the order of their parts, the first one first. A tuple whose first parts are given
  /// is found by the range from it to the next.
  ///
  /// Takes what the parts take, and two bytes more for each, but the last, whose values differ in
  /// length; and one more for each byte 0 in these.
  ///
  /// @since 1.0
  static <A, B> Codec<Tuple2<A, B>> tuple(Codec<A> first, Codec<B> second) {
    return TupleCodec.of(first, second);
  }

  /// Tuples of three parts: see [#tuple(Codec, Codec)].
  ///
  /// @since 1.0
  static <A, B, C> Codec<Tuple3<A, B, C>> tuple(Codec<A> first, Codec<B> second, Codec<C> third) {
    return TupleCodec.of(first, second, third);
  }

  /// Tuples of four parts: see [#tuple(Codec, Codec)].
  ///
  /// @since 1.0
  static <A, B, C, D> Codec<Tuple4<A, B, C, D>> tuple(
      Codec<A> first, Codec<B> second, Codec<C> third, Codec<D> fourth) {
    return TupleCodec.of(first, second, third, fourth);
  }

  /// Tuples of five parts: see [#tuple(Codec, Codec)].
  ///
  /// @since 1.0
  static <A, B, C, D, E> Codec<Tuple5<A, B, C, D, E>> tuple(
      Codec<A> first, Codec<B> second, Codec<C> third, Codec<D> fourth, Codec<E> fifth) {
    return TupleCodec.of(first, second, third, fourth, fifth);
  }

  /// Records by their components, in the order in which they are declared, which is also the order
  /// of the bytes.
  ///
  /// A component has a codec by its type: boolean, int, long and double, boxed or not; [String],
  /// `byte[]`, [UUID]; [Instant], [LocalDate], [LocalDateTime], [Duration]; [BigInteger],
  /// [BigDecimal]; an enum, a record; and [List] and [Optional] of these. All others are given one
  /// by [RecordCodec#with(String, Codec)]. Null is refused: what may be absent is an [Optional].
  ///
  /// **Versions:** a record may get further components at its end. With defaults for them
  /// ([RecordCodec#withDefault(String, Object)]) it reads what the older version wrote. Components
  /// are not renamed, moved or removed, nor is their type changed; the record itself may be moved
  /// and renamed. A record in keys stays as it is.
  ///
  /// - **Cost:** how records are made and taken apart is found when the codec is made: keep it.
  ///
  /// @throws IllegalArgumentException if the record cannot be reached: neither is it public in a
  ///   package that its module exports, nor is that package open; then give a lookup
  /// @since 1.0
  static <R extends Record> RecordCodec<R> record(Class<R> type) {
    return new ComponentsCodec<>(type, null);
  }

  /// Records by their components as [#record(Class)] does, reached by what `lookup` may reach:
  /// `MethodHandles.lookup()` in the class that declares a private record, for instance.
  ///
  /// @since 1.0
  static <R extends Record> RecordCodec<R> record(Class<R> type, Lookup lookup) {
    return new ComponentsCodec<>(type, Objects.requireNonNull(lookup, "lookup"));
  }

  /// Objects by Java serialization, for values rather than keys: equal objects may have different
  /// bytes, and the order of the bytes means nothing.
  ///
  /// Writes and reads only objects of `type` and its superclasses, of the classes in `parts`, and
  /// of these from the JDK: boxed primitives, strings, [java.math.BigInteger] and
  /// [java.math.BigDecimal], `java.time`, [UUID], [java.net.URI], [java.util.Date],
  /// [java.util.Locale], [java.util.Currency], [java.util.BitSet] and the collections of
  /// `java.util`; and arrays of all of them. Whatever else an object holds must be listed in
  /// `parts`: other classes of your own, enums, subclasses of `type`. What would not be read back
  /// is refused when it is written.
  ///
  /// So bytes cannot bring in a class that was not meant to be there. Bytes can still be made to
  /// waste time and memory: for those of strangers, write a codec.
  ///
  /// @param type the class of the values, a record for instance
  /// @param parts further classes that may occur inside of a value
  static <T extends Serializable> Codec<T> of(Class<T> type, Class<?>... parts) {
    return new SerialCodec<>(type, parts);
  }

  /// A codec of two functions, each the other's inverse, for any number of threads. Its
  /// [#comparator()] compares what `encoder` gives.
  ///
  /// @param encoder gives bytes in an array of their own
  /// @param decoder does not keep the array that it is given
  static <T> Codec<T> of(
      Function<? super T, byte[]> encoder, Function<? super byte[], ? extends T> decoder) {
    return new FunctionCodec<>(encoder, decoder);
  }
}
