package io.varve.spring;

import io.varve.KeySource;
import io.varve.cache.CacheOptions;
import io.varve.cache.StorageMode;
import io.varve.cache.VarveCachingProvider;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import javax.cache.CacheManager;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.session.MapSession;
import org.springframework.session.Session;
import org.springframework.session.SessionRepository;
import org.springframework.session.config.annotation.web.http.EnableSpringHttpSession;

/// Keeps the sessions of an application with servlets in Varve, if Spring Session is on its class
/// path and `varve.session.directory` names their directory.
///
/// @since 1.0
@AutoConfiguration(
    beforeName = {
      "org.springframework.boot.session.autoconfigure.SessionAutoConfiguration",
      "org.springframework.boot.autoconfigure.session.SessionAutoConfiguration"
    })
@ConditionalOnClass(Session.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty("varve.session.directory")
@ConditionalOnMissingBean(SessionRepository.class)
@EnableConfigurationProperties(VarveProperties.class)
@EnableSpringHttpSession
public class VarveSessionAutoConfiguration {
  private static final Duration TIMEOUT = Duration.ofMinutes(30);

  /// Made by Spring.
  public VarveSessionAutoConfiguration() {}

  /// The manager of the sessions is no bean: the application may have one, for its caches.
  @Bean(destroyMethod = "close")
  VarveSessionRepository sessionRepository(
      VarveProperties properties,
      ObjectProvider<KeySource> keys,
      Environment environment,
      ResourceLoader loader) {
    String directory = Objects.requireNonNull(properties.session().directory());
    if (directory.isBlank()) {
      throw new IllegalStateException("varve.session.directory is empty; name a directory");
    }
    Properties given = new Properties();
    given.setProperty(VarveCachingProvider.DIRECTORY, directory);
    StoreKey.of(properties, keys).applyTo(given);
    CacheManager manager =
        new VarveCachingProvider().getCacheManager(null, loader.getClassLoader(), given);
    try {
      manager.createCache(VarveSessionRepository.CACHE, options(properties.session()));
      return new VarveSessionRepository(manager, timeout(environment));
    } catch (RuntimeException e) {
      manager.close();
      throw e;
    }
  }

  private static CacheOptions<String, MapSession> options(VarveProperties.OfSession session) {
    CacheOptions<String, MapSession> options = new CacheOptions<>();
    options
        .mode(StorageMode.TIERED)
        .durability(session.durability())
        .heapEntriesMax(session.heapEntries())
        .setTypes(String.class, MapSession.class);
    return options;
  }

  /// The properties that Spring Boot has for it: a number without a unit counts seconds.
  private static Duration timeout(Environment environment) {
    return Stream.of("spring.session.timeout", "server.servlet.session.timeout")
        .map(environment::getProperty)
        .filter(Objects::nonNull)
        .map(text -> DurationStyle.detectAndParse(text, ChronoUnit.SECONDS))
        .findFirst()
        .orElse(TIMEOUT);
  }
}
