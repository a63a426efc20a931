package io.varve.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.varve.Space;
import io.varve.SpaceStatistics;
import java.lang.ref.WeakReference;

/// The figures of a space. Meters refer to it weakly; once it is dropped or its store is closed
/// they are `NaN`.
///
/// - **Threads:** safe for any number of threads.
///
/// @since 1.0
public final class VarveSpaceMetrics implements MeterBinder {
  private final WeakReference<Space> space;
  private final Tags tags;
  private final Bindings bound = new Bindings();

  /// Makes the meters of a space.
  ///
  /// @param storeName value of the tag `store`
  public VarveSpaceMetrics(Space space, String storeName) {
    this(space, storeName, Tags.empty());
  }

  /// Makes the meters of a space, with tags in addition to `store` and `space`.
  public VarveSpaceMetrics(Space space, String storeName, Iterable<Tag> tags) {
    this.space = new WeakReference<>(space);
    this.tags = Tags.of(tags).and("store", storeName, "space", space.name());
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Space present = space.get();
    if (present != null) {
      Meters<Space, SpaceStatistics> meters =
          new Meters<>(registry, present, tags, Space::statistics);
      meters.gauge("varve.space.entries", "Keys in the space", SpaceStatistics::entries);
      meters.bytesGauge(
          "varve.space.size",
          "About what keys and values take on disk, without large values",
          SpaceStatistics::bytes);
      meters.gauge(
          "varve.space.depth", "Levels of the tree, leaves included", SpaceStatistics::depth);
      bound.add(registry, meters);
    }
  }

  /// Removes from a registry what [#bindTo] has registered there. A space that is made later may
  /// have meters of the same names and tags then. Without effect where nothing was bound, and on
  /// meters of another space that were there first.
  ///
  /// @since 1.0
  public void unbindFrom(MeterRegistry registry) {
    bound.removeFrom(registry);
  }
}
