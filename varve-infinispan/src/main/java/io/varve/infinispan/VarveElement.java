package io.varve.infinispan;

/// Elements of a configuration, under the name that they have in files.
enum VarveElement {
  VARVE_STORE("varve-store");

  private final String name;

  VarveElement(String name) {
    this.name = name;
  }

  @Override
  public String toString() {
    return name;
  }
}
