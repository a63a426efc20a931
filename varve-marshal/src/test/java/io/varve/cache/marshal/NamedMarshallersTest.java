package io.varve.cache.marshal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.Store;
import io.varve.admin.Backups;
import io.varve.admin.RestoreTo;
import io.varve.cache.CacheOptions;
import io.varve.cache.Marshaller;
import io.varve.cache.Marshallers;
import io.varve.cache.StorageMode;
import io.varve.cache.VarveCachingProvider;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What every marshaller that is found by name must do.
class NamedMarshallersTest {
  @TempDir Path directory;

  private static Marshaller<Book> books(String name) {
    return Marshallers.named(name, Book.class, Book.class.getClassLoader());
  }

  /// Counts what is read and written.
  private record Counted(Marshaller<Book> books, AtomicInteger reads, AtomicInteger writes)
      implements Marshaller<Book> {
    @Override
    public byte[] toBytes(Book book) {
      writes.incrementAndGet();
      return books.toBytes(book);
    }

    @Override
    public Book fromBytes(byte[] bytes) {
      reads.incrementAndGet();
      return books.fromBytes(bytes);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"kryo", "protobuf"})
  void whatIsWrittenIsReadAgain(String name) {
    Marshaller<Book> books = books(name);
    Book read = books.fromBytes(books.toBytes(new Book("Walden", "Thoreau", "Emerson")));
    assertThat(read.title).isEqualTo("Walden");
    assertThat(read.authors).containsExactly("Thoreau", "Emerson");
    assertThat(Marshallers.named(name, String.class, getClass().getClassLoader()).toBytes("ab"))
        .hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"kryo", "protobuf"})
  void classesThatAreNotAllowedAreRefusedBothWays(String name) {
    ClassLoader loader = getClass().getClassLoader();
    Marshaller<Object> none = Marshallers.named(name, Object.class, loader);
    Marshaller<Object> all =
        Marshallers.named(name, Object.class, loader, "io.varve.cache.marshal.*");
    byte[] bytes = all.toBytes(new Book("Walden"));
    assertThatThrownBy(() -> none.toBytes(new Book("Walden")))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining(Book.class.getName());
    assertThatThrownBy(() -> none.fromBytes(bytes))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("allowed");
    assertThat(all.fromBytes(bytes)).isInstanceOf(Book.class);
  }

  /// Guards against bytes that take all memory, or end the thread otherwise than by an exception.
  @ParameterizedTest
  @ValueSource(strings = {"kryo", "protobuf"})
  void hostileBytesAreRefused(String name) {
    long seed = 40;
    var random = new SplittableRandom(seed);
    Marshaller<Book> books = books(name);
    byte[] whole = books.toBytes(new Book("Walden", "Thoreau", "Emerson"));
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      byte[] bytes = Arrays.copyOf(whole, random.nextInt(1, whole.length + 8));
      bytes[0] = 0; // an object that the library wrote
      for (int change = random.nextInt(4); change > 0; change--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        Object read = books.fromBytes(bytes);
        assertThat(read)
            .as("seed=%d, i=%d", seed, i)
            .isInstanceOfAny(Book.class, Serializable.class);
      } catch (CacheException e) {
        refused++;
        assertThat(e).hasMessageContaining("; open the cache with the marshaller");
      }
    }
    assertThat(refused).as("seed=%d", seed).isGreaterThan(500);
    assertThat(books.fromBytes(whole).authors).containsExactly("Thoreau", "Emerson");
  }

  @Test
  void anUnknownNameIsReportedWithTheKnownOnes() {
    assertThatThrownBy(() -> books("none"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("kryo")
        .hasMessageContaining("protobuf");
  }

  static Stream<Arguments> namesAndModes() {
    return Stream.of("kryo", "protobuf")
        .flatMap(name -> Stream.of(StorageMode.values()).map(mode -> Arguments.of(name, mode)));
  }

  @ParameterizedTest
  @MethodSource("namesAndModes")
  void aValueThatIsChangedAfterPutDoesNotChangeTheCache(String name, StorageMode mode) {
    try (var provider = new VarveCachingProvider()) {
      Cache<String, Book> cache = cache(provider, directory, books(name), mode, 8);
      Book book = new Book("Walden", "Thoreau");
      cache.put("a", book);
      book.title = "another";
      book.authors.clear();
      assertThat(cache.get("a").title).isEqualTo("Walden");
      cache.get("a").authors.clear();
      assertThat(cache.get("a").authors).containsExactly("Thoreau");
    }
  }

  private static Cache<String, Book> cache(
      VarveCachingProvider provider,
      Path directory,
      Marshaller<Book> books,
      StorageMode mode,
      int segments) {
    CacheOptions<String, Book> options =
        new CacheOptions<String, Book>()
            .mode(mode)
            .segments(segments)
            .durability(Durability.BACKGROUND)
            .valueMarshaller(books);
    options.setTypes(String.class, Book.class);
    return provider
        .getCacheManager(directory.toUri(), NamedMarshallersTest.class.getClassLoader())
        .createCache(mode.name().toLowerCase(Locale.ROOT), options);
  }

  /// Bytes pass through: a backup, a restore and another number of segments turn none into an
  /// object.
  @ParameterizedTest
  @ValueSource(strings = {"kryo", "protobuf"})
  void storedBytesPassThroughUntouched(String name) {
    Counted counted = new Counted(books(name), new AtomicInteger(), new AtomicInteger());
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");
    try (var provider = new VarveCachingProvider()) {
      Cache<String, Book> cache = cache(provider, first, counted, StorageMode.PAGES, 8);
      for (int i = 0; i < 100; i++) {
        cache.put("k" + i, new Book("title " + i));
      }
    }
    int writes = counted.writes().get();
    try (Store store = Store.open(first)) {
      Backups.at(directory.resolve("backup")).take(store);
    }
    Backups.at(directory.resolve("backup")).restore(second, RestoreTo.newest());
    try (var provider = new VarveCachingProvider()) {
      Cache<String, Book> cache = cache(provider, second, counted, StorageMode.PAGES, 64);
      assertThat(counted.reads()).hasValue(0);
      assertThat(counted.writes()).hasValue(writes);
      assertThat(cache.get("k99").title).isEqualTo("title 99");
      assertThat(counted.reads()).hasValue(1);
    }
  }
}
