package io.varve.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cache.CacheOptions;
import io.varve.cache.StorageMode;
import io.varve.cache.VarveCachingProvider;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.SessionScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.inject.Inject;
import jakarta.inject.Qualifier;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InterceptorBinding;
import jakarta.interceptor.InvocationContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.annotation.CacheDefaults;
import javax.cache.annotation.CacheInvocationContext;
import javax.cache.annotation.CacheKey;
import javax.cache.annotation.CacheKeyGenerator;
import javax.cache.annotation.CacheKeyInvocationContext;
import javax.cache.annotation.CacheMethodDetails;
import javax.cache.annotation.CachePut;
import javax.cache.annotation.CacheRemove;
import javax.cache.annotation.CacheRemoveAll;
import javax.cache.annotation.CacheResolver;
import javax.cache.annotation.CacheResolverFactory;
import javax.cache.annotation.CacheResult;
import javax.cache.annotation.CacheValue;
import javax.cache.annotation.GeneratedCacheKey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The annotations of JCache on beans of Weld.
class AnnotationsTest {
  /// A bean whose calls are counted.
  @ApplicationScoped
  @CacheDefaults(cacheName = "books")
  static class Books {
    private int calls;

    int calls() {
      return calls;
    }

    @CacheResult
    @Transaction
    public @Nullable String title(@Nullable String isbn) {
      calls++;
      return "none".equals(isbn) ? null : "title of " + isbn;
    }

    @CacheResult(cacheName = "units")
    public String unit(TimeUnit unit, int... counts) {
      calls++;
      return counts.length + " " + unit;
    }

    @CacheResult(exceptionCacheName = "failures", cachedExceptions = IllegalStateException.class)
    public String fail(String isbn) {
      calls++;
      throw new IllegalStateException("no book: " + isbn);
    }

    @CachePut
    public void rename(@CacheKey String isbn, @CacheValue String title) {}

    @CachePut(noCacheFor = IllegalStateException.class)
    public void renameBadly(@CacheKey String isbn, @CacheValue String title) {
      throw new IllegalStateException("not renamed");
    }

    @CacheRemove
    public void forget(String isbn) {}

    @CacheRemoveAll
    public void forgetAll() {}

    @CacheResult(cacheKeyGenerator = Initials.class)
    public String byInitial(String word) {
      calls++;
      return word;
    }

    @CacheResult(cacheName = "elsewhere", cacheResolverFactory = Elsewhere.class)
    public String resolved(String word) {
      calls++;
      return word;
    }
  }

  /// Names the cache of the classes that extend it.
  @CacheDefaults(cacheName = "books")
  abstract static class Shelf {}

  /// A class with the defaults of the one that it extends.
  @ApplicationScoped
  static class Magazines extends Shelf {
    private int calls;

    int calls() {
      return calls;
    }

    @CacheResult
    public String issue(String name, int number) {
      calls++;
      return name + " " + number;
    }
  }

  /// A bean that makes keys.
  @Dependent
  static class Initials implements CacheKeyGenerator {
    record Initial(char letter) implements GeneratedCacheKey {}

    private final Alphabet alphabet;

    @Inject
    Initials(Alphabet alphabet) {
      this.alphabet = alphabet;
    }

    @Override
    public GeneratedCacheKey generateCacheKey(
        CacheKeyInvocationContext<? extends Annotation> call) {
      return new Initial(alphabet.initial(call.getKeyParameters()[0].getValue()));
    }
  }

  @Dependent
  static class Alphabet {
    char initial(Object word) {
      return word.toString().charAt(0);
    }
  }

  /// No bean: made by its constructor.
  public static class Elsewhere implements CacheResolverFactory {
    static final String CACHE = "chosen";

    @Override
    public CacheResolver getCacheResolver(CacheMethodDetails<? extends Annotation> method) {
      return new CacheResolver() {
        @Override
        public <K, V> Cache<K, V> resolveCache(CacheInvocationContext<? extends Annotation> call) {
          return manager().getCache(CACHE);
        }
      };
    }

    @Override
    public CacheResolver getExceptionCacheResolver(CacheMethodDetails<CacheResult> method) {
      throw new UnsupportedOperationException();
    }

    private static CacheManager manager() {
      return CDI.current().select(CacheManager.class).get();
    }
  }

  /// Makes the manager, as an application may that wants another than the default one.
  @ApplicationScoped
  static class Manager {
    static StorageMode mode = StorageMode.HEAP;

    @Produces
    @ApplicationScoped
    CacheManager manager() {
      CacheManager manager = new VarveCachingProvider().getCacheManager();
      for (String name : new String[] {"books", "units", "failures", "chosen"}) {
        manager.createCache(name, new CacheOptions<>().mode(mode));
      }
      return manager;
    }

    void close(@Disposes CacheManager manager) {
      manager.close();
    }
  }

  @InterceptorBinding
  @Retention(RetentionPolicy.RUNTIME)
  @interface Transaction {}

  /// Where the transactions of Jakarta are among interceptors.
  @Transaction
  @Interceptor
  @Priority(Interceptor.Priority.PLATFORM_BEFORE + 200)
  static class Transactions {
    static int begun;

    @AroundInvoke
    Object around(InvocationContext call) throws Exception {
      begun++;
      return call.proceed();
    }
  }

  /// Caches as they are.
  @Dependent
  static class Injected {
    @Inject
    @NamedCache("books")
    Cache<GeneratedCacheKey, String> books;

    @Inject
    @NamedCache("made")
    Cache<String, Integer> made;
  }

  private static SeContainer container(Class<?>... beans) {
    return SeContainerInitializer.newInstance()
        .disableDiscovery()
        .addExtensions(new VarveExtension())
        .addBeanClasses(beans)
        .initialize();
  }

  private static SeContainer container() {
    return container(
        Books.class,
        Magazines.class,
        Initials.class,
        Alphabet.class,
        Manager.class,
        Transactions.class,
        Injected.class);
  }

  @ParameterizedTest
  @EnumSource(StorageMode.class)
  void callsAreAnsweredFromTheCacheUntilTheirEntryIsRemoved(StorageMode mode) {
    Manager.mode = mode;
    try (SeContainer container = container()) {
      Books books = container.select(Books.class).get();
      assertThat(books.title("7")).isEqualTo("title of 7");
      assertThat(books.title("7")).isEqualTo("title of 7");
      assertThat(books.calls()).isEqualTo(1);

      books.rename("7", "renamed");
      assertThat(books.title("7")).isEqualTo("renamed");
      assertThatThrownBy(() -> books.renameBadly("7", "badly"))
          .isInstanceOf(IllegalStateException.class);
      assertThat(books.title("7")).isEqualTo("renamed");

      books.forget("7");
      assertThat(books.title("7")).isEqualTo("title of 7");
      books.forgetAll();
      assertThat(books.title("7")).isEqualTo("title of 7");
      assertThat(books.calls()).isEqualTo(3);

      Magazines magazines = container.select(Magazines.class).get();
      assertThat(magazines.issue("Tree", 1)).isEqualTo("Tree 1");
      assertThat(magazines.issue("Tree", 1)).isEqualTo("Tree 1");
      assertThat(magazines.issue("Tree", 2)).isEqualTo("Tree 2");
      assertThat(magazines.calls()).isEqualTo(2);

      assertThat(books.unit(TimeUnit.DAYS, 1, 2)).isEqualTo("2 DAYS");
      assertThat(books.unit(TimeUnit.DAYS, 1, 2)).isEqualTo("2 DAYS");
      assertThat(books.unit(TimeUnit.DAYS, 1)).isEqualTo("1 DAYS");
      assertThat(books.calls()).isEqualTo(5);
    }
  }

  @Test
  void exceptionsAreKeptWhereACacheIsNamedForThem() {
    try (SeContainer container = container()) {
      Books books = container.select(Books.class).get();
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> books.fail("7"))
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("no book: 7");
      }
      assertThat(books.calls()).isEqualTo(1);
    }
  }

  @Test
  void nullIsAParameterAndNoAnswerThatIsKept() {
    try (SeContainer container = container()) {
      Books books = container.select(Books.class).get();
      assertThat(books.title(null)).isEqualTo("title of null");
      assertThat(books.title(null)).isEqualTo("title of null");
      assertThat(books.calls()).isEqualTo(1);
      assertThat(books.title("none")).isNull();
      assertThat(books.title("none")).isNull();
      assertThat(books.calls()).isEqualTo(3);
    }
  }

  @Test
  void aHitBeginsNoTransaction() {
    try (SeContainer container = container()) {
      Books books = container.select(Books.class).get();
      Transactions.begun = 0;
      books.title("7");
      books.title("7");
      assertThat(Transactions.begun).isEqualTo(1);
    }
  }

  @Test
  void keysAndCachesAreMadeByBeansOrByClassesThatAreNone() {
    try (SeContainer container = container()) {
      Books books = container.select(Books.class).get();
      assertThat(books.byInitial("tree")).isEqualTo("tree");
      assertThat(books.byInitial("trunk")).isEqualTo("tree");
      assertThat(books.resolved("leaf")).isEqualTo("leaf");
      CacheManager manager = container.select(CacheManager.class).get();
      assertThat(manager.getCache(Elsewhere.CACHE)).hasSize(1);
      assertThat(manager.getCache("elsewhere")).isNull();
    }
  }

  /// Guards against calls that fail because another thread makes their cache.
  @Test
  void theFirstCallsOfManyThreadsMakeTheirCacheOnce() throws Exception {
    for (int round = 0; round < 20; round++) {
      try (SeContainer container = container(Words.class);
          var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        Words words = container.select(Words.class).get();
        var begin = new CountDownLatch(1);
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
          answers.add(
              threads.submit(() -> {
                begin.await();
                return words.upper("leaf");
              }));
        }
        begin.countDown();
        for (Future<String> answer : answers) {
          assertThat(answer.get()).isEqualTo("LEAF");
        }
        container.select(CacheManager.class).get().destroyCache("words");
        assertThat(words.upper("leaf")).isEqualTo("LEAF");
      }
    }
  }

  /// A manager with a qualifier is not the one that annotations use; a bean that is passivated may
  /// have annotations.
  @Test
  void anApplicationMayHaveAnotherManagerAndBeansThatArePassivated() {
    try (SeContainer container = container(Words.class, Cart.class, OtherManager.class)) {
      assertThat(container.select(Words.class).get().upper("leaf")).isEqualTo("LEAF");
      assertThat(container.select(Cart.class).isResolvable()).isTrue();
    }
  }

  /// Of an application whose caches no code has made.
  @ApplicationScoped
  static class Words {
    @CacheResult(cacheName = "words")
    public String upper(String word) {
      return word.toUpperCase(Locale.ROOT);
    }
  }

  @SessionScoped
  static class Cart implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    @CacheResult(cacheName = "words")
    public String word(String word) {
      return word;
    }
  }

  @Dependent
  static class OtherManager {
    @Produces
    @Other
    CacheManager manager() {
      throw new IllegalStateException("no code asks for it");
    }
  }

  @Qualifier
  @Retention(RetentionPolicy.RUNTIME)
  @interface Other {}

  @Test
  void cachesAreInjectedByTheirNames() {
    try (SeContainer container = container()) {
      container.select(Books.class).get().title("7");
      Injected injected = container.select(Injected.class).get();
      assertThat(injected.books.get(new CallKey(new Object[] {"7"}))).isEqualTo("title of 7");
      injected.made.put("one", 1);
      assertThat(container.select(Injected.class).get().made.get("one")).isEqualTo(1);
      CacheManager manager = container.select(CacheManager.class).get();
      assertThat(manager.getCache("made", String.class, Integer.class).get("one")).isEqualTo(1);
    }
  }

  /// Guards against entries that no later process finds: the hash of an enum is another one in each
  /// JVM, so it must not be in the bytes of a key.
  @Test
  void aKeyHasTheBytesOfItsParametersAlone() throws IOException {
    CallKey key = new CallKey(new Object[] {TimeUnit.DAYS, new int[] {1}, null});
    byte[] before = bytes(key);
    assertThat(key)
        .hasSameHashCodeAs(new CallKey(new Object[] {TimeUnit.DAYS, new int[] {1}, null}));
    assertThat(bytes(key)).isEqualTo(before);
    assertThat(CallKey.class.getDeclaredFields())
        .filteredOn(field -> !Modifier.isStatic(field.getModifiers()))
        .singleElement()
        .returns("parameters", Field::getName);
    assertThat(key).hasToString("[DAYS, [1], null]");
  }

  private static byte[] bytes(CallKey key) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(key);
    }
    return bytes.toByteArray();
  }
}
