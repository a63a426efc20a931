package io.varve.infinispan;

import io.varve.KeySource;
import org.infinispan.commons.configuration.BuiltBy;

/// The key of the stores of a cache manager, where stores find it.
///
/// @param key by which each of them is encrypted
@BuiltBy(StoreKeyConfigurationBuilder.class)
public record StoreKeyConfiguration(KeySource key) {}
