package io.varve.bench.people;

import com.googlecode.cqengine.ConcurrentIndexedCollection;
import io.varve.Store;
import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.JarVersion;
import io.varve.bench.engine.Promise;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What can be asked for persons.
///
/// @param label the name on the command line and in the results
/// @param artifact a class of it
/// @param settings in words
/// @param opening opens it
public record PeopleType(String label, Class<?> artifact, String settings, Opening opening)
    implements EngineType {
  /// All of them.
  public static final List<PeopleType> ALL =
      List.of(
          new PeopleType(
              "varve-query", Store.class, "typed queries; inserts are forced", VarvePeople::new),
          new PeopleType(
              "h2",
              org.h2.Driver.class,
              "prepared statements, embedded; an insert is handed to the operating system within"
                  + " half a second, and never forced",
              (directory, cacheBytes, indexes) ->
                  new SqlPeople(
                      new SqlPeople.Database(
                          new org.h2.Driver(),
                          "jdbc:h2:file:"
                              + directory.resolve("h2").toAbsolutePath()
                              + ";CACHE_SIZE="
                              + (cacheBytes >> 10),
                          List.of()),
                      indexes)),
          new PeopleType(
              "sqlite",
              org.sqlite.JDBC.class,
              "prepared statements, write-ahead log, synchronous=FULL: inserts are forced",
              (directory, cacheBytes, indexes) ->
                  new SqlPeople(
                      new SqlPeople.Database(
                          new org.sqlite.JDBC(),
                          "jdbc:sqlite:" + directory.resolve("people.sqlite").toAbsolutePath(),
                          List.of(
                              "pragma busy_timeout=60000",
                              "pragma journal_mode=wal",
                              "pragma synchronous=full",
                              "pragma cache_size=-" + (cacheBytes >> 10))),
                      indexes)),
          new PeopleType(
              "cqengine",
              ConcurrentIndexedCollection.class,
              "objects as they are on the heap, nothing durable, answers of no one point in time",
              (_, _, indexes) -> CqPeople.onHeap(indexes)),
          new PeopleType(
              "cqengine-disk",
              ConcurrentIndexedCollection.class,
              "objects and indexes in SQLite by its own settings: write-ahead log,"
                  + " synchronous=NORMAL, so that loss of power takes what was not checkpointed;"
                  + " the bytes of persons are those that Varve stores",
              (directory, _, indexes) -> CqPeople.onDisk(directory, indexes)));

  /// Opens persons.
  @FunctionalInterface
  interface Opening {
    /// Opens them, empty.
    ///
    /// @param directory an empty one
    /// @param indexes how many of the five there are from the start
    People open(Path directory, long cacheBytes, int indexes);
  }

  /// The one of that label, if there is one.
  public static Optional<EngineType> find(String label) {
    return ALL.stream()
        .filter(type -> type.label().equals(label))
        .<EngineType>map(type -> type)
        .findFirst();
  }

  @Override
  public String version() {
    return JarVersion.of(artifact);
  }

  @Override
  public String describe(Promise promise) {
    return settings;
  }

  @Override
  public Set<Feature> features() {
    return Set.of();
  }

  @Override
  public People open(EngineSettings engine) {
    return opening.open(engine.directory(), engine.cacheBytes(), 0);
  }
}
