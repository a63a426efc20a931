package io.varve.bench.engine;

import io.varve.CommitGrouping;
import io.varve.CommitWait;
import io.varve.KeySource;
import io.varve.LogIo;
import io.varve.PageRetention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;

/// The ways in which Varve is measured.
final class VarveVariants {
  /// What is measured does not depend on which key it is.
  private static final KeySource KEY = KeySource.of(new byte[KeySource.KEY_BYTES]);

  /// Guesses of how many threads commit, by name, as the numerator over two.
  private static final Map<String, Integer> GUESSES =
      new TreeMap<>(Map.of("half", 1, "all", 2, "twice", 4));

  static final EngineType DEFAULT = new VarveEngine.Type(VarveLabels.VARVE, "", options -> options);
  static final EngineType ENCRYPTED =
      new VarveEngine.Type(
          VarveLabels.ENCRYPTED, "; AES-256-GCM", options -> options.encryption(KEY));
  static final EngineType BUFFERED = io(LogIo.BUFFERED);
  static final EngineType MAPPED = io(LogIo.MAPPED);
  static final List<EngineType> GROUPINGS = groupings();
  static final List<EngineType> POLICIES =
      List.of(of(PageRetention.NONE), of(PageRetention.HASHED), of(PageRetention.LRU));
  static final List<EngineType> PAGE_SIZES = List.of(pages(1), pages(2), pages(4), pages(32));
  static final List<EngineType> COMPRESSED =
      List.of(compressed("deflate"), compressed("lz4"), compressed("zstd"), compressed("zstd", 32));

  private VarveVariants() {}

  private static EngineType io(LogIo io) {
    String name = io.name().toLowerCase(Locale.ROOT);
    return new VarveEngine.Type(
        "varve-" + name, "; log " + io, options -> options.log(log -> log.io(io)));
  }

  private static EngineType of(PageRetention retention) {
    return new VarveEngine.Type(
        VarveLabels.VARVE + "-" + retention.name(),
        "; retention " + retention,
        options -> options.cache(cache -> cache.retention(retention)));
  }

  private static EngineType pages(int kibibytes) {
    return new VarveEngine.Type(
        VarveLabels.VARVE + "-" + kibibytes + "k",
        "; pages of " + kibibytes + " KiB",
        options -> options.pageBytes(kibibytes << 10));
  }

  private static EngineType compressed(String compression) {
    return new VarveEngine.Type(
        VarveLabels.VARVE + "-" + compression,
        "; compression " + compression,
        options -> options.compression(compression));
  }

  private static EngineType compressed(String compression, int pageKibibytes) {
    return new VarveEngine.Type(
        VarveLabels.VARVE + "-" + compression + "-" + pageKibibytes + "k",
        "; compression " + compression + "; pages of " + pageKibibytes + " KiB",
        options -> options.compression(compression).pageBytes(pageKibibytes << 10));
  }

  private static List<EngineType> groupings() {
    var types = new ArrayList<EngineType>();
    for (CommitWait wait : List.of(CommitWait.PARK, CommitWait.YIELD, CommitWait.SPIN)) {
      String label = "adaptive-" + wait.name().toLowerCase(Locale.ROOT);
      types.add(new Grouped(label, _ -> new CommitGrouping.Adaptive(), wait));
    }
    types.add(new Grouped("each", _ -> new CommitGrouping.Each(), CommitWait.ADAPTIVE));
    GUESSES.forEach((name, halves) -> {
      for (int millis : new int[] {1, 2, 4}) {
        Duration delay = Duration.ofMillis(millis);
        types.add(
            new Grouped(
                "cooperative-" + name + "-" + millis + "ms",
                threads -> new CommitGrouping.Cooperative(Math.max(1, threads * halves / 2), delay),
                CommitWait.ADAPTIVE));
      }
    });
    for (CommitWait wait : CommitWait.values()) {
      String label = "flusher-1-" + wait.name().toLowerCase(Locale.ROOT);
      types.add(new Grouped(label, _ -> new CommitGrouping.Flusher(1), wait));
    }
    types.add(new Grouped("flusher-4", _ -> new CommitGrouping.Flusher(4), CommitWait.ADAPTIVE));
    return List.copyOf(types);
  }

  /// Varve with one way to share forces, which may depend on how many threads commit.
  private record Grouped(String label, IntFunction<CommitGrouping> grouping, CommitWait waiting)
      implements EngineType {
    private static final int THREADS_UNKNOWN = 8;

    @Override
    public String version() {
      return DEFAULT.version();
    }

    @Override
    public boolean isVariant() {
      return true;
    }

    @Override
    public String describe(Promise promise) {
      return forThreads(THREADS_UNKNOWN).describe(promise);
    }

    @Override
    public Set<Feature> features() {
      return DEFAULT.features();
    }

    @Override
    public EngineType forThreads(int threads) {
      CommitGrouping chosen = grouping.apply(threads);
      return new VarveEngine.Type(
          label,
          "; " + chosen + ", waits " + waiting,
          options -> options.log(log -> log.commitGrouping(chosen).commitWait(waiting)));
    }

    @Override
    public Engine open(EngineSettings settings) {
      return forThreads(THREADS_UNKNOWN).open(settings);
    }
  }
}
