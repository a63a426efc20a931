package io.varve.cli;

import io.varve.CommitGrouping;
import io.varve.CommitWait;
import io.varve.LogIo;
import io.varve.LogOptions;
import io.varve.PageCacheOptions;
import io.varve.PageRetention;
import io.varve.StoreOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// How a store writes its log and keeps its pages, for a user that wants another way than the
/// default one. None changes what is in the store or what a commit promises.
final class ModeOptions {
  @Option(
      names = "--log-io",
      paramLabel = "MODE",
      scope = ScopeType.INHERIT,
      order = 110,
      description = "How the log is written: buffered, mapped, direct. Default: direct.")
  @Nullable LogIo logIo;

  @Option(
      names = "--commit-grouping",
      paramLabel = "MODE",
      scope = ScopeType.INHERIT,
      order = 111,
      converter = CommitGroupingConverter.class,
      description =
          "How commits share forces: adaptive, each, cooperative:LIMIT:MILLIS, flusher:N. "
              + "Default: adaptive.")
  @Nullable CommitGrouping commitGrouping;

  @Option(
      names = "--commit-wait",
      paramLabel = "MODE",
      scope = ScopeType.INHERIT,
      order = 112,
      description = "How a commit waits: park, yield, spin, adaptive. Default: adaptive.")
  @Nullable CommitWait commitWait;

  @Option(
      names = "--retention",
      paramLabel = "POLICY",
      scope = ScopeType.INHERIT,
      order = 113,
      converter = PageRetentionConverter.class,
      description = "Which pages stay in memory: none, hashed, lru, s3_fifo. Default: s3_fifo.")
  @Nullable PageRetention retention;

  @Option(
      names = "--cache-share",
      paramLabel = "SHARE",
      scope = ScopeType.INHERIT,
      order = 114,
      description =
          "The most of the store that is in memory: above 0, up to 1, within --cache. Default: 1.")
  @Nullable Double cacheShare;

  @Option(
      names = "--cache-off-heap",
      paramLabel = "SIZE",
      scope = ScopeType.INHERIT,
      order = 115,
      converter = ByteSizeConverter.class,
      description =
          "Memory outside of the heap for pages that leave --cache, as 4g. Default: none.")
  @Nullable Long offHeapBytes;

  /// The options given with those that were named here.
  ///
  /// @throws IllegalArgumentException if one is out of range
  StoreOptions applyTo(StoreOptions options) {
    return options.log(this::applyTo).cache(this::applyTo);
  }

  private LogOptions applyTo(LogOptions options) {
    LogOptions chosen = options;
    if (logIo != null) {
      chosen = chosen.io(logIo);
    }
    if (commitGrouping != null) {
      chosen = chosen.commitGrouping(commitGrouping);
    }
    return commitWait == null ? chosen : chosen.commitWait(commitWait);
  }

  private PageCacheOptions applyTo(PageCacheOptions options) {
    PageCacheOptions chosen = options;
    if (retention != null) {
      chosen = chosen.retention(retention);
    }
    if (offHeapBytes != null) {
      chosen = chosen.offHeapBytes(offHeapBytes);
    }
    return cacheShare == null ? chosen : chosen.share(cacheShare);
  }
}
