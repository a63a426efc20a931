package io.varve.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.varve.item.ItemSpace;
import io.varve.item.ItemStatistics;
import java.lang.ref.WeakReference;

/// The figures of an item space. Meters refer to it weakly; once it is dropped or its store is
/// closed they are `NaN`.
///
/// - **Threads:** safe for any number of threads.
///
/// @since 1.0
public final class VarveItemSpaceMetrics implements MeterBinder {
  private final WeakReference<ItemSpace> items;
  private final Tags tags;
  private final Bindings bound = new Bindings();

  /// Makes the meters of an item space.
  ///
  /// @param storeName value of the tag `store`
  public VarveItemSpaceMetrics(ItemSpace items, String storeName) {
    this(items, storeName, Tags.empty());
  }

  /// Makes the meters of an item space, with tags in addition to `store` and `space`.
  public VarveItemSpaceMetrics(ItemSpace items, String storeName, Iterable<Tag> tags) {
    this.items = new WeakReference<>(items);
    this.tags = Tags.of(tags).and("store", storeName, "space", items.name());
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    ItemSpace present = items.get();
    if (present != null) {
      Meters<ItemSpace, ItemStatistics> meters =
          new Meters<>(registry, present, tags, ItemSpace::statistics);
      meters.gauge(
          "varve.items.merged",
          "Items that were committed, without those in layers",
          now -> now.merged().entries());
      meters.bytesGauge(
          "varve.items.size", "About what they take on disk", now -> now.merged().bytes());
      meters.gauge(
          "varve.items.layers", "Large changes that are yet to be merged", ItemStatistics::layers);
      meters.gauge(
          "varve.items.uncommitted",
          "Changes in memory that wait for a commit or rollback",
          ItemStatistics::uncommittedChanges);
      meters.bytesGauge(
          "varve.items.uncommitted.memory",
          "About what they take on the heap",
          ItemStatistics::uncommittedBytes);
      bound.add(registry, meters);
    }
  }

  /// Removes from a registry what [#bindTo] has registered there. A space that is made later may
  /// have meters of the same names and tags then. Without effect where nothing was bound, and on
  /// meters of another item space that were there first.
  ///
  /// @since 1.0
  public void unbindFrom(MeterRegistry registry) {
    bound.removeFrom(registry);
  }
}
