package io.varve.cli.transfer;

import io.varve.Space;
import io.varve.Store;
import io.varve.cli.console.CommandException;
import io.varve.cli.documents.Documents;

/// Names of spaces as a user types them or an input holds them.
public final class SpaceNames {
  private SpaceNames() {}

  /// The space of that name, made if there is none, with its indexes.
  ///
  /// @throws CommandException if no space can have that name
  public static Space make(Store store, String name) {
    try {
      Space space = store.space(name);
      Documents.keepIndexes(store, name);
      return space;
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(String.valueOf(e.getMessage()), e);
    }
  }
}
