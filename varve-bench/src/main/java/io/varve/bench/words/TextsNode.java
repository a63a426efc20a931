package io.varve.bench.words;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/// The process of a node that is not the first: joins, prints so, and stays until its input ends.
final class TextsNode {
  /// What it prints when it has joined.
  static final String READY = "ready";

  private TextsNode() {}

  public static void main(String[] arguments) throws IOException {
    int number = Integer.parseInt(arguments[1]);
    boolean stored = Boolean.parseBoolean(arguments[2]);
    try (TextsCluster _ = TextsCluster.join(Path.of(arguments[0]), number, stored)) {
      System.out.println(READY);
      System.in.transferTo(OutputStream.nullOutputStream());
    }
  }
}
