package io.varve.control;

/// A space, as of one point in time.
///
/// @param name of the space
/// @param entries in it
/// @param bytes that keys and values take, about
/// @since 1.0
public record SpaceFigures(String name, long entries, long bytes) {}
