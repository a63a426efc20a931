package io.varve.internal.tree;

/// A live tree was used after its end: its space was dropped.
public final class EndedTreeException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  EndedTreeException(String why) {
    super(why);
  }
}
