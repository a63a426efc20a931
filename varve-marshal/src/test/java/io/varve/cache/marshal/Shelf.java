package io.varve.cache.marshal;

import org.infinispan.protostream.annotations.ProtoField;

/// Has a part of another class.
public final class Shelf {
  @ProtoField(number = 1)
  public Counted counted;
}
