package io.varve.grid.guard;

import org.infinispan.commons.configuration.BuiltBy;

/// The door of a node, where its components find it.
///
/// @param door that the connections of all ports pass
@BuiltBy(DoorConfigurationBuilder.class)
public record DoorConfiguration(Door door) {}
