package io.varve.query;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.query.internal.access.Access;
import io.varve.query.internal.access.ScanAccess;
import io.varve.query.internal.entity.NearestName;
import io.varve.query.internal.parse.LanguageWords;
import io.varve.query.internal.parse.NamedTexts;
import io.varve.query.internal.parse.PreparedStatements;
import io.varve.query.internal.statement.Catalog;
import io.varve.query.internal.statement.Statement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Queries by text over tables of one store.
///
/// ```java
/// Queries queries = Queries.of(store).table(PEOPLE, Entity.of(Person.class));
///
/// List<Person> people =
///     queries.query("from people where city = :c order by age limit 10")
///         .set("c", "Bonn")
///         .list(Person.class);
/// ```
///
/// The guide of queries describes the language. A text is parsed once and kept while it is among
/// the last [#PREPARED_MAX] that were used. The texts that are kept have at most a million
/// characters together.
///
/// Safe for any number of threads. Holds no resource.
///
/// @since 1.0
public final class Queries {
  /// How many texts are kept as they were understood.
  public static final int PREPARED_MAX = 256;

  /// Where queries are kept by their names.
  private static final Table<String, String> NAMED =
      Table.of("varve.queries", Codec.string(), Codec.string());

  private final Store store;
  private final Map<String, Access<?, ?>> tables;
  private final Clock clock;
  private final PreparedStatements prepared;
  private final Map<String, String> named;

  private Queries(
      Store store, Map<String, Access<?, ?>> tables, Clock clock, Map<String, String> named) {
    this.store = store;
    this.tables = tables;
    this.clock = clock;
    this.prepared = new PreparedStatements(new Tables(tables), PREPARED_MAX);
    this.named = named;
  }

  /// The words of the language and the names of its functions, in lower case and in order: for a
  /// program that completes a text.
  public static List<String> words() {
    return LanguageWords.all();
  }

  /// Queries of a store, over no table yet.
  public static Queries of(Store store) {
    return new Queries(
        Objects.requireNonNull(store, "store"),
        Map.of(),
        Clock.system(ZoneId.systemDefault()),
        new ConcurrentHashMap<>());
  }

  /// These queries, over one more table, which is read from its first row to its last.
  public <K, V> Queries table(Table<K, V> table, Entity<V> entity) {
    Objects.requireNonNull(table, "table");
    return with(new ScanAccess<>(table, Objects.requireNonNull(entity, "entity")));
  }

  /// These queries, over one more table, which is read by its indexes.
  ///
  /// @throws IllegalArgumentException if the table is that of a snapshot or a transaction: a query
  ///   would read outside of it, and another commit would be no conflict. [Query#in] gives a query
  ///   its view
  public Queries table(Queryable<?, ?> table) {
    if (table.view() != null) {
      throw new IllegalArgumentException(
          "the table is that of a snapshot or a transaction, which queries do not take from it:"
              + " table="
              + table.access().table().name()
              + "; give the table without it, and each query its view by Query.in");
    }
    return with(table.access());
  }

  /// These queries, over objects of one class in a map or a cache. What they change is changed
  /// there one by one.
  ///
  /// @throws IllegalArgumentException if their indexes are in another store
  public Queries table(ObjectTable<?, ?> table) {
    if (!table.store().equals(store)) {
      throw new IllegalArgumentException(
          "the indexes of the objects are in another store: table="
              + table.access().table().name()
              + "; keep them in the store of these queries");
    }
    return with(table.access());
  }

  private Queries with(Access<?, ?> access) {
    Map<String, Access<?, ?>> more = new LinkedHashMap<>(tables);
    if (more.put(access.table().name(), access) != null) {
      throw new IllegalArgumentException("a table is given twice: name=" + access.table().name());
    }
    return new Queries(store, more, clock, named);
  }

  /// These queries by the clock given: what `local date` and the like mean.
  public Queries withClock(Clock other) {
    return new Queries(store, tables, Objects.requireNonNull(other, "other"), named);
  }

  /// The query of a text.
  ///
  /// @throws QueryException if the text is none
  public Query query(String text) {
    PreparedStatements.Prepared read = prepared.get(Objects.requireNonNull(text, "text"));
    return new Query(this, read.statement(), read.parameters(), Map.of(), null);
  }

  /// Gives a query a name, in this program.
  ///
  /// @throws QueryException if the text is no query
  public void name(String name, String text) {
    Objects.requireNonNull(name, "name");
    prepared.get(Objects.requireNonNull(text, "text"));
    named.put(name, text);
  }

  /// Gives the queries of a file their names, in this program: a line `-- name: NAME` before each.
  ///
  /// @throws QueryException if a text is no query
  /// @throws UncheckedIOException if the file cannot be read
  public void nameAll(Path file) {
    Objects.requireNonNull(file, "file");
    try {
      NamedTexts.parse(Files.readString(file)).forEach(this::name);
    } catch (IOException e) {
      throw new UncheckedIOException("the file of queries cannot be read: file=" + file, e);
    }
  }

  /// Keeps a query in the store by a name, for every program that opens it.
  ///
  /// @throws QueryException if the text is no query
  public void save(String name, String text) {
    Objects.requireNonNull(name, "name");
    prepared.get(Objects.requireNonNull(text, "text"));
    store.open(NAMED).put(name, text);
  }

  /// The query of a name: one that was named in this program, or else is kept in the store.
  ///
  /// @throws IllegalArgumentException if there is none; names the nearest one
  public Query named(String name) {
    String text = named.get(Objects.requireNonNull(name, "name"));
    if (text == null) {
      text = savedQueries().get(name);
    }
    if (text == null) {
      Map<String, String> all = new LinkedHashMap<>(savedQueries());
      all.putAll(named);
      String nearest = NearestName.of(name, all.keySet());
      throw new IllegalArgumentException(
          "no query of that name: name=" + name + (nearest == null ? "" : ", nearest=" + nearest));
    }
    return query(text);
  }

  /// The queries that the store keeps, by name.
  private Map<String, String> savedQueries() {
    return store.findSpace(NAMED.name()) == null ? Map.of() : store.open(NAMED);
  }

  /// Whether a statement changes objects of a map or a cache.
  boolean isOfObjects(Statement statement) {
    Access<?, ?> access = tables.get(statement.sources().getFirst().table());
    return access != null && access.objects() != null;
  }

  Store store() {
    return store;
  }

  Map<String, Access<?, ?>> tables() {
    return tables;
  }

  Clock clock() {
    return clock;
  }

  /// What texts may name: tables by their names, or by what their objects are called.
  private record Tables(Map<String, Access<?, ?>> tables) implements Catalog {
    @Override
    public @Nullable String table(String name) {
      if (tables.containsKey(name)) {
        return name;
      }
      for (Map.Entry<String, Access<?, ?>> table : tables.entrySet()) {
        boolean isTable = table.getKey().equalsIgnoreCase(name);
        if (isTable || table.getValue().entity().name().equals(name)) {
          return table.getKey();
        }
      }
      return null;
    }

    @Override
    public @Nullable Entity<?> find(String table) {
      Access<?, ?> access = tables.get(table);
      return access == null ? null : access.entity();
    }

    @Override
    public Collection<String> names() {
      return tables.keySet();
    }
  }
}
