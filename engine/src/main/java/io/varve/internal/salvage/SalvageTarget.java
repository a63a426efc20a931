package io.varve.internal.salvage;

import io.varve.Space;
import io.varve.Store;
import io.varve.internal.file.SpaceDefinition;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/// The store that a salvage fills. Its spaces get the names that they had, also those that users
/// cannot choose.
///
/// @param making gives the space of a name, made if there is none
/// @param defining sets what is known of a space
/// @param dropping drops the space of a name, if there is one
public record SalvageTarget(
    Store store,
    Function<String, Space> making,
    BiConsumer<Space, SpaceDefinition> defining,
    Consumer<String> dropping) {}
