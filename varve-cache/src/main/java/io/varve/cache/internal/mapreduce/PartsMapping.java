package io.varve.cache.internal.mapreduce;

import io.varve.cache.mapreduce.MapFigures;
import io.varve.cache.mapreduce.Pages;
import io.varve.cache.mapreduce.Parts;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/// The mapping of elements that are in several processes, by those.
///
/// @param <K> the keys
/// @param <V> the values
public final class PartsMapping<K, V> implements Mapping<K, V> {
  private final Plan<?, K, V, ?> plan;
  private final Parts parts;
  private List<Pages> mapped = List.of();

  public PartsMapping(Plan<?, K, V, ?> plan, Parts parts) {
    this.plan = plan;
    this.parts = parts;
  }

  @Override
  public void map() throws InterruptedException {
    mapped = parts.map();
  }

  @Override
  public <R> Iterator<Map.Entry<K, R>> results(Plan<?, K, V, R> reducing) {
    List<SortedRun<K, V>> runs = new ArrayList<>();
    for (Pages pages : mapped) {
      runs.add(new RecordRun<>(new PageRecords(pages), plan.keys(), plan.values()));
    }
    return new RunResults<>(reducing, new MergedRun<>(plan, runs));
  }

  @Override
  public MapFigures figures() {
    return parts.figures();
  }

  @Override
  public void close() {
    mapped = List.of();
    parts.close();
  }
}
