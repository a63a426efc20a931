/// Moves entries between a store and files: readers of CSV, JSON Lines, directories and zips,
/// writers of CSV and JSON Lines, and the loader that commits in batches from several threads.
/// Parsing is left to libraries. Knows nothing of the command line but its errors. Start at
/// [io.varve.cli.transfer.RecordSource].
@NullMarked
package io.varve.cli.transfer;

import org.jspecify.annotations.NullMarked;
