package io.varve.internal.item;

import io.varve.Space;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Function;

/// Makes and drops the spaces of layers, under names that the store refuses to its users
/// ([LayerNames#isLayer]).
///
/// @param making gives the space of a name, made if there is none
/// @param dropping drops the space of a name, if there is one
/// @param namesFrom the names of all spaces from one on, in order; a view, since each space that a
///   user makes looks for layers of its name
/// @param requiringOpen throws if the store is closed; allocates nothing, as each step of a cursor
///   asks it
public record LayerSpaces(
    Function<String, Space> making,
    Consumer<String> dropping,
    Function<String, SortedSet<String>> namesFrom,
    Runnable requiringOpen) {}
