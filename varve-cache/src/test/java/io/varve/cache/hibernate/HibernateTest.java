package io.varve.cache.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import javax.cache.Caching;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The second-level cache of Hibernate over our provider, which it finds on the class path: its
/// regions survive the death of the process, and contain nothing that the database does not.
@Tag("slow")
@Timeout(240)
class HibernateTest {
  @TempDir Path directory;

  /// The provider of the class loader, which Hibernate uses.
  @AfterEach
  void closeProvider() {
    Caching.getCachingProvider().close();
  }

  private void runUntilDead(boolean betweenCommitAndCache) throws Exception {
    Process library =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Library.class.getName(),
                directory.toString(),
                Boolean.toString(betweenCommitAndCache))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(library.waitFor()).as("exit").isZero();
  }

  @Test
  void regionsSurviveTheDeathOfTheProcess() throws Exception {
    runUntilDead(false);
    try (SessionFactory factory = Library.open(directory, Library.VERSION)) {
      assertThat(Library.read(factory)).isEqualTo("Layers[layer]AnnLayersLayers");
      Statistics statistics = factory.getStatistics();
      assertThat(statistics.getPrepareStatementCount()).as("statements").isZero();
      assertThat(statistics.getSecondLevelCacheHitCount()).isEqualTo(3); // book, words, author
      assertThat(statistics.getQueryCacheHitCount()).isEqualTo(1);
    }
  }

  /// The process dies once the database has a change and the cache has not heard of it.
  @Test
  void aChangeThatTheCacheDidNotHearIsReadFromTheDatabase() throws Exception {
    runUntilDead(false);
    runUntilDead(true);
    try (SessionFactory factory = Library.open(directory, Library.VERSION)) {
      assertThat(Library.read(factory)).isEqualTo("Varves[layer]AnnVarvesVarves");
      assertThat(factory.getStatistics().getPrepareStatementCount()).as("statements").isPositive();
      factory.inTransaction(session -> session.find(Book.class, 1L).title = "Rhythmites");
      assertThat(Library.read(factory)).isEqualTo("Rhythmites[layer]AnnRhythmitesRhythmites");
    }
  }

  /// Regions hold rows by the positions of properties, so those of another version are not found.
  @Test
  void anotherVersionBeginsWithEmptyRegions() throws Exception {
    runUntilDead(false);
    try (SessionFactory factory = Library.open(directory, "1.1")) {
      assertThat(Library.read(factory)).isEqualTo("Layers[layer]AnnLayersLayers");
      Statistics statistics = factory.getStatistics();
      assertThat(statistics.getPrepareStatementCount()).as("statements").isPositive();
      assertThat(statistics.getSecondLevelCachePutCount()).isPositive();
    }
  }
}
