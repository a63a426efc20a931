package io.varve;

import io.varve.internal.codec.BoolCodec;
import io.varve.internal.codec.BytesCodec;
import io.varve.internal.codec.Float64Codec;
import io.varve.internal.codec.FunctionCodec;
import io.varve.internal.codec.InstantCodec;
import io.varve.internal.codec.Int32Codec;
import io.varve.internal.codec.Int64Codec;
import io.varve.internal.codec.SerialCodec;
import io.varve.internal.codec.StringCodec;
import io.varve.internal.codec.UuidCodec;
import java.io.Serializable;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Turns values into bytes and back. As the codec of keys, it also says in which order they come:
/// that of the bytes, unsigned, a shorter key before any longer one that it starts.
///
/// A codec for keys must give equal keys equal bytes, and unequal keys unequal bytes, in every
/// release of the program. All codecs made here do, but for [#of(Class, Class...)].
///
/// - **Threads:** safe for any number of threads; a codec keeps no state between calls.
/// - **Refusals:** a value that cannot be kept as it is, and bytes that this codec cannot have
///   written, are an [IllegalArgumentException]. Its message names lengths and offsets, never
///   contents.
///
/// @param <T> the values
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
  /// `T` is [Comparable]. It is what [OrderedMap#comparator()] tells of keys.
  ///
  /// Unless overridden, encodes both values and compares the bytes.
  default @Nullable Comparator<? super T> comparator() {
    return (left, right) -> Arrays.compareUnsigned(encode(left), encode(right));
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
