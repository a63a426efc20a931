package io.varve;

import io.varve.spi.RetentionPolicy;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Which pages stay in memory when the cache cannot hold all ([StoreOptions#cacheBytes(long)]): one
/// of Varve's own policies, or a program's ([#of]). Immutable; two are equal if they are the same
/// object.
///
/// It is about the leaves of trees, which hold the entries. Inner pages, which lead to them, stay
/// longest under each. Pages that no checkpoint has written stay until one has. No answer depends
/// on the choice, readers take no lock under any of Varve's own, and it may change from open to
/// open.
///
/// @since 1.0
public final class PageRetention {
  /// `none`: a leaf is read for each use, and leaves memory with it. For the least memory.
  public static final PageRetention NONE = new PageRetention("none", null);

  /// `hashed`: a table with as many slots as the budget has pages. The location of a page on disk
  /// selects its slot; a newcomer displaces the leaf it finds there. Costs least, and forgets what
  /// is used often as easily as what is not.
  public static final PageRetention HASHED = new PageRetention("hashed", null);

  /// `lru`: the page that was used least recently leaves first. For loads that come back to what
  /// they used last; a scan of more than the budget displaces everything.
  public static final PageRetention LRU = new PageRetention("lru", null);

  /// `s3_fifo`: a newcomer soon leaves unless it is used again, and stays long if it is: a scan
  /// displaces little (S3-FIFO: Yang et al., SOSP 2023). The default.
  public static final PageRetention S3_FIFO = new PageRetention("s3_fifo", null);

  private static final List<PageRetention> BUILT_IN = List.of(NONE, HASHED, LRU, S3_FIFO);

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,30}");

  private final String name;
  private final @Nullable Supplier<? extends RetentionPolicy> policies;

  private PageRetention(String name, @Nullable Supplier<? extends RetentionPolicy> policies) {
    this.name = name;
    this.policies = policies;
  }

  /// Varve's own, each of which [#named] finds.
  ///
  /// @since 1.0
  public static List<PageRetention> builtIn() {
    return BUILT_IN;
  }

  /// The one of Varve's own with that [#name()].
  ///
  /// @throws IllegalArgumentException if there is none; the message has those that there are
  /// @since 1.0
  public static PageRetention named(String name) {
    Objects.requireNonNull(name, "name");
    return ownNamed(name)
        .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is none of " + ownNames()));
  }

  /// A program's own policy.
  ///
  /// @param name what it is called in messages: 1 to 30 letters, digits, `-` and `_` of ASCII, and
  ///   none of the names of [#builtIn()]
  /// @param policies makes a policy, for each store that is opened with it; what it throws, the
  ///   open throws
  /// @throws IllegalArgumentException if the name is not one of these
  /// @since 1.0
  public static PageRetention of(String name, Supplier<? extends RetentionPolicy> policies) {
    Objects.requireNonNull(policies, "policies");
    if (!NAME.matcher(name).matches() || ownNamed(name).isPresent()) {
      throw new IllegalArgumentException(
          "no name for a retention policy: name='"
              + name
              + "'; use 1 to 30 letters, digits, - and _ of ASCII, but none of "
              + ownNames());
    }
    return new PageRetention(name, policies);
  }

  private static Optional<PageRetention> ownNamed(String name) {
    return BUILT_IN.stream().filter(own -> own.name.equals(name)).findFirst();
  }

  private static String ownNames() {
    return BUILT_IN.stream().map(PageRetention::name).collect(Collectors.joining(", "));
  }

  /// What it is called.
  ///
  /// @since 1.0
  public String name() {
    return name;
  }

  /// Makes a policy for one store.
  ///
  /// @return empty if this is one of Varve's own, which are no [RetentionPolicy]
  /// @throws IllegalStateException if the supplier made none
  /// @since 1.0
  public Optional<RetentionPolicy> newPolicy() {
    if (policies == null) {
      return Optional.empty();
    }
    RetentionPolicy policy = policies.get();
    if (policy == null) {
      throw new IllegalStateException(
          "the supplier of a retention policy returned null: name="
              + name
              + "; return a new policy for each open");
    }
    return Optional.of(policy);
  }

  /// The [#name()].
  @Override
  public String toString() {
    return name;
  }
}
