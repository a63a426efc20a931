package io.varve.test.simulation;

import io.varve.AsyncSpace;
import io.varve.Cursor;
import io.varve.IndexedSpace;
import io.varve.OrderedMap;
import io.varve.OrderedSet;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.Transaction;
import io.varve.TransactionBody;
import io.varve.TransactionPoint;
import io.varve.TransactionWork;
import io.varve.Watch;
import io.varve.item.ItemSnapshot;
import io.varve.item.ItemSpace;
import io.varve.spi.NonBlockingSpace;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Wraps a store, and each space, item space, snapshot and transaction of it, and answers calls as
/// an [Alteration] decides.
final class AlteredStore implements InvocationHandler {
  private final Object target;
  private final Alteration alteration;

  private AlteredStore(Object target, Alteration alteration) {
    this.target = target;
    this.alteration = alteration;
  }

  /// Decides what a call gives.
  @FunctionalInterface
  interface Alteration {
    @Nullable Object answer(Call call) throws Throwable;
  }

  /// A call of something real.
  record Call(Object target, Method method, @Nullable Object... arguments) {
    /// Whether it is of a method of that name and those parameters.
    boolean is(Class<?> type, String name, Class<?>... parameters) {
      return type.isInstance(target)
          && method.getName().equals(name)
          && Arrays.equals(method.getParameterTypes(), parameters);
    }

    /// Makes it.
    @Nullable Object proceed() throws Throwable {
      return proceedWith(arguments);
    }

    /// Makes it with other arguments.
    @Nullable Object proceedWith(@Nullable Object... others) throws Throwable {
      try {
        return method.invoke(target, others);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  static Store of(Store store, Alteration alteration) {
    return front(Store.class, store, alteration);
  }

  private static <T> T front(
      Class<T> type, Object target, Alteration alteration, Class<?>... others) {
    Class<?>[] types = Stream.concat(Stream.of(type), Stream.of(others)).toArray(Class<?>[]::new);
    return type.cast(
        Proxy.newProxyInstance(type.getClassLoader(), types, new AlteredStore(target, alteration)));
  }

  @Override
  public @Nullable Object invoke(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    Object[] real =
        arguments == null ? new Object[0] : Arrays.stream(arguments).map(this::unwrapped).toArray();
    return inFront(alteration.answer(new Call(target, method, real)));
  }

  /// The real object, without what wraps it; the engine takes no other.
  private @Nullable Object unwrapped(@Nullable Object argument) {
    if (argument instanceof Consumer<?> body) {
      @SuppressWarnings("unchecked") // takes what its caller gives
      Consumer<@Nullable Object> taking = (Consumer<@Nullable Object>) body;
      return (Consumer<@Nullable Object>) given -> taking.accept(inFront(given));
    }
    if (argument instanceof TransactionWork<?> work) {
      return (TransactionWork<Exception>) begun -> work.run((Transaction) inFront(begun));
    }
    if (argument instanceof TransactionBody<?, ?> body) {
      return (TransactionBody<@Nullable Object, Exception>)
          begun -> body.apply((Transaction) inFront(begun));
    }
    return argument != null && Proxy.isProxyClass(argument.getClass())
        ? ((AlteredStore) Proxy.getInvocationHandler(argument)).target
        : argument;
  }

  private @Nullable Object inFront(@Nullable Object result) {
    return switch (result) {
      case AsyncSpace space -> front(AsyncSpace.class, space, alteration);
      case Space space -> front(Space.class, space, alteration, NonBlockingSpace.class);
      case Snapshot snapshot -> front(Snapshot.class, snapshot, alteration);
      case Transaction transaction -> front(Transaction.class, transaction, alteration);
      case TransactionPoint point -> front(TransactionPoint.class, point, alteration);
      case ItemSpace items -> front(ItemSpace.class, items, alteration);
      case ItemSnapshot snapshot -> front(ItemSnapshot.class, snapshot, alteration);
      case IndexedSpace indexed -> front(IndexedSpace.class, indexed, alteration);
      case Watch watch -> front(Watch.class, watch, alteration);
      case Cursor cursor -> front(Cursor.class, cursor, alteration);
      case OrderedMap<?, ?> map -> front(OrderedMap.class, map, alteration);
      case OrderedSet<?> set -> front(OrderedSet.class, set, alteration);
      case null, default -> result;
    };
  }
}
