package io.varve.infinispan;

import java.util.List;
import org.infinispan.commons.configuration.BuiltBy;

/// The listeners of the stores of a cache manager, where stores find them.
///
/// @param listeners in the order in which they are called
@BuiltBy(StoreListenerConfigurationBuilder.class)
public record StoreListenerConfiguration(List<StoreListener> listeners) {}
