package io.varve.internal.codec;

import io.varve.Codec;
import io.varve.RecordCodec;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Records as the number of their components, in one byte, and then the components in their order,
/// as [Parts] defines. The number shows which version of the record wrote the bytes: components are
/// added at the end only.
///
/// @param <R> the records
public final class ComponentsCodec<R extends Record>
    implements RecordCodec<R>, VariableLengthCodec<R> {
  private final Class<R> type;
  private final List<CodedComponent> components;
  private final MethodHandle constructor;
  private final String id;

  /// The lengths of the components' values ([Parts#lengthOf]), looked up once.
  private final int[] lengths;

  /// Makes a codec with the codecs that the types of the components have.
  ///
  /// @param lookup what may read the components, or null for what anybody may
  public ComponentsCodec(Class<R> type, @Nullable Lookup lookup) {
    ComponentTypes types =
        new ComponentTypes((nested, known) -> new ComponentsCodec<>(nested, lookup, known));
    this(type, lookup, types);
  }

  private ComponentsCodec(Class<R> type, @Nullable Lookup lookup, ComponentTypes types) {
    RecordAccess access = new RecordAccess(type, lookup);
    this(type, access.components(types::codec), access.constructor());
  }

  private ComponentsCodec(
      Class<R> type, List<CodedComponent> components, MethodHandle constructor) {
    this.type = type;
    this.components = List.copyOf(components);
    this.constructor = constructor;
    this.lengths =
        components.stream().mapToInt(component -> Parts.lengthOf(component.codec())).toArray();
    this.id =
        components.stream().anyMatch(component -> component.codec().id().isEmpty())
            ? ""
            : CodecIds.composite("record", components.stream().map(CodedComponent::id).toList());
  }

  @Override
  public RecordCodec<R> with(String component, Codec<?> codec) {
    Objects.requireNonNull(codec, "codec");
    return changed(component, old -> withCodec(old, codec));
  }

  @SuppressWarnings("unchecked") // the codec casts
  private static CodedComponent withCodec(CodedComponent old, Codec<?> codec) {
    return new CodedComponent(
        old.name(), old.type(), old.accessor(), (Codec<Object>) codec, old.absent());
  }

  @Override
  public RecordCodec<R> withDefault(String component, Object value) {
    Objects.requireNonNull(value, "value");
    return changed(component, old -> withDefault(old, value));
  }

  private CodedComponent withDefault(CodedComponent old, Object value) {
    if (!old.type().isInstance(value)) {
      throw new IllegalArgumentException(
          "default is of another type: record="
              + type.getName()
              + ", component="
              + old.name()
              + ", expected="
              + old.type().getName()
              + ", found="
              + value.getClass().getName());
    }
    return new CodedComponent(old.name(), old.type(), old.accessor(), old.codec(), value);
  }

  private RecordCodec<R> changed(String name, UnaryOperator<CodedComponent> change) {
    List<CodedComponent> changed = new ArrayList<>(components);
    for (int index = 0; index < changed.size(); index++) {
      if (changed.get(index).name().equals(name)) {
        changed.set(index, change.apply(changed.get(index)));
        return new ComponentsCodec<>(type, changed, constructor);
      }
    }
    throw new IllegalArgumentException(
        "the record has no such component: record=" + type.getName() + ", component=" + name);
  }

  @Override
  public byte[] encode(R value) {
    R checked = type.cast(value);
    var writer = new Parts.Writer();
    writer.writeByte(components.size());
    for (int index = 0; index < components.size(); index++) {
      CodedComponent component = components.get(index);
      Object part = read(component, checked);
      if (part == null) {
        throw new IllegalArgumentException(
            "component is null: record="
                + type.getName()
                + ", component="
                + component.name()
                + "; make it an Optional");
      }
      writer.write(
          component.codec(), component.codec().encode(part), index == components.size() - 1);
    }
    return writer.toBytes();
  }

  private @Nullable Object read(CodedComponent component, Object value) {
    try {
      return (@Nullable Object) component.accessor().invokeExact(value);
    } catch (Throwable e) {
      throw refused("component " + component.name() + " cannot be read", e);
    }
  }

  @Override
  public R decode(byte[] bytes) {
    var reader = new Parts.Reader(this, bytes);
    int count = reader.readByte();
    if (count > components.size()) {
      throw Malformed.refusal(toString(), "components", components.size() + " at most", count);
    }
    if (count == 0 && !reader.isAtEnd()) {
      throw Malformed.refusal(toString(), "bytes without components", 1, bytes.length);
    }
    Object[] values = new Object[components.size()];
    for (int index = 0; index < count; index++) {
      values[index] =
          reader.read(components.get(index).codec(), lengths[index], index == count - 1);
    }
    for (int index = count; index < values.length; index++) {
      Object absent = components.get(index).absent();
      if (absent == null) {
        throw Malformed.refusal(
            toString(),
            "component " + components.get(index).name(),
            "written or a default",
            "none");
      }
      values[index] = absent;
    }
    try {
      return type.cast((Object) constructor.invokeExact(values));
    } catch (Throwable e) {
      throw refused("constructor refuses the components", e);
    }
  }

  /// What code of the record throws: bytes that it refuses are not its own.
  private IllegalArgumentException refused(String reason, Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return new IllegalArgumentException(
        reason + ": record=" + type.getName() + "; see the cause", cause);
  }

  @Override
  public Comparator<? super R> comparator() {
    List<Comparator<? super Object>> orders = new ArrayList<>();
    components.forEach(component -> orders.add(Parts.order(component.codec())));
    return (left, right) -> {
      for (int index = 0; index < orders.size(); index++) {
        CodedComponent component = components.get(index);
        int order = orders.get(index).compare(read(component, left), read(component, right));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    };
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public boolean reads(String other) {
    if (other.equals(id)) {
      return true;
    }
    return reads(other, (index, part) -> reads(components.get(index), part));
  }

  /// Whether this codec, under the id of a record whose components have other names, reads what the
  /// codec of another id wrote.
  boolean reads(String own, String other) {
    List<String> parts = CodecIds.partsOf("record", own);
    return parts.size() == components.size()
        && reads(other, (index, part) -> parts.get(index).equals(part));
  }

  private boolean reads(String other, BiPredicate<Integer, String> isRead) {
    List<String> others = CodecIds.partsOf("record", other);
    if (others.isEmpty() || others.size() > components.size()) {
      return false;
    }
    for (int index = 0; index < components.size(); index++) {
      boolean present = index < others.size();
      if (present
          ? !isRead.test(index, others.get(index))
          : components.get(index).absent() == null) {
        return false;
      }
    }
    return true;
  }

  private static boolean reads(CodedComponent component, String other) {
    String named = component.name() + ":";
    return other.startsWith(named)
        && Parts.reads(component.codec(), other.substring(named.length()));
  }

  @Override
  public String toString() {
    return "Codec[record " + type.getSimpleName() + "]";
  }
}
