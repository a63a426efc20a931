package io.varve.internal.codec;

import io.varve.Codec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/// Lists as their elements, one after the other, to the end of the bytes; no element is written as
/// the last one: see [Parts].
///
/// @param elements the codec of the elements
/// @param <E> the elements
public record ListCodec<E>(Codec<E> elements) implements VariableLengthCodec<List<E>> {
  @Override
  public byte[] encode(List<E> value) {
    var writer = new Parts.Writer();
    for (E element : value) {
      writer.write(elements, elements.encode(element), false);
    }
    return writer.toBytes();
  }

  @Override
  public List<E> decode(byte[] bytes) {
    var reader = new Parts.Reader(this, bytes);
    List<E> value = new ArrayList<>();
    while (!reader.isAtEnd()) {
      value.add(reader.read(elements, false));
    }
    return Collections.unmodifiableList(value);
  }

  @Override
  public Comparator<? super List<E>> comparator() {
    Comparator<? super E> order = Parts.order(elements);
    return (left, right) -> {
      Iterator<E> lefts = left.iterator();
      Iterator<E> rights = right.iterator();
      while (lefts.hasNext() && rights.hasNext()) {
        int compared = order.compare(lefts.next(), rights.next());
        if (compared != 0) {
          return compared;
        }
      }
      return Boolean.compare(lefts.hasNext(), rights.hasNext());
    };
  }

  @Override
  public String id() {
    return CodecIds.composite("list", List.of(elements.id()));
  }

  @Override
  public boolean reads(String id) {
    List<String> parts = CodecIds.partsOf("list", id);
    return id.equals(id()) || (parts.size() == 1 && Parts.reads(elements, parts.getFirst()));
  }

  @Override
  public String toString() {
    return "Codec[list]";
  }
}
