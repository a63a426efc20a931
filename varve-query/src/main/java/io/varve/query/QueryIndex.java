package io.varve.query;

import io.varve.query.internal.access.CaseFolding;
import io.varve.query.internal.access.IndexForm;
import io.varve.query.internal.access.IndexPart;
import io.varve.query.internal.access.IndexPart.Folding;
import io.varve.query.internal.access.NullOrder;
import io.varve.query.internal.access.PartCodec;
import io.varve.query.internal.access.PartKind;
import io.varve.query.internal.access.RowCodec;
import io.varve.query.internal.access.RowIndex;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Expressions;
import io.varve.query.internal.expr.Predicate;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Collator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// An index of a table: by which attributes its rows are found, and in which order.
///
/// ```java
/// QueryIndex.of(CITY);
/// QueryIndex.of(NAME.asc(), AGE.desc()).named("by name");
/// QueryIndex.of(EMAIL).unique().ignoringCase(EMAIL);
/// ```
///
/// - **Parts:** a query uses the first parts as long as it asks for their values, and then a range
///   of the next one. One part may have many values: each element has an entry.
/// - **Nulls** have entries, where the order of the part puts them, except in unique indexes and
///   after [#withoutNulls()]: there a row that lacks one of the values has no entry.
/// - **Values** are equal and ordered as [Values] defines. Of texts, bytes and lists only the first
///   960 bytes are in order, or that by the number of parts; equal ones are found also if they are
///   longer. Values of classes without an order are found by no index.
/// - **Change:** an index is built again if its definition is another one, as it is when an
///   attribute has got another type. A change that the definition cannot show, such as of the code
///   of a getter, wants another [#version(int)].
///
/// Immutable.
///
/// @param <V> the values of the table
/// @since 1.0
public final class QueryIndex<V> {
  private static final int PARTS_MAX = 16;

  /// Above it the text of a condition is stored as a digest.
  private static final int CONDITION_TEXT_MAX = 1000;

  private final @Nullable String name;
  private final List<Part<V>> parts;
  private final boolean isUnique;
  private final @Nullable Condition<V> condition;
  private final int version;

  /// Of the parts, in their order.
  private final List<PartKind> kinds;

  private QueryIndex(
      @Nullable String name,
      List<Part<V>> parts,
      boolean isUnique,
      @Nullable Condition<V> condition,
      int version) {
    this(
        name,
        parts,
        isUnique,
        condition,
        version,
        parts.stream().map(part -> PartKind.of(part.attribute().type())).toList());
  }

  private QueryIndex(
      @Nullable String name,
      List<Part<V>> parts,
      boolean isUnique,
      @Nullable Condition<V> condition,
      int version,
      List<PartKind> kinds) {
    this.name = name;
    this.parts = List.copyOf(parts);
    this.kinds = kinds;
    this.isUnique = isUnique;
    this.condition = condition;
    this.version = version;
    requireSound();
  }

  private void requireSound() {
    if (parts.isEmpty() || parts.size() > PARTS_MAX) {
      throw new IllegalArgumentException(
          "parts of an index out of range: parts=" + parts.size() + ", max=" + PARTS_MAX);
    }
    if (parts.stream().filter(part -> part.attribute().isMany()).count() > 1) {
      throw new IllegalArgumentException(
          "more than one part of the index has many values: parts="
              + defaultName()
              + "; make an index of each");
    }
  }

  /// One attribute, and how its values are compared.
  private record Part<V>(
      Attribute<V, ?> attribute,
      boolean isDescending,
      NullOrder nulls,
      Folding folding,
      @Nullable Collator collator,
      String collatorId) {
    String text() {
      return attribute.path() + (isDescending ? " desc" : "");
    }

    /// All of this as a text, with the kind of values.
    String definition(PartKind kind) {
      return text()
          + (attribute.isMany() ? " each" : "")
          + " nulls "
          + nulls
          + kind.text()
          + " "
          + folding
          + collatorId;
    }

    IndexPart form(int parts, PartKind kind) {
      Function<String, byte[]> keys =
          switch (folding) {
            case EXACT -> null;
            case CASE -> text -> CaseFolding.fold(text).getBytes(StandardCharsets.UTF_8);
            case COLLATOR -> collation(Objects.requireNonNull(collator));
          };
      return new IndexPart(
          attribute,
          attribute.isMany(),
          folding,
          new PartCodec(isDescending, nulls, keys, IndexForm.runBytesMax(parts)),
          definition(kind));
    }

    /// A collator is for one thread at a time.
    private static Function<String, byte[]> collation(Collator collator) {
      return text -> ((Collator) collator.clone()).getCollationKey(text).toByteArray();
    }
  }

  /// An index by attributes, in ascending order.
  @SafeVarargs
  @SuppressWarnings("varargs") // they are read alone
  public static <V> QueryIndex<V> of(Attribute<V, ?>... attributes) {
    return ofParts(Arrays.stream(attributes).<Order<V>>map(Attribute::asc).toList());
  }

  /// An index in an order.
  @SafeVarargs
  @SuppressWarnings("varargs") // they are read alone
  public static <V> QueryIndex<V> of(Order<V>... orders) {
    return ofParts(List.of(orders));
  }

  static <V> QueryIndex<V> ofParts(List<Order<V>> orders) {
    List<Part<V>> parts =
        orders.stream()
            .map(order ->
                new Part<>(
                    order.attribute(),
                    order.isDescending(),
                    order.nulls() == Nulls.FIRST ? NullOrder.FIRST : NullOrder.LAST,
                    Folding.EXACT,
                    null,
                    ""))
            .toList();
    return new QueryIndex<>(null, parts, false, null, 1);
  }

  /// This index with a name. Without one it is called by its parts.
  ///
  /// @param newName 1 to 100 characters
  public QueryIndex<V> named(String newName) {
    return new QueryIndex<>(
        Objects.requireNonNull(newName, "newName"), parts, isUnique, condition, version);
  }

  /// This index, where no two rows may have equal values: a change that would bring it about is
  /// refused by an [io.varve.UniqueIndexException]. Rows that lack one of the values have no entry,
  /// and are not compared.
  public QueryIndex<V> unique() {
    return new QueryIndex<>(name, without(parts), true, condition, version);
  }

  /// This index without entries of rows that lack one of the values. It answers queries that ask
  /// for these values alone.
  public QueryIndex<V> withoutNulls() {
    return new QueryIndex<>(name, without(parts), isUnique, condition, version);
  }

  private static <V> List<Part<V>> without(List<Part<V>> parts) {
    return parts.stream()
        .map(part ->
            new Part<>(
                part.attribute(),
                part.isDescending(),
                NullOrder.ABSENT,
                part.folding(),
                part.collator(),
                part.collatorId()))
        .toList();
  }

  /// This index with entries of some rows alone. It answers queries with the same condition among
  /// theirs, or one that wants fewer values of the same attributes.
  public QueryIndex<V> where(Condition<V> newCondition) {
    return new QueryIndex<>(
        name, parts, isUnique, Objects.requireNonNull(newCondition, "newCondition"), version);
  }

  /// This index with a number that is part of its definition: another number has it built again.
  public QueryIndex<V> version(int newVersion) {
    return new QueryIndex<>(name, parts, isUnique, condition, newVersion);
  }

  /// This index, where texts of an attribute that differ in case alone are together. It finds equal
  /// texts, and those whose lower or upper case is asked for, and gives no order.
  public QueryIndex<V> ignoringCase(Attribute<V, ?> attribute) {
    return folding(attribute, Folding.CASE, null, "");
  }

  /// This index, where texts of an attribute are together that a collator takes for equal. It finds
  /// equal texts; where it is unique, it refuses those that the collator takes for equal.
  ///
  /// @param id of the collator and its version, which is part of the definition of the index
  public QueryIndex<V> collated(Attribute<V, ?> attribute, Collator collator, String id) {
    return folding(attribute, Folding.COLLATOR, (Collator) collator.clone(), " " + id);
  }

  private QueryIndex<V> folding(
      Attribute<V, ?> attribute, Folding folding, @Nullable Collator collator, String id) {
    List<Part<V>> changed = new ArrayList<>();
    boolean isThere = false;
    for (Part<V> part : parts) {
      boolean isIt = part.attribute().path().equals(attribute.path());
      isThere |= isIt;
      changed.add(
          isIt
              ? new Part<>(
                  part.attribute(), part.isDescending(), part.nulls(), folding, collator, id)
              : part);
    }
    if (!isThere) {
      throw new IllegalArgumentException(
          "no part of the index: attribute=" + attribute.path() + ", parts=" + defaultName());
    }
    return new QueryIndex<>(name, changed, isUnique, condition, version);
  }

  /// What it is called.
  public String name() {
    return name == null ? defaultName() : name;
  }

  private String defaultName() {
    return parts.stream().map(Part::text).collect(Collectors.joining(", "));
  }

  /// Whether no two rows may have equal values.
  public boolean isUnique() {
    return isUnique;
  }

  /// This index by the definition that a class gave it whose rows are documents here: a part has
  /// the kind that an id states, if documents have the same values. So both keep one index.
  QueryIndex<V> writtenAs(String id) {
    List<PartKind> written = new ArrayList<>(kinds);
    StringBuilder known = new StringBuilder(head());
    for (int i = 0; i < written.size(); i++) {
      String end = i == written.size() - 1 ? ", where=" : ", ";
      for (PartKind kind : PartKind.values()) {
        boolean isMeant =
            kinds.get(i) == PartKind.MIXED
                && kind.isOfDocuments()
                && id.startsWith(known + parts.get(i).definition(kind) + end);
        if (isMeant) {
          written.set(i, kind);
        }
      }
      known.append(parts.get(i).definition(written.get(i))).append(end);
    }
    return new QueryIndex<>(name, parts, isUnique, condition, version, List.copyOf(written));
  }

  IndexForm form() {
    List<IndexPart> forms = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      forms.add(parts.get(i).form(parts.size(), kinds.get(i)));
    }
    return new IndexForm(name(), List.copyOf(forms), isUnique, partial());
  }

  RowIndex index(IndexForm form, RowCodec<?, ?> rows) {
    return new RowIndex(form, id(form), rows);
  }

  private @Nullable Expression partial() {
    return condition == null ? null : Predicate.of(condition);
  }

  private String head() {
    return "query index 1: version=" + version + ", unique=" + isUnique + ", parts=";
  }

  private String id(IndexForm form) {
    Expression partial = partial();
    String where = partial == null ? "" : partial + kindsOf(partial);
    return head()
        + form.parts().stream().map(IndexPart::definition).collect(Collectors.joining(", "))
        + ", where="
        + (where.length() <= CONDITION_TEXT_MAX ? where : digest(where));
  }

  /// Of the attributes of a condition, in its order.
  private static String kindsOf(Expression condition) {
    StringBuilder text = new StringBuilder();
    boolean _ =
        Expressions.contains(
            condition,
            part -> {
              if (part instanceof Expression.Path path) {
                text.append(PartKind.of(path.attribute().type()).text());
              }
              return false;
            });
    return text.toString();
  }

  private static String digest(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every JDK has SHA-256", impossible);
    }
  }

  @Override
  public String toString() {
    return "QueryIndex[" + name() + "]";
  }
}
