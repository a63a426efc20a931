package io.varve.test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// A library in C that is among the resources of the tests, to be preloaded into a process.
final class NativeLibrary {
  private NativeLibrary() {}

  /// Compiles a library.
  ///
  /// @param name of the source, without its ending
  /// @param scratch where source and library may be
  static Path compile(String name, Path scratch) throws IOException, InterruptedException {
    Path library = scratch.resolve(name + ".so");
    Path source = scratch.resolve(name + ".c");
    try (InputStream resource = NativeLibrary.class.getResourceAsStream(name + ".c")) {
      Files.write(source, resource.readAllBytes());
    }
    Process compiler =
        new ProcessBuilder(
                "gcc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString())
            .inheritIO()
            .start();
    if (compiler.waitFor() != 0) {
      throw new AssertionError("gcc cannot compile a library: source=" + source);
    }
    return library;
  }
}
