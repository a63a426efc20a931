package io.varve.cli.demo;

/// What was checked, in a sentence, and whether it is true.
record Check(boolean holds, String sentence) {
  @Override
  public String toString() {
    return (holds ? "ok      " : "FAILED  ") + sentence;
  }
}
