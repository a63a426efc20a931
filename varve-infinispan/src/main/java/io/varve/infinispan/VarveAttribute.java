package io.varve.infinispan;

/// Attributes of a configuration, under the names that they have in files.
enum VarveAttribute {
  LOCATION("location"),
  DURABILITY("durability"),
  CACHE_BYTES("cache-bytes"),
  OFF_HEAP_BYTES("off-heap-bytes"),
  COMPRESSION("compression");

  private final String name;

  VarveAttribute(String name) {
    this.name = name;
  }

  @Override
  public String toString() {
    return name;
  }
}
