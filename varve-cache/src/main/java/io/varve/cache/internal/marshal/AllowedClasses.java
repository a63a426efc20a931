package io.varve.cache.internal.marshal;

import java.io.ObjectInputFilter;
import java.lang.reflect.InvocationHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/// The classes that objects may be made of: plain values of the JDK, what patterns name, and what
/// the cache recorded when it put objects itself.
///
/// (A1) Bytes make objects only of classes that the program chose, by a type, a pattern or a put.
/// What else is on the class path is never made, whatever the bytes contain.
public final class AllowedClasses {
  /// The system property that holds patterns for all caches.
  public static final String PROPERTY = "io.varve.cache.allow";

  /// What to do about a class that was refused.
  static final String ADVICE =
      "declare the class as the type of the cache, name it in the allowed patterns (system property"
          + " "
          + PROPERTY
          + "), or give the cache a marshaller";

  /// Serializable classes of the JDK that hold values and lead to no code but `hashCode`, `equals`
  /// and `compareTo` of their parts.
  private static final String VALUES_OF_THE_JDK =
      "java.lang.Number;java.lang.Boolean;java.lang.Byte;java.lang.Character;java.lang.Short;"
          + "java.lang.Integer;java.lang.Long;java.lang.Float;java.lang.Double;java.lang.String;"
          + "java.lang.Enum;java.lang.Record;java.lang.Object;java.math.*;java.time.*;"
          + "java.time.chrono.*;java.util.*;java.net.URI;sun.util.calendar.ZoneInfo";

  /// What a pattern of classes looks like, with a module in front or not. What else has a star
  /// would be taken for the name of a class, and match nothing.
  private static final Pattern OF_CLASSES =
      Pattern.compile(
          "!?([\\w.]+/)?(\\*|([\\w$]+\\.)+\\*\\*?|([\\w$]+\\.)*[\\w$]+\\*?)",
          Pattern.UNICODE_CHARACTER_CLASS);

  /// Packages of the JDK whose objects may be recorded. Others lead to code, as those of
  /// reflection, signed objects and remote calls do, and have to be named.
  private static final Set<String> RECORDED_OF_THE_JDK =
      Set.of(
          "java.io",
          "java.lang",
          "java.net",
          "java.sql",
          "java.text",
          "java.time.temporal",
          "java.time.zone",
          "java.util.concurrent",
          "java.util.concurrent.atomic",
          "java.util.concurrent.locks",
          "java.util.regex");

  private final ObjectInputFilter filter;
  private final @Nullable ClassRecord recorded;

  /// Makes the classes that patterns name.
  ///
  /// @param patterns as those of [ObjectInputFilter.Config#createFilter]
  /// @param recorded what else is allowed, and grows as objects are written; null for nothing
  public AllowedClasses(List<String> patterns, @Nullable ClassRecord recorded) {
    patterns.forEach(AllowedClasses::requirePattern);
    List<String> all = new ArrayList<>(patterns);
    all.addFirst(VALUES_OF_THE_JDK);
    this.filter = ObjectInputFilter.Config.createFilter(String.join(";", all));
    this.recorded = recorded;
  }

  /// Those of objects of a type: it, or what it is an array of, the classes that it declares, and
  /// what patterns and [#PROPERTY] name.
  public static AllowedClasses ofType(
      Class<?> type, List<String> patterns, @Nullable ClassRecord recorded) {
    List<String> all = new ArrayList<>();
    Class<?> element = elementOf(type);
    if (element != Object.class && !element.isPrimitive()) {
      all.add(element.getName());
      all.add(element.getName() + "$*");
    }
    all.addAll(patterns);
    String ofAll = System.getProperty(PROPERTY, "");
    if (!ofAll.isBlank()) {
      all.addAll(List.of(ofAll.trim().split("\\s*[;,]\\s*")));
    }
    return new AllowedClasses(all, recorded);
  }

  private static void requirePattern(String pattern) {
    boolean isLimit = pattern.indexOf('=') >= 0;
    if (!isLimit && !OF_CLASSES.matcher(pattern).matches()) {
      throw new CacheException(
          "a pattern of allowed classes matches no class: pattern="
              + pattern
              + "; write a class as com.example.Book, a package as com.example.*, a package and"
              + " those below it as com.example.**, or * for every class, in the system property "
              + PROPERTY
              + " or where the marshaller is made");
    }
  }

  static Class<?> elementOf(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    return element;
  }

  /// Whether objects of a class may be made of bytes; of an array its components are looked at.
  public boolean permits(Class<?> type) {
    return switch (byPattern(type)) {
      case ALLOWED -> true;
      case REJECTED -> false;
      case UNDECIDED ->
          recorded != null && isRecordable(type) && recorded.contains(elementOf(type).getName());
    };
  }

  /// Whether objects of a class may be written, if it is recorded before anybody reads them.
  boolean permitsRecorded(Class<?> type) {
    return permits(type)
        || (recorded != null
            && byPattern(type) == ObjectInputFilter.Status.UNDECIDED
            && isRecordable(type));
  }

  private ObjectInputFilter.Status byPattern(Class<?> type) {
    return elementOf(type).isPrimitive()
        ? ObjectInputFilter.Status.ALLOWED
        : filter.checkInput(new Named(type));
  }

  /// Notes classes of which objects are written.
  void record(Set<String> classNames) {
    if (recorded != null && !classNames.isEmpty()) {
      recorded.add(classNames);
    }
  }

  /// An object that was recorded is made by its class alone: what handles calls of a proxy would
  /// have others run.
  private static boolean isRecordable(Class<?> type) {
    Class<?> element = elementOf(type);
    if (element.isHidden() || InvocationHandler.class.isAssignableFrom(element)) {
      return false;
    }
    return !isOfJdk(element)
        || element.isInterface()
        || RECORDED_OF_THE_JDK.contains(element.getPackageName());
  }

  static boolean isOfJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader.equals(ClassLoader.getPlatformClassLoader());
  }

  /// Names the cache, if it is known, in a message that has more.
  String where() {
    return recorded == null ? "" : "cache=" + recorded.cacheName() + ", ";
  }

  /// What a filter is asked of a class that is written.
  private record Named(Class<?> serialClass) implements ObjectInputFilter.FilterInfo {
    @Override
    public long arrayLength() {
      return -1;
    }

    @Override
    public long depth() {
      return 1;
    }

    @Override
    public long references() {
      return 1;
    }

    @Override
    public long streamBytes() {
      return 0;
    }
  }
}
