package io.varve.query.internal.access;

import io.varve.query.internal.expr.Expression;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One of the conditions that must all be true of a row, and what an index can do for it.
///
/// Conjuncts are compared by identity.
final class Conjunct {
  /// What a condition is about.
  enum About {
    /// The value of an attribute.
    VALUE,
    /// One of the elements of an attribute.
    ELEMENT,
    /// The value of an attribute without its case.
    FOLDED,
    /// The key of the row.
    KEY,
    /// Something that no index orders.
    OTHER
  }

  private final Expression expression;
  private final About about;
  private final String path;
  private final @Nullable Wanted wanted;
  private final List<List<Conjunct>> branches;

  private Conjunct(
      Expression expression,
      About about,
      String path,
      @Nullable Wanted wanted,
      List<List<Conjunct>> branches) {
    this.expression = expression;
    this.about = about;
    this.path = path;
    this.wanted = wanted;
    this.branches = branches;
  }

  static Conjunct of(Expression expression, About about, String path, Wanted wanted) {
    return new Conjunct(expression, about, path, wanted, List.of());
  }

  /// One of several conditions, each of which is conjuncts again.
  static Conjunct anyOf(Expression expression, List<List<Conjunct>> branches) {
    return new Conjunct(expression, About.OTHER, "", null, branches);
  }

  static Conjunct other(Expression expression) {
    return new Conjunct(expression, About.OTHER, "", null, List.of());
  }

  Expression expression() {
    return expression;
  }

  About about() {
    return about;
  }

  boolean isAbout(About what, String attribute) {
    return about == what && path.equals(attribute);
  }

  String path() {
    return path;
  }

  /// The values that are wanted of what this is about.
  Wanted wanted() {
    if (wanted == null) {
      throw new IllegalStateException("no index orders what this is about");
    }
    return wanted;
  }

  List<List<Conjunct>> branches() {
    return branches;
  }
}
