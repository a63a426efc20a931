package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.management.BadAttributeValueExpException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Which classes the objects of a cache that names none may be of.
class CacheClassesTest {
  @TempDir Path directory;

  private final VarveCachingProvider provider = new VarveCachingProvider();

  @AfterEach
  void close() {
    provider.close();
  }

  record Author(String name, int born) {}

  record Book(String title, Author author, List<Author> translators, Optional<String> subtitle) {}

  record Sold(String title, int copies) implements Serializable {}

  enum Cover {
    HARD
  }

  static class Named {
    private final String name;

    Named() {
      this("nobody");
    }

    Named(String name) {
      this.name = name;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Named named && named.name.equals(name);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  static final class Shelf extends Named {
    private Object content = "";
    private final transient Object lock = new Object();
    private int length = 1;

    Shelf() {}

    Shelf(String name, Object content, int length) {
      super(name);
      this.content = content;
      this.length = length;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Shelf shelf
          && super.equals(other)
          && lock != null
          && shelf.content.equals(content)
          && shelf.length == length;
    }

    @Override
    public int hashCode() {
      return super.hashCode();
    }
  }

  private static Book book() {
    Author author = new Author("Ursula", 1929);
    return new Book("Left Hand", author, List.of(author, author), Optional.of("of Darkness"));
  }

  private static List<Object> objects() {
    return List.of(
        new Sold("Left Hand", 7),
        book(),
        List.of(book(), new Sold("a", 1)),
        new Book[] {book()}[0],
        Cover.HARD,
        new Shelf("front", Map.of("a", book()), 3),
        new Serializable[] {new Sold("b", 2)}[0],
        new java.sql.Timestamp(77),
        Optional.of(new Author("a", 1)));
  }

  private CacheManager manager() {
    return provider.getCacheManager(directory.toUri(), null);
  }

  private Cache<Object, Object> cache(StorageMode mode) {
    return manager().createCache("books", new CacheOptions<>().mode(mode));
  }

  @ParameterizedTest
  @EnumSource
  void whatWasPutComesBackWithoutAWordAboutItsClass(StorageMode mode) {
    Cache<Object, Object> cache = cache(mode);
    List<Object> objects = objects();
    for (int i = 0; i < objects.size(); i++) {
      cache.put(i, objects.get(i));
      cache.put(new Author("key", i), i);
    }
    if (mode.hasPages()) {
      manager().close();
      cache = cache(mode);
    }
    for (int i = 0; i < objects.size(); i++) {
      assertThat(cache.get(i)).isEqualTo(objects.get(i));
      assertThat(cache.get(new Author("key", i))).isEqualTo(i);
    }
    cache.put("array", new Serializable[] {new Sold("b", 2)});
    assertThat((Serializable[]) cache.get("array")).containsExactly(new Sold("b", 2));
  }

  /// Guards against objects of classes that no program chose, made of bytes that another user
  /// brought into the directory.
  @Test
  void whatWasNeverPutIsRefused() {
    CacheOptions<Object, Object> open = new CacheOptions<>().mode(StorageMode.PAGES);
    open.valueMarshaller(Marshallers.ofType(Object.class, getClass().getClassLoader(), "*"));
    Cache<Object, Object> foreign = manager().createCache("books", open);
    List<Object> objects = List.of(new Sold("a", 1), book(), List.of(new Shelf()));
    for (int i = 0; i < objects.size(); i++) {
      foreign.put(i, objects.get(i));
    }
    manager().close();
    Cache<Object, Object> cache = cache(StorageMode.PAGES);
    for (int i = 0; i < objects.size(); i++) {
      int key = i;
      assertThatThrownBy(() -> cache.get(key))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("cache=books")
          .hasMessageContaining("refused class=" + CacheClassesTest.class.getName())
          .hasMessageContaining("io.varve.cache.allow");
    }
    cache.put("sold", new Sold("b", 2));
    assertThat(cache.get(0)).isEqualTo(new Sold("a", 1));
    assertThatThrownBy(() -> cache.get(1)).isInstanceOf(CacheException.class);
  }

  @Test
  void destroyedCachesForgetTheirClasses() {
    cache(StorageMode.PAGES).put(1, new Sold("a", 1));
    manager().destroyCache("books");
    whatWasNeverPutIsRefused();
  }

  private static final class Handler implements InvocationHandler, Serializable {
    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
      return "";
    }
  }

  /// Guards against objects that lead to code of other classes, which are to be named.
  @ParameterizedTest
  @EnumSource
  void whatLeadsToOtherCodeIsRefused(StorageMode mode) {
    Cache<Object, Object> cache = cache(mode);
    Runnable lambda = (Runnable & Serializable) () -> {};
    Object proxy =
        Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Runnable.class}, new Handler());
    for (Object object :
        List.of(new Handler(), new BadAttributeValueExpException("a"), lambda, proxy)) {
      assertThatThrownBy(() -> cache.put(1, List.of(object)))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("cache=books")
          .hasMessageContaining("io.varve.cache.allow");
    }
  }

  /// The message advised to allow the class, which changes nothing.
  @Test
  void keysOfCollectionsAreRefusedWithWhatToDo() {
    Cache<Object, Object> cache = cache(StorageMode.PAGES);
    for (Object key :
        List.of(List.of(1), new HashMap<>(Map.of(1, 2)), new Ring(List.of(Set.of(3))))) {
      assertThatThrownBy(() -> cache.put(key, 1))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("since equal ones may be written differently; choose a key without")
          .hasMessageContaining("key = \"...\"")
          .hasMessageNotContaining("io.varve.cache.allow");
    }
  }

  record Ring(List<Object> members) {}

  @Test
  void whatCouldNotBeReadIsRefusedWhenItIsPut() {
    Cache<Object, Object> cache = cache(StorageMode.HEAP);
    Ring ring = new Ring(new ArrayList<>());
    ring.members().add(ring);
    for (Object object :
        List.of(new ThreadLocal<>(), List.of(new Object() {}), new Object[] {ring})) {
      assertThatThrownBy(() -> cache.put(1, object))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("cache=books")
          .hasMessageContaining("serializable");
    }
  }

  @Test
  void patternsThatMatchNothingAreRefused() {
    ClassLoader loader = getClass().getClassLoader();
    for (String pattern : List.of("**", "a.**.b", "a..*", ".a", "*.a", "a b", "", "!**", "a-b.*")) {
      assertThatThrownBy(() -> Marshallers.ofType(Object.class, loader, pattern))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("pattern=" + pattern);
    }
    for (String pattern :
        List.of(
            "*", "!*", "a.*", "a.b.**", "a.B", "a.B$C", "a.B$*", "java.base/a.*", "maxdepth=9")) {
      Marshallers.ofType(Object.class, loader, pattern);
    }
  }

  @Test
  void listsThatEndWithARefusalOfAllAreTheLastWord() {
    System.setProperty("io.varve.cache.allow", Author.class.getName() + "; !*");
    try {
      Cache<Object, Object> cache = cache(StorageMode.PAGES);
      cache.put(1, new Author("a", 1));
      assertThat(cache.get(1)).isEqualTo(new Author("a", 1));
      assertThatThrownBy(() -> cache.put(1, new Sold("a", 1)))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("part=" + Sold.class.getName());
    } finally {
      System.clearProperty("io.varve.cache.allow");
    }
  }

  /// Guards against a directory in which nothing is.
  @Test
  @SuppressWarnings("unchecked") // a class has no type parameters
  void namedDirectoriesAreDurable() {
    MutableConfiguration<Object, Object> plain = new MutableConfiguration<>();
    manager().createCache("books", plain).put(1, book());
    manager().close();
    assertThat(manager().createCache("books", plain).get(1)).isEqualTo(book());
    assertThat(
            provider
                .getCacheManager()
                .createCache("books", plain)
                .getConfiguration(CacheOptions.class)
                .mode())
        .isEqualTo(StorageMode.HEAP);
  }

  /// Guards against classes that the loader of the manager does not see, as where a container makes
  /// it for an application.
  @Test
  void classesAreFoundByTheLoaderOfTheThread() {
    CacheManager manager =
        provider.getCacheManager(directory.toUri(), ClassLoader.getPlatformClassLoader());
    Cache<Object, Object> cache = manager.createCache("books", new MutableConfiguration<>());
    cache.put(1, book());
    assertThat(cache.get(1)).isEqualTo(book());
  }

  /// The name under which Micrometer looks for the counts of a cache.
  @Test
  void countsAreShownUnderTheNameThatOthersLookFor() throws Exception {
    CacheManager manager = manager();
    Cache<Object, Object> cache =
        manager.createCache("books", new MutableConfiguration<>().setStatisticsEnabled(true));
    cache.put(1, 1);
    cache.get(1);
    cache.get(2);
    ObjectName name =
        new ObjectName(
            "javax.cache:type=CacheStatistics,CacheManager="
                + manager.getURI().toString().replace(':', '.')
                + ",Cache=books");
    assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(name, "CacheGets"))
        .isEqualTo(2L);
  }
}
