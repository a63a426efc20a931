package io.varve.internal.item;

/// All levels of an item space at one time, newest first: what is changed now, what is being
/// applied to the levels below, and these. Immutable.
///
/// (S1) Changes leave `frozen` only when all of them are in a level below. So a reader that has
/// this state finds each of them, whatever state the levels below are in.
///
/// (S2) The levels below are changed only while `frozen` holds the changes, or by merging, which
/// moves what is the same to all readers. So while `frozen` and `layers` are those of the state
/// that a reader has, what it reads below is of that state.
///
/// @param open changes since the last commit, or since the last were moved to a layer
/// @param frozen changes that are being applied; empty if there are none
record ItemState(Overlay open, Overlay frozen, Layers layers) {
  /// Whether what a reader read from `earlier` fits together.
  @SuppressWarnings("ReferenceEquality") // by S2
  boolean isSameBelow(ItemState earlier) {
    return frozen == earlier.frozen && layers == earlier.layers;
  }

  /// Whether there is nothing above the main space.
  boolean isMainAlone() {
    return open.isEmpty() && frozen.isEmpty() && layers.newestFirst().isEmpty();
  }

  ItemState open(Overlay changes) {
    return new ItemState(changes, frozen, layers);
  }

  /// With the open changes frozen.
  ItemState freeze() {
    return new ItemState(Overlay.EMPTY, open, layers);
  }

  /// With the frozen changes in a level below.
  ItemState applied(Layers below) {
    return new ItemState(open, Overlay.EMPTY, below);
  }

  /// With the frozen changes among the open ones again.
  ItemState thaw() {
    return new ItemState(frozen.with(open), Overlay.EMPTY, layers.changed());
  }
}
