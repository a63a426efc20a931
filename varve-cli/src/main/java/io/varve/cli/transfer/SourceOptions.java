package io.varve.cli.transfer;

import io.varve.cli.console.CommandException;
import org.jspecify.annotations.Nullable;

/// What the command line states about the input.
///
/// @param space the space to load into, or null if the input names it
/// @param key the field of the key, or null for what 'dump' writes, or the first column
/// @param value the field of the value, or null for what 'dump' writes, or the whole row
/// @param hasHeader whether the first line of a CSV names its columns
/// @param typed whether the fields of a CSV that look like numbers, true and false are that in
///   whole rows, and empty ones null
/// @param table the table of an SQL dump to load, or null for all
public record SourceOptions(
    @Nullable String space,
    @Nullable String key,
    @Nullable String value,
    boolean hasHeader,
    boolean typed,
    @Nullable String table) {
  /// The space, where the input does not name one.
  String requireSpace() {
    if (space == null) {
      throw CommandException.usage("--space is missing: the input names none");
    }
    return space;
  }
}
