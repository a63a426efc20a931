package io.varve.internal.store;

import io.varve.Store;
import io.varve.internal.txn.ArchiveRecords;
import io.varve.internal.txn.Committer;
import io.varve.internal.txn.Spaces;
import io.varve.internal.txn.Throttle;
import io.varve.internal.txn.ValueWriter;
import io.varve.internal.txn.ValuesUnderWay;
import org.jspecify.annotations.Nullable;

/// What commits to a store: made of its [StoreParts] when those have their content.
///
/// @param committer applies commits and writes them to the log
/// @param notes what goes to the log in addition to commits, or null if the log is not archived
/// @param values writes values before the commits that put them
/// @param spaces of the store, as users find and make them
record StoreWriters(
    Committer committer, @Nullable ArchiveRecords notes, ValueWriter values, Spaces spaces) {
  /// @param store what users are shown as the store of a space
  /// @param throttle admits commits
  static StoreWriters of(Store store, StoreParts parts, Throttle throttle) {
    var committer = new Committer(parts.commits, parts.options.durability(), throttle, parts.clock);
    ValuesUnderWay underWay = parts.valuesUnderWay;
    ArchiveRecords notes = underWay == null ? null : new ArchiveRecords(committer, underWay);
    var values = new ValueWriter(committer, notes);
    return new StoreWriters(
        committer, notes, values, new Spaces(store, parts.spaces, committer, values));
  }
}
