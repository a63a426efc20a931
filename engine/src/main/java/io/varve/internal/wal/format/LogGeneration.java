package io.varve.internal.wal.format;

import io.varve.internal.crypto.Session;
import org.jspecify.annotations.Nullable;

/// What a store's log writes from an open to the next.
///
/// @param number grows by each open
/// @param firstLsn where it starts
/// @param previous where the generation before it ended
/// @param session what its commits are encrypted in; null if they are not encrypted
public record LogGeneration(
    StoreId id, int number, long firstLsn, LogPosition previous, @Nullable Session session) {}
