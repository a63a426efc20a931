package io.varve.internal.disk;

import java.nio.file.OpenOption;
import org.jspecify.annotations.Nullable;

/// The JDK's option for I/O past the system's cache, `com.sun.nio.file.ExtendedOpenOption.DIRECT`.
/// It is supported API, but the compiler warns of all of that package without a way to agree; so it
/// is found by name.
final class DirectOption {
  /// The option, or null if this JDK has none.
  static final @Nullable OpenOption INSTANCE = find();

  private DirectOption() {}

  private static @Nullable OpenOption find() {
    try {
      Object[] options = Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants();
      for (Object option : options) {
        if (option.toString().equals("DIRECT")) {
          return (OpenOption) option;
        }
      }
      return null;
    } catch (ClassNotFoundException _) {
      return null;
    }
  }
}
