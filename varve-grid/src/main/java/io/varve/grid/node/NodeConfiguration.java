package io.varve.grid.node;

import io.varve.grid.guard.connection.Limits;
import io.varve.grid.status.NodeStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What a node runs with.
///
/// @param directory of all its files
/// @param layers of Infinispan's configuration; a later one adds to those before it
/// @param properties that the layers name
/// @param limits of what clients may do
/// @param status where the node reports how far it is
public record NodeConfiguration(
    Path directory,
    List<ConfigurationLayer> layers,
    Map<String, String> properties,
    Limits limits,
    NodeStatus status) {
  /// Keeps what was given as it is now.
  public NodeConfiguration {
    layers = List.copyOf(layers);
    properties = Map.copyOf(properties);
  }
}
