package io.varve.query.internal.access;

import io.varve.query.Values;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Scope;
import io.varve.query.internal.expr.ValueKind;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What the entries of an index are made of: the values of its parts, one after the other.
///
/// @param name of the index
/// @param parts in the order of the index; at most one of them has many values
/// @param isUnique whether two rows may not have equal values
/// @param partial the condition of the rows that have entries, or null for all
public record IndexForm(
    String name, List<IndexPart> parts, boolean isUnique, @Nullable Expression partial) {
  /// How many bytes all parts of a prefix may take if no byte of them is escaped.
  private static final int RUN_BYTES_MAX = 960;

  /// How many bytes of a value are written in an index of so many parts. Escaped they may double.
  public static int runBytesMax(int parts) {
    return RUN_BYTES_MAX / parts;
  }

  /// Gives the prefixes of a row.
  void prefixes(Scope row, Consumer<byte[]> prefixes) {
    if (partial == null || Evaluation.isTrue(partial, row)) {
      write(row, 0, new ByteSink(), prefixes);
    }
  }

  private void write(Scope row, int number, ByteSink sink, Consumer<byte[]> prefixes) {
    if (number == parts.size()) {
      prefixes.accept(sink.toBytes());
      return;
    }
    IndexPart part = parts.get(number);
    if (!part.isMany()) {
      write(row, number, part.value(row), sink, prefixes);
      return;
    }
    int length = sink.length();
    for (Object element : part.elements(row)) {
      write(row, number, Values.normal(element), sink, prefixes);
      sink.truncate(length);
    }
  }

  private void write(
      Scope row, int number, @Nullable Object value, ByteSink sink, Consumer<byte[]> prefixes) {
    if (isUnique && ValueKind.of(value) == ValueKind.OTHER) {
      throw new IllegalArgumentException(
          "no unique index distinguishes values of this class: index="
              + name
              + ", type="
              + Objects.requireNonNull(value).getClass().getName()
              + "; index an attribute of them");
    }
    PartCodec codec = parts.get(number).codec();
    if (codec.isIndexed(value)) {
      codec.write(value, sink);
      write(row, number + 1, sink, prefixes);
    }
  }

  /// How many bytes of an index entry are its prefix.
  int prefixBytes(byte[] entry) {
    return skip(entry).offset();
  }

  /// Reads over the prefix of an index entry.
  PartReader skip(byte[] entry) {
    var reader = new PartReader(entry);
    for (IndexPart part : parts) {
      part.codec().skip(reader);
    }
    return reader;
  }
}
