package io.varve.cache.marshal;

import com.esotericsoftware.kryo.util.MapReferenceResolver;
import org.jspecify.annotations.Nullable;

/// Objects that were met before in the same bytes. Their numbers are no lengths.
final class References extends MapReferenceResolver {
  /// Kryo reads numbers with this much added: below are null, and an object that is new.
  private static final int FIRST_NUMBER = 2;

  private @Nullable BoundedInput input;

  /// Records what is read from now on.
  void reading(BoundedInput bytes) {
    input = bytes;
  }

  @Override
  @SuppressWarnings("rawtypes") // as it is declared
  public Object getReadObject(Class type, int id) {
    if (input != null) {
      input.putBack(id + FIRST_NUMBER);
    }
    return super.getReadObject(type, id);
  }

  @Override
  public void reset() {
    super.reset();
    input = null;
  }
}
