package io.varve.cache.internal.marshal;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/// Writes a key so that equal keys have equal bytes.
///
/// Serialization writes an object that it meets again as a reference to the first. So it
/// distinguishes equal keys of which one has a part twice and the other two equal parts. Here equal
/// parts of one class are one part. Collections and maps, which may be equal and of other classes
/// or in another order, are refused.
final class KeyOutput extends NotingOutput {
  /// What the collections that `List.of`, `Set.of` and `Map.of` make are written as.
  private static final String IMMUTABLE_COLLECTION = "java.util.CollSer";

  private final Map<Part, Object> parts = new HashMap<>();

  /// Something that only parts of its own class are compared with.
  private record Part(Class<?> type, Object object) {}

  KeyOutput(OutputStream bytes, AllowedClasses allowed, Loaders loaders) throws IOException {
    super(bytes, allowed, loaders);
  }

  @Override
  protected Object replaceObject(Object object) throws IOException {
    Class<?> type = object.getClass();
    if (object instanceof Collection<?>
        || object instanceof Map<?, ?>
        || type.getName().equals(IMMUTABLE_COLLECTION)) {
      refuse(type.getTypeName() + ", since equal ones may be written differently");
      return object;
    }
    Part part = new Part(type, object);
    Object written = parts.get(part);
    if (written == null) {
      written = super.replaceObject(object);
      parts.put(part, written);
    }
    return written;
  }
}
