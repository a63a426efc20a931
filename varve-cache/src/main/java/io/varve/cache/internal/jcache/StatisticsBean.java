package io.varve.cache.internal.jcache;

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
    return counters.hits.shown();
  }

  @Override
  public float getCacheHitPercentage() {
    return percentage(getCacheHits());
  }

  @Override
  public long getCacheMisses() {
    return counters.misses.shown();
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
    return counters.puts.shown();
  }

  @Override
  public long getCacheRemovals() {
    return counters.removals.shown();
  }

  @Override
  public long getCacheEvictions() {
    return counters.evictions.shown();
  }

  @Override
  public float getAverageGetTime() {
    return micros(counters.gets.nanos(), getCacheGets());
  }

  @Override
  public float getAveragePutTime() {
    return micros(counters.sets.nanos(), getCachePuts());
  }

  @Override
  public float getAverageRemoveTime() {
    return micros(counters.removes.nanos(), getCacheRemovals());
  }

  private static float micros(Counter nanos, long count) {
    return count == 0 ? 0 : nanos.shown() / 1000f / count;
  }
}
