package io.varve.grid.items;

import org.infinispan.commons.configuration.BuiltBy;

/// The items of a node, where its endpoints find them.
///
/// @param store of this node
@BuiltBy(ItemStoreConfigurationBuilder.class)
public record ItemStoreConfiguration(ItemStore store) {}
