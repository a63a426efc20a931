package io.varve.grid;

import io.varve.grid.node.Node;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// What classes extend whose tests share one node. Each class has a node and a directory of its
/// own; its commits wait for no disk.
abstract class SharedNode {
  @TempDir static Path data;

  static Node node;

  @BeforeAll
  static void start() {
    node = Serving.node(data, "--durability", "BACKGROUND");
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }
}
