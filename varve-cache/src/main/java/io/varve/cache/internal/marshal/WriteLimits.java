package io.varve.cache.internal.marshal;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Set;

/// Refuses to write an object that [ReadLimits] would refuse to read. For one object and thread.
///
/// Serialization does not report how deep it is, and the stack does. It is looked at only when as
/// many objects were written since the last look as could make a nest that is too deep.
final class WriteLimits {
  /// One less than can be read, for what an object of the last level refers to.
  private static final int DEPTH_MAX = ReadLimits.DEPTH_MAX - 1;

  private static final StackWalker STACK =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private static final Set<Class<?>> TABLES = Set.of(HashMap.class, HashSet.class, Hashtable.class);

  /// At least as deep as the last object.
  private int depth;

  /// At least as many as the hash tables around the last object.
  private int tables;

  /// A nest of objects is deeper than can be read.
  static final class NestException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    private NestException(String exceeded) {
      super(exceeded);
    }
  }

  /// Takes an object that is about to be written.
  void check(Object object) throws NestException {
    if (ScalarMarshaller.isImmutable(object)) {
      return; // it has no parts, and there are many
    }
    boolean isTable =
        object instanceof HashMap<?, ?>
            || object instanceof HashSet<?>
            || object instanceof Hashtable<?, ?>;
    depth++;
    tables += isTable ? 1 : 0;
    if (depth > DEPTH_MAX || tables > ReadLimits.NESTED_TABLES_MAX) {
      look(isTable);
    }
  }

  private void look(boolean isTable) throws NestException {
    depth = frames(Set.of(ObjectOutputStream.class), "writeObject0");
    tables = frames(TABLES, "writeObject") + (isTable ? 1 : 0);
    require("levels", depth, DEPTH_MAX);
    require("nestedHashTables", tables, ReadLimits.NESTED_TABLES_MAX);
  }

  private static int frames(Set<Class<?>> types, String method) {
    return STACK.walk(frames ->
        (int)
            frames
                .filter(frame ->
                    frame.getMethodName().equals(method)
                        && types.contains(frame.getDeclaringClass()))
                .count());
  }

  private static void require(String name, int value, int max) throws NestException {
    if (value > max) {
      throw new NestException(name + "=" + value + ", max=" + max);
    }
  }
}
