package io.varve.cache.marshal;

import java.util.concurrent.atomic.AtomicInteger;
import org.infinispan.protostream.annotations.ProtoField;

/// Counts how many of its kind were made.
public final class Counted {
  static final AtomicInteger MADE = new AtomicInteger();

  @ProtoField(number = 1)
  public String name;

  public Counted() {
    MADE.incrementAndGet();
  }
}
