package io.varve.bench.engine;

import java.net.URL;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Names the jar, and so the version, that a resource of the class path comes from.
public final class JarVersion {
  private static final Pattern JAR = Pattern.compile("/([^/!]+?)-(\\d[^/!]*)\\.jar!");

  private JarVersion() {}

  /// Artifact and version of the jar that holds `type`.
  public static String of(Class<?> type) {
    return of("/" + type.getName().replace('.', '/') + ".class");
  }

  /// Artifact and version of the jar that holds the resource of that absolute name.
  static String of(String resource) {
    @Nullable URL url = JarVersion.class.getResource(resource);
    if (url == null) {
      return "missing";
    }
    Matcher jar = JAR.matcher(url.toString());
    return jar.find() ? jar.group(1) + " " + jar.group(2) : "from class files";
  }
}
