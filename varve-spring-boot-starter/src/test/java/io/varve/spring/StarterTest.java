package io.varve.spring;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.Durability;
import io.varve.KeySource;
import io.varve.Store;
import io.varve.cache.CacheOptions;
import io.varve.cache.StorageMode;
import io.varve.control.ControlClient;
import io.varve.control.SpaceFigures;
import io.varve.micrometer.VarveStoreMetrics;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.CachingConfigurer;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/// Applications of Spring Boot that have the starter on their class path and nothing else.
class StarterTest {
  /// Of the methods by [ShopMain#ask]: four, of which one calls another twice, past the cache.
  private static final int CALLS = 6;

  @TempDir Path directory;

  private String caches() {
    return "--varve.directory=" + directory.resolve("caches");
  }

  @SuppressWarnings("unchecked") // a class has no type parameters
  private static CacheOptions<?, ?> options(ConfigurableApplicationContext context, String name) {
    return (CacheOptions<?, ?>)
        context
            .getBean(javax.cache.CacheManager.class)
            .getCache(name)
            .getConfiguration(CacheOptions.class);
  }

  @Test
  void methodsAreCachedWithoutAWordOfConfiguration() {
    try (var context = ShopMain.start()) {
      Shop.Shelf shelf = context.getBean(Shop.Shelf.class);
      ShopMain.ask(shelf);
      int calls = shelf.calls();
      ShopMain.ask(shelf);
      assertThat(shelf.calls()).isEqualTo(calls).isEqualTo(CALLS);
      assertThat(options(context, "books").mode()).isEqualTo(StorageMode.HEAP);
    }
  }

  /// The starter alone: what Spring Boot has for caches of any kind is not on the class path.
  @Test
  void answersSurviveAKill() throws Exception {
    assertThat(callsOfAProcess()).isEqualTo(CALLS);
    assertThat(callsOfAProcess()).isZero();
  }

  private int callsOfAProcess() throws Exception {
    Path output = directory.resolve("output.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dspring.devtools.restart.enabled=false",
                "-cp",
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                    .filter(entry -> !entry.contains("spring-boot-cache"))
                    .collect(Collectors.joining(File.pathSeparator)),
                ShopMain.class.getName(),
                caches())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(output.toFile()))
            .start();
    try {
      int code = process.waitFor();
      assertThat(code).as(Files.readString(output)).isEqualTo(3);
    } finally {
      process.destroyForcibly();
    }
    try (Stream<String> lines = Files.lines(output)) {
      return lines
          .filter(line -> line.startsWith(ShopMain.CALLS))
          .mapToInt(line -> Integer.parseInt(line.substring(ShopMain.CALLS.length())))
          .sum();
    }
  }

  @Test
  void refusalsSayWhatToDo() {
    try (var context = ShopMain.start()) {
      Shop.Shelf shelf = context.getBean(Shop.Shelf.class);
      assertThatThrownBy(() -> shelf.connection("1"))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("cache=connections")
          .hasMessageContaining(Shop.Connection.class.getName())
          .hasMessageContaining("serializable");
    }
  }

  /// Guards against an answer that cannot be written and is taken for one that cannot be read.
  @Test
  void methodsWhoseAnswerIsRefusedRunOnce() {
    try (var context = ShopMain.start(List.of(Shop.class, Changing.class), caches())) {
      Changing.Answers answers = context.getBean(Changing.Answers.class);
      assertThatThrownBy(() -> answers.refused("1")).isInstanceOf(CacheException.class);
      assertThat(answers.calls()).isEqualTo(1);
    }
  }

  /// A method whose answer was cached by a class that has changed runs again, and is cached again.
  @Test
  void entriesThatCannotBeReadAreRemoved() {
    try (var context = ShopMain.start(List.of(Shop.class, Changing.class), caches())) {
      Changing.Answers answers = context.getBean(Changing.Answers.class);
      answers.plain("1");
      answers.synchronous("1");
      assertThat(answers.calls()).isEqualTo(2);
      ChangedClass.whileChanged(() -> {
        answers.plain("1");
        answers.synchronous("1");
      });
      assertThat(answers.calls()).isEqualTo(4);
      answers.plain("1");
      assertThat(answers.calls()).as("of an entry that can be read").isEqualTo(4);
    }
  }

  /// A method that answers by a future was refused: Spring's cache over JCache has no such answers.
  @Test
  void methodsThatAnswerLaterAreCached() {
    try (var context = ShopMain.start(List.of(Shop.class, Changing.class), caches())) {
      Changing.Answers answers = context.getBean(Changing.Answers.class);
      for (Function<String, CompletableFuture<@Nullable ChangedClass>> method :
          List.<Function<String, CompletableFuture<@Nullable ChangedClass>>>of(
              answers::later, answers::laterOnce)) {
        int calls = answers.calls();
        assertThat(method.apply("1").join()).isNotNull();
        assertThat(method.apply("1").join()).isNotNull();
        assertThat(method.apply("null").join()).isNull();
        assertThat(method.apply("null").join()).isNull();
        assertThat(answers.calls()).isEqualTo(calls + 2);
        ChangedClass.whileChanged(() -> assertThat(method.apply("1").join()).isNotNull());
        assertThat(answers.calls()).as("of an entry that cannot be read").isEqualTo(calls + 3);
        assertThatThrownBy(() -> method.apply("fails").join())
            .isInstanceOf(CompletionException.class)
            .hasCauseInstanceOf(FileNotFoundException.class);
        answers.forget("1").join();
        answers.forget("null").join();
      }
    }
  }

  /// What the application does on failures is left to it.
  @Test
  void failuresAreThoseThatTheApplicationWants() {
    List<Class<?>> classes = List.of(Shop.class, Changing.class, OwnConfigurer.class);
    try (var context = ShopMain.start(classes, caches())) {
      Changing.Answers answers = context.getBean(Changing.Answers.class);
      answers.plain("1");
      ChangedClass.whileChanged(() ->
          assertThatThrownBy(() -> answers.plain("1"))
              .isInstanceOf(CacheException.class)
              .hasMessageContaining("class has changed"));
      assertThat(answers.calls()).isEqualTo(1);
    }
  }

  static class OwnConfigurer implements CachingConfigurer {}

  static class Changing {
    static class Answers {
      private int calls;

      int calls() {
        return calls;
      }

      @Cacheable("plain")
      ChangedClass plain(String key) {
        calls++;
        return new ChangedClass();
      }

      @Cacheable(cacheNames = "synchronous", sync = true)
      ChangedClass synchronous(String key) {
        calls++;
        return new ChangedClass();
      }

      @Cacheable("later")
      CompletableFuture<@Nullable ChangedClass> later(String key) {
        calls++;
        return answer(key);
      }

      @Cacheable(cacheNames = "later", sync = true)
      CompletableFuture<@Nullable ChangedClass> laterOnce(String key) {
        calls++;
        return answer(key);
      }

      @CacheEvict("later")
      public CompletableFuture<@Nullable Void> forget(String key) {
        return CompletableFuture.completedFuture(null);
      }

      private static CompletableFuture<@Nullable ChangedClass> answer(String key) {
        return key.equals("fails")
            ? CompletableFuture.failedFuture(new FileNotFoundException(key))
            : CompletableFuture.completedFuture(key.equals("null") ? null : new ChangedClass());
      }

      @Cacheable(cacheNames = "refused", sync = true)
      Object refused(String key) {
        calls++;
        return new ThreadLocal<>();
      }
    }

    @Bean
    Answers answers() {
      return new Answers();
    }
  }

  @Test
  void propertiesSayHowCachesAreMade() {
    try (var context =
        ShopMain.start(
            caches(),
            "--varve.page-cache=2MB",
            "--varve.defaults.durability=background",
            "--varve.caches.books.mode=pages",
            "--varve.caches.books.ttl=30m",
            "--varve.caches.books.segments=7",
            "--varve.caches.prices.heap-entries=77",
            "--varve.caches.prices.idle=1h",
            "--varve.caches.prices.durability=process-crash",
            "--spring.cache.cache-names=a,b")) {
      assertThat(context.getBean(CacheManager.class).getCacheNames())
          .containsExactlyInAnyOrder("a", "b", "books", "prices");
      CacheOptions<?, ?> books = options(context, "books");
      assertThat(books.mode()).isEqualTo(StorageMode.PAGES);
      assertThat(books.durability()).isEqualTo(Durability.BACKGROUND);
      assertThat(books.segments()).isEqualTo(7);
      assertThat(books.getExpiryPolicyFactory().create().getExpiryForUpdate().getDurationAmount())
          .isEqualTo(Duration.ofMinutes(30).toMillis());
      CacheOptions<?, ?> prices = options(context, "prices");
      assertThat(prices.mode()).isEqualTo(StorageMode.TIERED);
      assertThat(prices.durability()).isEqualTo(Durability.PROCESS_CRASH);
      assertThat(prices.heapEntriesMax()).isEqualTo(77);
      assertThat(prices.getExpiryPolicyFactory().create().getExpiryForAccess().getDurationAmount())
          .isEqualTo(Duration.ofHours(1).toMillis());
    }
    assertThatThrownBy(() -> ShopMain.start("--varve.caches.a.ttl=1s", "--varve.caches.a.idle=1s"))
        .hasRootCauseMessage("a cache has both ttl=PT1S and idle=PT1S: leave out one");
    for (Map.Entry<String, String> each :
        Map.of(
                "varve.caches.a.ttl=0s", "a time is not above 0: ttl=PT0S",
                "varve.caches.a.write-through=true", "a cache has write-through and no writer",
                "varve.caches.a.read-through=true", "a cache has read-through and no loader",
                "varve.store.directory=", "names no directory: property=varve.store.directory")
            .entrySet()) {
      assertThatThrownBy(() -> ShopMain.start("--" + each.getKey()))
          .as("it had no effect, or the files were where the application runs")
          .rootCause()
          .hasMessageContaining(each.getValue());
    }
    for (String mistyped : List.of("varve.key-fil", "varve.caches.books.heap-entrys")) {
      assertThatThrownBy(() -> ShopMain.start("--" + mistyped + "=7"))
          .as("all in clear, or without a bound")
          .hasRootCauseMessage("The elements [" + mistyped + "] were left unbound.");
    }
  }

  @Test
  void otherCachesAreLeftAlone() {
    try (var context = ShopMain.start("--spring.cache.type=simple")) {
      assertThat(context.getBean(CacheManager.class)).isInstanceOf(ConcurrentMapCacheManager.class);
    }
    try (var context = ShopMain.start(List.of(Shop.class, OwnCaches.class))) {
      assertThat(context.getBean(CacheManager.class)).isInstanceOf(ConcurrentMapCacheManager.class);
      assertThat(context.getBeansOfType(Store.class)).isEmpty();
    }
  }

  static class OwnCaches {
    @Bean
    CacheManager own() {
      return new ConcurrentMapCacheManager();
    }
  }

  /// Guards against counts that stay at 0, also of caches that were not named before.
  @Test
  void metersCountWhatEveryCacheIsAsked() {
    try (var context = ShopMain.start("--varve.caches.prices.mode=heap")) {
      ShopMain.ask(context.getBean(Shop.Shelf.class));
      ShopMain.ask(context.getBean(Shop.Shelf.class));
      MeterRegistry registry = context.getBean(MeterRegistry.class);
      for (String name : List.of("prices", "books")) {
        assertThat(
                registry
                    .get("cache.gets")
                    .tags("result", "hit", "name", name, "cache.manager", "cacheManager")
                    .functionCounter()
                    .count())
            .as(name)
            .isPositive();
      }
    }
  }

  /// Spring Boot binds the caches that are open at its start, which the starter did as well.
  @Test
  void metersAreRegisteredOneTime() {
    var printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      ShopMain.start(
              "--varve.caches.prices.mode=heap",
              "--logging.level.io.micrometer.core.instrument.MeterRegistry=debug")
          .close();
    } finally {
      System.setOut(before);
    }
    assertThat(printed.toString(UTF_8)).contains("Started").doesNotContain("already registered");
  }

  @Test
  void aNamedStoreIsABeanWithMetersAndAControlSocket() throws Exception {
    try (var context = ShopMain.start("--varve.store.directory=" + directory.resolve("store"))) {
      Store store = context.getBean(Store.class);
      store.space("a").put(new byte[] {1}, new byte[] {2});
      assertThat(context.getBean(VarveStoreMetrics.class)).isNotNull();
      var client = new ControlClient(directory.resolve("store"));
      assertThat(client.spaces()).extracting(SpaceFigures::name).containsExactly("a");
      store.verify();
    }
  }

  /// By the file of a key, and by a bean.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingOfAnApplicationIsInClear(boolean isKeyInAFile) throws Exception {
    Path keyFile = Files.writeString(directory.resolve("key"), "5a".repeat(32));
    Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
    byte[] secret = "what-the-patient-has".getBytes(US_ASCII);
    String store = "--varve.store.directory=" + directory.resolve("store");
    try (var context =
        isKeyInAFile
            ? ShopMain.start(caches(), store, "--varve.key-file=" + keyFile)
            : ShopMain.start(List.of(Shop.class, KeyBean.class), caches(), store)) {
      context.getBean(Store.class).space("a").put(new byte[] {1}, secret);
      context
          .getBean(CacheManager.class)
          .getCache("patients")
          .put("1", new String(secret, US_ASCII));
    }
    int files = 0;
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), ISO_8859_1))
            .as(file.toString())
            .doesNotContain("what-the-patient-has");
        files += file.endsWith("keys") ? 1 : 0;
      }
    }
    assertThat(files).as("encrypted stores").isEqualTo(2);
  }

  /// A key as from a vault.
  static class KeyBean {
    @Bean
    KeySource key() {
      return KeySource.of(new byte[KeySource.KEY_BYTES]);
    }
  }

  @Test
  void propertyLeavesOutTheControlSocket() {
    Path store = directory.resolve("store");
    try (var context =
        ShopMain.start("--varve.store.directory=" + store, "--varve.store.control=false")) {
      context.getBean(Store.class).verify();
      assertThat(new ControlClient(store).isPresent()).isFalse();
    }
  }
}
