package io.varve.query;

import io.varve.Codec;
import io.varve.IndexedSpace;
import io.varve.IndexedSpace.IndexStatus;
import io.varve.OrderedMap;
import io.varve.ProgressListener;
import io.varve.Store;
import io.varve.Table;
import io.varve.query.internal.access.NoCodec;
import io.varve.query.internal.access.ObjectSource;
import io.varve.query.internal.access.RowCodec;
import io.varve.query.internal.access.RowIndex;
import io.varve.query.internal.access.Shadow;
import io.varve.query.internal.access.ShadowIndex;
import io.varve.query.internal.access.SortSettings;
import io.varve.query.internal.access.TableAccess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A table, what its values are, and by which indexes they are found.
///
/// ```java
/// static final QueryTable<String, Person> PEOPLE =
///     QueryTable.of(Table.of("people", Codec.string(), JsonCodec.of(Person.class)), Entity.of(Person.class))
///         .index("city")
///         .index("name", "age desc")
///         .uniqueIndex("email");
///
/// Queryable<String, Person> people = PEOPLE.open(store);
/// people.where(CITY.eq("Bonn")).list();
/// ```
///
/// Each method makes another one; this stays as it is. A constant of the program, mostly.
///
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
public final class QueryTable<K, V> {
  private static final long MEMORY_BYTES_MIN = 1 << 16;
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private final Table<K, V> table;
  private final Entity<V> entity;
  private final List<QueryIndex<V>> indexes;
  private final SortSettings settings;

  private QueryTable(
      Table<K, V> table, Entity<V> entity, List<QueryIndex<V>> indexes, SortSettings settings) {
    this.table = table;
    this.entity = entity;
    this.indexes = List.copyOf(indexes);
    this.settings = settings;
  }

  /// A table with the indexes that the class of its values asks for by [Indexed].
  public static <K, V> QueryTable<K, V> of(Table<K, V> table, Entity<V> entity) {
    return new QueryTable<>(
        Objects.requireNonNull(table, "table"),
        Objects.requireNonNull(entity, "entity"),
        AnnotatedIndexes.of(entity),
        SortSettings.DEFAULT);
  }

  /// Objects that a map or a cache has under keys, with the indexes that their class asks for. It
  /// is opened by a [QueryMap].
  ///
  /// @param name of the space of the indexes, and of the table in queries
  /// @param keys for keys, whose bytes are equal exactly if the keys are
  public static <K, V> QueryTable<K, V> ofObjects(String name, Codec<K> keys, Entity<V> entity) {
    return of(Table.of(name, keys, new NoCodec<>()), entity);
  }

  /// This table with one more index, which is called by its parts.
  ///
  /// @param parts paths, each of them followed by `desc` where greater values come first
  /// @throws IllegalArgumentException if there is no such attribute; names the nearest one
  public QueryTable<K, V> index(String... parts) {
    return index(QueryIndex.ofParts(orders(parts)));
  }

  /// This table with one more index, where no two rows may have equal values.
  public QueryTable<K, V> uniqueIndex(String... parts) {
    return index(QueryIndex.ofParts(orders(parts)).unique());
  }

  private List<Order<V>> orders(String... parts) {
    List<Order<V>> orders = new ArrayList<>();
    for (String part : Objects.requireNonNull(parts, "parts")) {
      Objects.requireNonNull(part, "part");
      List<String> words = BLANKS.splitAsStream(part.strip()).toList();
      Attribute<V, ?> attribute = entity.attribute(words.getFirst());
      String direction = words.size() == 1 ? "asc" : words.get(1).toLowerCase(Locale.ROOT);
      if (words.size() > 2 || (!direction.equals("asc") && !direction.equals("desc"))) {
        throw new IllegalArgumentException(
            "not a part of an index: part=" + part + ", expected=a path, and perhaps asc or desc");
      }
      orders.add(direction.equals("desc") ? attribute.desc() : attribute.asc());
    }
    return orders;
  }

  /// This table with one more index.
  ///
  /// @throws IllegalArgumentException if it has one of that name
  public QueryTable<K, V> index(QueryIndex<V> index) {
    Objects.requireNonNull(index, "index");
    if (indexes.stream().anyMatch(other -> other.name().equals(index.name()))) {
      throw new IllegalArgumentException(
          "the table has an index of that name: table="
              + table.name()
              + ", index="
              + index.name()
              + "; give it another one by named()");
    }
    List<QueryIndex<V>> more = new ArrayList<>(indexes);
    more.add(index);
    return new QueryTable<>(table, entity, more, settings);
  }

  /// This table with the indexes that a store has of it, as far as their names state what they are:
  /// those that were made by [#index(String...)] and [#uniqueIndex(String...)]. For programs that
  /// find out about tables when they run. Documents read dates and decimal numbers as other values
  /// than a class does: its indexes of these are left out for a table of documents.
  public QueryTable<K, V> withIndexesOf(Store store) {
    QueryTable<K, V> all = this;
    var rows = new RowCodec<>(table);
    for (IndexStatus present : store.indexed(store.open(table).space()).list()) {
      QueryIndex<V> index = named(present);
      if (index != null
          && index.index(index.form(), rows).id().equals(present.id())
          && indexes.stream().noneMatch(other -> other.name().equals(index.name()))) {
        all = all.index(index);
      }
    }
    return all;
  }

  /// The index that has the name of another one, or null if the name states no parts.
  private @Nullable QueryIndex<V> named(IndexStatus present) {
    try {
      QueryIndex<V> index = QueryIndex.ofParts(orders(present.name().split(", ", -1)));
      return (present.isUnique() ? index.unique() : index).writtenAs(present.id());
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  /// This table, where a query that has to sort takes about so much memory, and then writes
  /// temporary files, which are deleted with its answer. It is 16 MiB without this.
  ///
  /// @param memoryBytes at least 64 KiB
  /// @param directory of the files, or null for that of the system
  public QueryTable<K, V> sortingWithin(long memoryBytes, @Nullable Path directory) {
    if (memoryBytes < MEMORY_BYTES_MIN) {
      throw new IllegalArgumentException(
          "memory of sorts out of range: memoryBytes=" + memoryBytes + ", min=" + MEMORY_BYTES_MIN);
    }
    return new QueryTable<>(table, entity, indexes, new SortSettings(memoryBytes, directory));
  }

  /// The table.
  public Table<K, V> table() {
    return table;
  }

  /// What its values are.
  public Entity<V> entity() {
    return entity;
  }

  /// Its indexes.
  public List<QueryIndex<V>> indexes() {
    return indexes;
  }

  /// Opens the table in a store, and keeps its indexes from now on. Those that are missing or have
  /// another definition are built before this returns; others read and write until then.
  ///
  /// @throws io.varve.UniqueIndexException if two rows have equal values in a unique index
  public Queryable<K, V> open(Store store) {
    return open(store, null);
  }

  /// The same, and reports how much was indexed.
  public Queryable<K, V> open(Store store, @Nullable ProgressListener listener) {
    if (table.values() instanceof NoCodec) {
      throw new IllegalStateException(
          "the table is of objects in a map or a cache: table="
              + table.name()
              + "; open it by QueryMap.over");
    }
    OrderedMap<K, V> map = store.open(table);
    IndexedSpace indexed = store.indexed(map.space());
    var rows = new RowCodec<>(table);
    List<RowIndex> definitions = definitions(rows);
    indexed.keep(definitions, listener == null ? ProgressListener.none() : listener);
    return queryable(map, indexed, rows, definitions);
  }

  /// Opens the table to be asked and not changed: no index is kept or built by it, and those are
  /// used that the store has by these definitions. For programs that look at the tables of others.
  public Queryable<K, V> openToRead(Store store) {
    var rows = new RowCodec<>(table);
    OrderedMap<K, V> map = store.open(table);
    return queryable(map, store.indexed(map.space()), rows, definitions(rows));
  }

  private List<RowIndex> definitions(RowCodec<K, V> rows) {
    List<RowIndex> definitions = new ArrayList<>();
    for (QueryIndex<V> index : indexes) {
      definitions.add(index.index(index.form(), rows));
    }
    return definitions;
  }

  private Queryable<K, V> queryable(
      OrderedMap<K, V> map, IndexedSpace indexed, RowCodec<K, V> rows, List<RowIndex> definitions) {
    var access = new TableAccess<>(table, entity, indexed, definitions, rows, settings);
    return new Queryable<>(map.space().store(), access, map);
  }

  /// Keeps the indexes of objects in a store from now on. They do not know the objects yet.
  Shadow<K, V> shadow(Store store) {
    if (!(table.values() instanceof NoCodec)) {
      throw new IllegalArgumentException(
          "the table has its values in the store: table="
              + table.name()
              + "; make it by QueryTable.ofObjects");
    }
    Table<K, byte[]> rows = Table.of(table.name(), table.keys(), Codec.bytes());
    List<ShadowIndex> definitions = new ArrayList<>();
    for (QueryIndex<V> index : indexes) {
      definitions.add(ShadowIndex.of(index.index(index.form(), new RowCodec<>(table))));
    }
    return Shadow.open(store.indexed(store.open(rows).space()), table, entity, definitions);
  }

  /// What finds the objects of a source by indexes that are kept.
  ObjectTable<K, V> over(Shadow<K, V> shadow, ObjectSource<K> source) {
    var access =
        new TableAccess<>(
            table, entity, shadow.indexed(), shadow.indexes(), new RowCodec<>(table), settings);
    return new ObjectTable<>(shadow.space().store(), access.over(source));
  }
}
