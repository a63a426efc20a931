package io.varve.internal.codec;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/// The classes that a serialized value may be made of. What is not allowed is denied.
///
/// Classes of the JDK are listed one by one: each holds plain values. When it is read, it runs of
/// its parts only `hashCode`, `equals` and `compareTo`. So it can lead to nothing that is not in
/// the list.
final class AllowedClasses {
  private static final Set<Class<?>> JDK_VALUES =
      Set.of(
          Object.class,
          String.class,
          Number.class,
          Enum.class,
          Boolean.class,
          Byte.class,
          Character.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class,
          URI.class,
          Date.class,
          Locale.class,
          Currency.class,
          BitSet.class,
          ArrayList.class,
          LinkedList.class,
          ArrayDeque.class,
          HashMap.class,
          LinkedHashMap.class,
          Map.Entry.class, // of the tables of hash maps
          TreeMap.class,
          EnumMap.class,
          HashSet.class,
          LinkedHashSet.class,
          TreeSet.class);

  /// Packages of which every serializable class is a plain value, or the form it is written in.
  private static final Set<String> JDK_VALUE_PACKAGES = Set.of("java.time", "java.time.chrono");

  /// Classes of collections that have no public name, and the forms that they are written in.
  private static final Set<String> JDK_COLLECTIONS =
      Set.of(
          "java.util.Arrays$ArrayList",
          "java.util.CollSer",
          "java.util.Collections$EmptyList",
          "java.util.Collections$EmptyMap",
          "java.util.Collections$EmptySet",
          "java.util.Collections$ReverseComparator",
          "java.util.Collections$SingletonList",
          "java.util.Collections$SingletonMap",
          "java.util.Collections$SingletonSet",
          "java.util.Collections$UnmodifiableCollection",
          "java.util.Collections$UnmodifiableList",
          "java.util.Collections$UnmodifiableMap",
          "java.util.Collections$UnmodifiableRandomAccessList",
          "java.util.Collections$UnmodifiableSequencedCollection",
          "java.util.Collections$UnmodifiableSequencedMap",
          "java.util.Collections$UnmodifiableSequencedSet",
          "java.util.Collections$UnmodifiableSet",
          "java.util.EnumSet$SerializationProxy",
          "java.util.ImmutableCollections$List12",
          "java.util.ImmutableCollections$ListN",
          "java.util.ImmutableCollections$Map1",
          "java.util.ImmutableCollections$MapN",
          "java.util.ImmutableCollections$Set12",
          "java.util.ImmutableCollections$SetN",
          "java.util.JumboEnumSet",
          "java.util.RegularEnumSet");

  private final Set<Class<?>> given = new HashSet<>();

  /// Allows the classes given, and those that they extend: serialization names them too.
  AllowedClasses(Class<?> type, Class<?>... parts) {
    addWithSuperclasses(type);
    for (Class<?> part : parts) {
      addWithSuperclasses(part);
    }
  }

  private void addWithSuperclasses(Class<?> type) {
    for (Class<?> next = elementOf(type);
        next != null && Serializable.class.isAssignableFrom(next);
        next = next.getSuperclass()) {
      given.add(next);
    }
  }

  /// Whether objects of exactly `type` may be part of a value. Of an array, its elements decide.
  boolean contains(Class<?> type) {
    Class<?> element = elementOf(type);
    return element.isPrimitive()
        || given.contains(element)
        || JDK_VALUES.contains(element)
        || isNamed(element);
  }

  private static Class<?> elementOf(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.componentType();
    }
    return element;
  }

  /// Names count for classes of the boot loader alone: no other can pass for one of them.
  private static boolean isNamed(Class<?> type) {
    return type.getClassLoader() == null
        && (JDK_VALUE_PACKAGES.contains(type.getPackageName())
            || JDK_COLLECTIONS.contains(type.getName()));
  }
}
