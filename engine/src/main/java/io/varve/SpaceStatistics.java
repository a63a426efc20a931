package io.varve;

/// Figures of a space as of now. While others change it they are of no one point in the commit
/// order: for that count in a [Snapshot].
///
/// @param name of the space
/// @param entries keys in it
/// @param bytes about what its keys and values take on disk, from some of its pages; large values
///   are not counted
/// @param depth levels of its tree, leaves included
public record SpaceStatistics(String name, long entries, long bytes, int depth) {}
