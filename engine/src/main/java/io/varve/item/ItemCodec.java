package io.varve.item;

import io.varve.Codec;
import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Turns values into components of items and back, for [ItemSpace#map] and [ItemSpace#set]. As the
/// codec of keys it defines their order: that of items.
///
/// Safe for any number of threads.
///
/// @param <T> the values
/// @since 1.0
public final class ItemCodec<T> implements Codec<T> {
  /// As many components as there are.
  private static final int ANY = -1;

  private static final ItemCodec<String> STRING =
      new ItemCodec<>(1, true, Item.Builder::string, item -> item.stringAt(0));
  private static final ItemCodec<Long> INT64 =
      new ItemCodec<>(1, true, Item.Builder::int64, item -> item.longAt(0));
  private static final ItemCodec<Double> FLOAT64 =
      new ItemCodec<>(1, true, Item.Builder::float64, item -> item.doubleAt(0));
  private static final ItemCodec<Boolean> BOOL =
      new ItemCodec<>(1, true, Item.Builder::bool, item -> item.booleanAt(0));
  private static final ItemCodec<Instant> INSTANT =
      new ItemCodec<>(1, true, Item.Builder::instant, item -> item.instantAt(0));
  private static final ItemCodec<byte[]> BYTES =
      new ItemCodec<>(1, false, Item.Builder::bytes, item -> item.bytesAt(0));
  private static final ItemCodec<UUID> UUIDS =
      new ItemCodec<>(1, false, Item.Builder::uuid, item -> item.uuidAt(0));
  private static final ItemCodec<Long> INDEX =
      new ItemCodec<>(1, true, Item.Builder::index, item -> item.indexAt(0));
  private static final ItemCodec<EntityClass> ENTITY_CLASS =
      new ItemCodec<>(
          1, true, Item.Builder::entityClass, item -> new EntityClass(item.entityClassAt(0)));
  private static final ItemCodec<Attribute> ATTRIBUTE =
      new ItemCodec<>(1, true, Item.Builder::attribute, item -> new Attribute(item.attributeAt(0)));

  private static final ItemCodec<Boolean> NOTHING =
      new ItemCodec<>(0, true, (_, _) -> {}, _ -> true);

  private final int components;
  private final boolean isNatural;
  private final BiConsumer<Item.Builder, T> writer;
  private final Function<Item, T> reader;

  private ItemCodec(
      int components,
      boolean isNatural,
      BiConsumer<Item.Builder, T> writer,
      Function<Item, T> reader) {
    this.components = components;
    this.isNatural = isNatural;
    this.writer = writer;
    this.reader = reader;
  }

  /// Strings.
  public static ItemCodec<String> string() {
    return STRING;
  }

  /// Longs.
  public static ItemCodec<Long> int64() {
    return INT64;
  }

  /// Doubles.
  public static ItemCodec<Double> float64() {
    return FLOAT64;
  }

  /// Booleans.
  public static ItemCodec<Boolean> bool() {
    return BOOL;
  }

  /// Instants.
  public static ItemCodec<Instant> instant() {
    return INSTANT;
  }

  /// Bytes.
  public static ItemCodec<byte[]> bytes() {
    return BYTES;
  }

  /// UUIDs, in the order of items.
  public static ItemCodec<UUID> uuid() {
    return UUIDS;
  }

  /// Indexes: longs that are not negative.
  public static ItemCodec<Long> index() {
    return INDEX;
  }

  /// Entity classes, named by their numbers.
  public static ItemCodec<EntityClass> entityClass() {
    return ENTITY_CLASS;
  }

  /// Attributes, named by their numbers.
  public static ItemCodec<Attribute> attribute() {
    return ATTRIBUTE;
  }

  /// No component at all, read as true: the values of a map that is a set.
  public static ItemCodec<Boolean> nothing() {
    return NOTHING;
  }

  /// Items of a fixed number of components: composite keys.
  ///
  /// @param components at least 1
  public static ItemCodec<Item> items(int components) {
    if (components < 1) {
      throw new IllegalArgumentException("too few components: components=" + components);
    }
    return new ItemCodec<>(components, true, Item.Builder::item, item -> item);
  }

  /// Items of any number of components, for values.
  public static ItemCodec<Item> items() {
    return new ItemCodec<>(ANY, true, Item.Builder::item, item -> item);
  }

  /// Codes other values by items of theirs.
  ///
  /// @param write makes an item, of as many components as those of this codec
  /// @param read makes the value again
  public <U> ItemCodec<U> map(Function<U, T> write, Function<T, U> read) {
    return new ItemCodec<>(
        components,
        false,
        (builder, value) -> writer.accept(builder, write.apply(value)),
        item -> read.apply(reader.apply(item)));
  }

  /// The number of components of each value, or less than 0 if it is not fixed.
  public int components() {
    return components;
  }

  @Override
  public byte[] encode(T value) {
    Item.Builder builder = Item.builder();
    writer.accept(builder, value);
    Item item = builder.build();
    if (components != ANY && item.size() != components) {
      throw new IllegalArgumentException(
          "item has another number of components: expected="
              + components
              + ", found="
              + item.size());
    }
    return item.toBytes();
  }

  @Override
  public T decode(byte[] bytes) {
    try {
      return reader.apply(Item.ofEncoded(bytes.clone()));
    } catch (IllegalStateException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("item has other components than its codec has", e);
    }
  }

  @Override
  public @Nullable Comparator<? super T> comparator() {
    return isNatural ? null : Codec.super.comparator();
  }
}
