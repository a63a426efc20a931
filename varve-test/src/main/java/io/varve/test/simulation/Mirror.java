package io.varve.test.simulation;

import io.varve.Durability;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/// Calls of a collection's interface, made from its methods: a method that is added is called as
/// well, and one with a parameter that nothing is known for fails. The same call, made of a store's
/// collection and of one of the JDK, must give the same.
///
/// Keys are longs, values strings.
final class Mirror {
  /// Would run on threads of the JDK's own pool, which no seed orders.
  private static final Set<String> LEFT_OUT = Set.of("parallelStream");

  /// These are asked of a list of values, which is equal to itself alone.
  private static final Set<String> IDENTITY = Set.of("equals", "hashCode");

  private static final int KEYS_MAX = 12;

  private final Choices choices;

  /// Gives others a turn, and lets a commit be seen that was made before.
  private final Runnable giveTurn;

  Mirror(Choices choices, Runnable giveTurn) {
    this.choices = choices;
    this.giveTurn = giveTurn;
  }

  /// What a call gave: a result made comparable, or what it threw.
  ///
  /// @param result the object itself
  /// @param shown what it shows
  /// @param seen what the call gave to a function of the caller
  record Outcome(@Nullable Object result, @Nullable Object shown, List<@Nullable Object> seen) {
    boolean sameAs(Outcome other) {
      return Objects.equals(shown, other.shown) && seen.equals(other.seen);
    }
  }

  /// One call, which can be made of several objects.
  ///
  /// @param arguments gives them again for each, with a list for what the call gives to functions
  record Call(Method method, Function<List<@Nullable Object>, @Nullable Object[]> arguments) {
    String name() {
      return method.getName();
    }

    /// Makes the call by the method of `type`, if that has it.
    ///
    /// @return null if it has not
    @Nullable Outcome of(Object target, Class<?> type) {
      Method own;
      try {
        own = type.getMethod(method.getName(), method.getParameterTypes());
      } catch (NoSuchMethodException _) {
        return null;
      }
      List<@Nullable Object> seen = new ArrayList<>();
      try {
        Object result = own.invoke(target, arguments.apply(seen));
        return new Outcome(result, shown(result), seen);
      } catch (InvocationTargetException e) {
        Throwable thrown = e.getCause() == null ? e : e.getCause();
        if (thrown instanceof RuntimeException refusal && isOfCollections(refusal)) {
          return new Outcome(null, refusal.getClass().getSimpleName(), seen);
        }
        throw sneaky(thrown);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static boolean isOfCollections(RuntimeException e) {
    return e.getClass().getPackageName().startsWith("java.")
        && !(e instanceof UncheckedIOException)
        && !(e instanceof IllegalStateException);
  }

  /// The methods of an interface, in an order that is the same in every JVM.
  static List<Method> methods(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isBridge())
        .filter(method -> !LEFT_OUT.contains(method.getName()))
        .sorted(Comparator.comparing(Method::getName).thenComparing(Mirror::parameters))
        .toList();
  }

  private static String parameters(Method method) {
    return Arrays.toString(method.getParameterTypes());
  }

  /// A call of some method of an interface.
  ///
  /// @param twin a collection that shows the same, of which arguments may be made
  /// @param whole whether any key may be put there
  Call call(Class<?> type, Object twin, boolean whole) {
    List<Method> methods = methods(type);
    Method method;
    do {
      method = methods.get(choices.number(methods.size()));
    } while (type.equals(Collection.class) && IDENTITY.contains(method.getName()));
    List<Function<List<@Nullable Object>, @Nullable Object>> made = new ArrayList<>();
    for (int i = 0; i < method.getParameterCount(); i++) {
      made.add(argument(method, i, twin, whole));
    }
    return new Call(
        method,
        seen -> {
          @Nullable Object[] arguments = new Object[made.size()];
          for (int i = 0; i < arguments.length; i++) {
            arguments[i] = made.get(i).apply(seen);
          }
          return arguments;
        });
  }

  private Function<List<@Nullable Object>, @Nullable Object> argument(
      Method method, int index, Object twin, boolean whole) {
    Class<?> type = method.getParameterTypes()[index];
    if (type.equals(boolean.class)) {
      boolean chosen = choices.oneIn(2);
      return _ -> chosen;
    }
    if (type.equals(Durability.class)) {
      Durability chosen = choices.durability();
      return _ -> chosen;
    }
    if (type.equals(Object.class)) {
      return anObject(method, index, twin);
    }
    if (type.equals(Map.class)) {
      Map<Object, String> map = new TreeMap<>();
      someOf(whole ? null : twin).forEach(key -> map.put(key, choices.label()));
      return _ -> map;
    }
    if (type.equals(Collection.class)) {
      boolean anyKeys = whole && method.getName().equals("addAll");
      List<Object> elements = slowly(someOf(anyKeys ? null : twin));
      return _ -> elements;
    }
    if (type.equals(Object[].class)) {
      return _ -> new Object[0];
    }
    return aFunction(method.getName(), type);
  }

  private Function<List<@Nullable Object>, @Nullable Object> anObject(
      Method method, int index, Object twin) {
    if (method.getName().equals("equals")) {
      Object equal = twin instanceof Map<?, ?> map ? new TreeMap<>(map) : copyOf(twin);
      return _ -> equal;
    }
    Object chosen = isValue(method, index, twin) ? choices.label() : element(twin);
    return _ -> chosen;
  }

  private static Object copyOf(Object twin) {
    return twin instanceof Set<?> set ? Set.copyOf(set) : List.copyOf((Collection<?>) twin);
  }

  private static boolean isValue(Method method, int index, Object twin) {
    if (!(twin instanceof Map)) {
      return false;
    }
    Type declared = method.getGenericParameterTypes()[index];
    return declared instanceof TypeVariable<?> variable
        ? variable.getName().equals("V")
        : method.getName().equals("containsValue") || index > 0;
  }

  private long key() {
    return choices.number(KEYS_MAX);
  }

  /// A key, or what else a view holds; mostly one that is there.
  private Object element(Object twin) {
    if (twin instanceof Collection<?> view && !view.isEmpty() && !choices.oneIn(3)) {
      return new ArrayList<Object>(view).get(choices.number(view.size()));
    }
    if (twin instanceof Map || twin instanceof NavigableSet) {
      return key();
    }
    return twin instanceof Set ? Map.entry(key(), choices.label()) : choices.label();
  }

  /// Some of what a view shows, in its order.
  ///
  /// @param twin null for any keys
  private List<Object> someOf(@Nullable Object twin) {
    List<Object> some = new ArrayList<>();
    if (twin == null) {
      for (long key = 0; key < KEYS_MAX; key++) {
        addOrNot(some, key);
      }
    } else {
      Collection<?> all = twin instanceof Map<?, ?> map ? map.keySet() : (Collection<?>) twin;
      all.forEach(each -> addOrNot(some, each));
    }
    return some;
  }

  /// The same, with a turn for others before each look. A call on an empty list looks at nothing,
  /// and still makes a commit for each answer.
  private List<Object> slowly(List<Object> elements) {
    return new AbstractList<>() {
      @Override
      public Object get(int index) {
        giveTurn.run();
        return elements.get(index);
      }

      @Override
      public boolean contains(@Nullable Object element) {
        if (elements.isEmpty()) {
          giveTurn.run();
        }
        return super.contains(element);
      }

      @Override
      public int size() {
        return elements.size();
      }
    };
  }

  private void addOrNot(List<Object> some, Object each) {
    if (choices.oneIn(3)) {
      some.add(each);
    }
  }

  /// Functions of what they are given alone, so that they do the same to both collections.
  private Function<List<@Nullable Object>, @Nullable Object> aFunction(
      String method, Class<?> type) {
    int chosen = choices.number(3);
    String label = choices.label();
    if (type.equals(BiFunction.class)) {
      boolean deletes = chosen == 0 && !method.equals("replaceAll");
      return _ ->
          (BiFunction<Object, @Nullable Object, @Nullable Object>)
              (_, _) -> {
                giveTurn.run();
                return deletes ? null : label;
              };
    }
    if (type.equals(Function.class)) {
      return _ -> (Function<Object, @Nullable Object>) _ -> chosen == 0 ? null : label;
    }
    if (type.equals(BiConsumer.class)) {
      return seen -> (BiConsumer<Object, Object>) (key, value) -> seen.add(List.of(key, value));
    }
    if (type.equals(Consumer.class)) {
      return seen -> (Consumer<Object>) each -> seen.add(shown(each));
    }
    if (type.equals(Predicate.class)) {
      return _ ->
          (Predicate<Object>)
              each -> {
                giveTurn.run();
                return (String.valueOf(shown(each)).hashCode() & 3) == chosen;
              };
    }
    if (type.equals(IntFunction.class)) {
      return _ -> (IntFunction<Object[]>) Object[]::new;
    }
    throw new IllegalStateException(
        "no argument is known for a parameter: type=" + type.getName() + "; add one to Mirror");
  }

  /// What a result shows, so that two can be compared.
  static @Nullable Object shown(@Nullable Object result) {
    return switch (result) {
      case Map<?, ?> map -> {
        List<Object> entries = new ArrayList<>();
        map.forEach((key, value) -> entries.add(List.of(key, value)));
        yield entries;
      }
      case Map.Entry<?, ?> entry -> List.of(entry.getKey(), entry.getValue());
      case Collection<?> collection -> drained(collection.iterator());
      case Iterator<?> iterator -> drained(iterator);
      case Spliterator<?> spliterator -> {
        List<@Nullable Object> all = new ArrayList<>();
        spliterator.forEachRemaining(each -> all.add(shown(each)));
        yield all;
      }
      case BaseStream<?, ?> stream -> drained(stream.iterator());
      case Object[] array -> drained(Arrays.asList(array).iterator());
      case Comparator<?> _ -> "comparator";
      case null -> null;
      default -> result;
    };
  }

  private static List<@Nullable Object> drained(Iterator<?> iterator) {
    List<@Nullable Object> all = new ArrayList<>();
    iterator.forEachRemaining(each -> all.add(shown(each)));
    return all;
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> RuntimeException sneaky(Throwable e) throws E {
    throw (E) e;
  }
}
