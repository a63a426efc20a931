package io.varve.internal.wal.format;

/// The random identity of a store. Every log frame is salted with it, so that the log of one store
/// never checks as the log of another.
public record StoreId(long high, long low) {}
