package io.varve.cache.internal.marshal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectStreamClass;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads objects of allowed classes.
final class AllowedInput extends ShapedInput {
  private final AllowedClasses allowed;
  private final Loaders loaders;
  private final ReadLimits limits;
  private final HashingCosts costs;
  private @Nullable String refused;
  private boolean costsTooMuch;

  AllowedInput(byte[] bytes, AllowedClasses allowed, Loaders loaders, boolean isKey)
      throws IOException {
    super(new ByteArrayInputStream(bytes));
    this.allowed = allowed;
    this.loaders = loaders;
    this.limits = new ReadLimits(bytes.length);
    this.costs = new HashingCosts(bytes.length, isKey);
    setObjectInputFilter(this::check);
    enableResolveObject(true);
  }

  private ObjectInputFilter.Status check(ObjectInputFilter.FilterInfo info) {
    if (limits.checkInput(info) == ObjectInputFilter.Status.REJECTED) {
      return ObjectInputFilter.Status.REJECTED;
    }
    Class<?> type = info.serialClass();
    if (type != null && !costs.add(type)) {
      costsTooMuch = true;
      return ObjectInputFilter.Status.REJECTED;
    }
    if (type == null || type == PlainObject.class || allowed.permits(type)) {
      return ObjectInputFilter.Status.UNDECIDED;
    }
    refused = type.getTypeName();
    return ObjectInputFilter.Status.REJECTED;
  }

  /// The class that was refused; null if none was.
  @Nullable String refused() {
    return refused;
  }

  /// Which limit was exceeded; null if none was.
  @Nullable String exceeded() {
    return costsTooMuch ? "hashingCost, max=" + HashingCosts.COST_MAX : limits.exceeded();
  }

  @Override
  protected @Nullable Object resolveObject(@Nullable Object object) throws IOException {
    if (object != null) {
      requireWithin(costs.add(object));
    }
    return object;
  }

  @Override
  void made(Object object, Collection<? extends @Nullable Object> parts) throws IOException {
    requireWithin(costs.add(object, parts, List.of()));
  }

  private void requireWithin(boolean isWithin) throws IOException {
    if (!isWithin) {
      costsTooMuch = true;
      throw new InvalidObjectException("collections refer to the same parts too often");
    }
  }

  /// Looks where the cache's classes are; the default is the nearest loader on the stack.
  @Override
  protected Class<?> resolveClass(ObjectStreamClass described)
      throws IOException, ClassNotFoundException {
    if (described.getName().equals(PlainObject.class.getName())) {
      return PlainObject.class;
    }
    try {
      return loaders.find(described.getName());
    } catch (ClassNotFoundException e) {
      return super.resolveClass(described); // primitive types have no name that can be looked up
    }
  }

  @Override
  PlainShape shape(String className) throws IOException, ClassNotFoundException {
    Class<?> type = loaders.find(className);
    if (!allowed.permits(type)) {
      refused = className;
      throw new InvalidClassException(className, "the class is not allowed");
    }
    return PlainShape.of(type);
  }
}
