package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import javax.cache.annotation.CacheDefaults;
import javax.cache.annotation.CacheKey;
import javax.cache.annotation.CachePut;
import javax.cache.annotation.CacheRemove;
import javax.cache.annotation.CacheRemoveAll;
import javax.cache.annotation.CacheResult;
import javax.cache.annotation.CacheValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.jcache.JCacheCacheManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The annotations of JCache, as Spring interprets them, over our provider.
class SpringAnnotationsTest {
  private static StorageMode mode = StorageMode.HEAP;

  @CacheDefaults(cacheName = "books")
  public static class Books {
    private int calls;

    public int calls() {
      return calls;
    }

    @CacheResult
    public String title(String isbn) {
      calls++;
      return "title of " + isbn;
    }

    @CachePut
    public void rename(@CacheKey String isbn, @CacheValue String title) {}

    @CacheResult
    public String page(String isbn, int number) {
      calls++;
      return isbn + " page " + number;
    }

    @CachePut(noCacheFor = IllegalStateException.class)
    public void fail(@CacheKey String isbn, @CacheValue String title) {
      throw new IllegalStateException("not renamed");
    }

    @CacheRemove
    public void forget(String isbn) {}

    @CacheRemoveAll
    public void forgetAll() {}
  }

  @Configuration
  @EnableCaching
  public static class Beans {
    @Bean(destroyMethod = "close")
    public VarveCachingProvider provider() {
      return new VarveCachingProvider();
    }

    @Bean
    public javax.cache.CacheManager manager(VarveCachingProvider provider) {
      return provider.getCacheManager();
    }

    @Bean
    public CacheManager cacheManager(javax.cache.CacheManager manager) {
      manager.createCache("books", new CacheOptions<>().mode(mode));
      return new JCacheCacheManager(manager);
    }

    @Bean
    public Books books() {
      return new Books();
    }
  }

  @ParameterizedTest
  @EnumSource
  void annotatedMethodsUseTheCache(StorageMode chosen) {
    mode = chosen;
    try (var context = new AnnotationConfigApplicationContext(Beans.class)) {
      Books books = context.getBean(Books.class);
      assertThat(books.title("1")).isEqualTo(books.title("1")).isEqualTo("title of 1");
      books.rename("1", "another");
      assertThat(books.title("1")).isEqualTo("another");
      assertThatThrownBy(() -> books.fail("1", "none")).isInstanceOf(IllegalStateException.class);
      assertThat(books.title("1")).isEqualTo("another");
      books.forget("1");
      assertThat(books.title("1")).isEqualTo("title of 1");
      assertThat(books.page("1", 7)).isEqualTo(books.page("1", 7)).isEqualTo("1 page 7");
      assertThat(books.calls()).isEqualTo(3);
      books.rename("2", "third");
      books.forgetAll();
      assertThat(books.title("2")).isEqualTo("title of 2");
    }
  }
}
