package io.varve.cache.internal.jcache;

import java.util.concurrent.atomic.LongAdder;
import javax.cache.management.CacheStatisticsMXBean;

/// The statistics of a cache, for JMX.
final class StatisticsBean implements CacheStatisticsMXBean {
  private final Counters counters;

  StatisticsBean(Counters counters) {
    this.counters = counters;
  }

  @Override
  public void clear() {
    counters.clear();
  }

  @Override
  public long getCacheHits() {
    return counters.hits.sum();
  }

  @Override
  public float getCacheHitPercentage() {
    return percentage(getCacheHits());
  }

  @Override
  public long getCacheMisses() {
    return counters.misses.sum();
  }

  @Override
  public float getCacheMissPercentage() {
    return percentage(getCacheMisses());
  }

  private float percentage(long part) {
    long all = getCacheGets();
    return all == 0 ? 0 : 100f * part / all;
  }

  @Override
  public long getCacheGets() {
    return getCacheHits() + getCacheMisses();
  }

  @Override
  public long getCachePuts() {
    return counters.puts.sum();
  }

  @Override
  public long getCacheRemovals() {
    return counters.removals.sum();
  }

  @Override
  public long getCacheEvictions() {
    return counters.evictions.sum();
  }

  @Override
  public float getAverageGetTime() {
    return micros(counters.getNanos, getCacheGets());
  }

  @Override
  public float getAveragePutTime() {
    return micros(counters.putNanos, getCachePuts());
  }

  @Override
  public float getAverageRemoveTime() {
    return micros(counters.removalNanos, getCacheRemovals());
  }

  private static float micros(LongAdder nanos, long count) {
    return count == 0 ? 0 : nanos.sum() / 1000f / count;
  }
}
