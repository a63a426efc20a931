package io.varve.cache.internal.marshal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/// Writes a key so that equal keys have equal bytes.
///
/// Serialization writes an object that it meets again as a reference to the first. So it
/// distinguishes equal keys of which one has a part twice and the other two equal parts. Here equal
/// parts of one class are one part. Collections and maps, which may be equal and of other classes
/// or in another order, are refused.
///
/// Parts whose class has no `equals` of its own are equal if their bytes are. Such are arrays, and
/// what classes are written as that replace themselves, as those of `java.time` do.
final class KeyOutput extends NotingOutput {
  /// What the collections that `List.of`, `Set.of` and `Map.of` make are written as.
  private static final String IMMUTABLE_COLLECTION = "java.util.CollSer";

  private static final String ADVICE =
      "choose a key without collections and maps, with Spring by key = \"...\" of the annotation,"
          + " or give the cache a marshaller of keys";

  /// How deep parts are written apart within parts that are. Each level writes its parts once more.
  private static final int NESTING_MAX = 2;

  private static final ClassValue<Boolean> HAS_EQUALS =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          try {
            return type.getMethod("equals", Object.class).getDeclaringClass() != Object.class;
          } catch (NoSuchMethodException e) {
            throw new AssertionError("every class has it", e);
          }
        }
      };

  private final AllowedClasses allowed;
  private final Loaders loaders;
  private final int nesting;
  private final Map<Part, Object> parts = new HashMap<>();

  /// The first part of each class that has no `equals`. Most keys have no second one, and their
  /// parts need not be written apart.
  private final Map<Class<?>, Met> firsts = new HashMap<>();

  /// Classes of `firsts` of which there was a second part.
  private final Set<Class<?>> compared = new HashSet<>();

  /// Arrays of [PlainShape#names], which are always the same object.
  private final Set<Object> names = Collections.newSetFromMap(new IdentityHashMap<>());

  /// Something that only parts of its own class are compared with.
  ///
  /// @param content the object, or its bytes
  private record Part(Class<?> type, Object content) {}

  /// A part, and what is written in its place.
  private record Met(Object object, Object written) {}

  KeyOutput(OutputStream bytes, AllowedClasses allowed, Loaders loaders) throws IOException {
    this(bytes, allowed, loaders, 0);
  }

  private KeyOutput(OutputStream bytes, AllowedClasses allowed, Loaders loaders, int nesting)
      throws IOException {
    super(bytes, allowed, loaders);
    this.allowed = allowed;
    this.loaders = loaders;
    this.nesting = nesting;
  }

  @Override
  protected Object replaceObject(Object object) throws IOException {
    Class<?> type = object.getClass();
    if (object instanceof Collection<?>
        || object instanceof Map<?, ?>
        || type.getName().equals(IMMUTABLE_COLLECTION)) {
      refuse(type.getTypeName() + ", since equal ones may be written differently", ADVICE);
      return object;
    }
    if (names.contains(object)) {
      return object;
    }
    return HAS_EQUALS.get(type) || nesting == NESTING_MAX
        ? once(new Part(type, object), object)
        : onceByBytes(type, object);
  }

  private Object once(Part part, Object object) throws IOException {
    Object written = parts.get(part);
    if (written == null) {
      written = written(object);
      parts.put(part, written);
    }
    return written;
  }

  private Object onceByBytes(Class<?> type, Object object) throws IOException {
    Met first = firsts.get(type);
    if (first == null) {
      Object written = written(object);
      firsts.put(type, new Met(object, written));
      return written;
    }
    if (compared.add(type)) {
      parts.put(new Part(type, bytesOf(first.object())), first.written());
    }
    return once(new Part(type, bytesOf(object)), object);
  }

  private Object written(Object object) throws IOException {
    Object written = super.replaceObject(object);
    if (written instanceof PlainObject) {
      names.add(PlainShape.of(object.getClass()).names());
    }
    return written;
  }

  /// The bytes of a part apart from the key.
  private ByteBuffer bytesOf(Object part) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var output = new KeyOutput(bytes, allowed, loaders, nesting + 1)) {
      output.writeObject(part);
    }
    return ByteBuffer.wrap(bytes.toByteArray());
  }
}
