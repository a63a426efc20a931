package io.varve.infinispan.mapreduce;

import io.varve.cache.mapreduce.PartPlan;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.UncheckedIOException;
import java.lang.invoke.SerializedLambda;
import org.infinispan.commons.configuration.ClassAllowList;
import org.jspecify.annotations.Nullable;

/// A job as bytes, by Java serialization: the one form that every lambda has. It is read with a
/// filter that refuses what the allow list of the cache manager does not name. A lambda is written
/// with the class that it is in, which so has to be on the list as well.
final class PlanBytes {
  private static final String JOB_PACKAGE = PartPlan.class.getPackageName();

  private PlanBytes() {}

  /// @throws IllegalArgumentException if it holds what is not serializable
  static byte[] write(PartPlan<?, ?, ?> plan) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(plan);
    } catch (NotSerializableException e) {
      throw new IllegalArgumentException(
          "a job over a cluster holds what cannot be sent: class="
              + e.getMessage()
              + "; make it serializable, or let mapper, combiner and marshallers do without it",
          e);
    } catch (IOException e) {
      throw new UncheckedIOException("memory has no errors of its own", e);
    }
    return bytes.toByteArray();
  }

  /// @throws SecurityException if a class is not allowed
  static PartPlan<?, ?, ?> read(byte[] bytes, ClassAllowList allowed, ClassLoader loader) {
    Filter filter = new Filter(allowed);
    try (ObjectInputStream in = new LoadingStream(new ByteArrayInputStream(bytes), loader)) {
      in.setObjectInputFilter(filter);
      return (PartPlan<?, ?, ?>) in.readObject();
    } catch (IOException | ClassNotFoundException e) {
      if (filter.refused != null) {
        throw new SecurityException(
            "class of a job not allowed: class="
                + filter.refused.getName()
                + "; allow it on every node, by serialization().allowList() of the cache manager",
            e);
      }
      throw new IllegalStateException(
          "a job cannot be read: error=" + e + "; run the same classes on every node", e);
    }
  }

  /// Finds classes as the cache manager does.
  private static final class LoadingStream extends ObjectInputStream {
    private final ClassLoader loader;

    LoadingStream(InputStream in, ClassLoader loader) throws IOException {
      super(in);
      this.loader = loader;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass found)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(found.getName(), false, loader);
      } catch (ClassNotFoundException e) {
        return super.resolveClass(found); // of a primitive type, or of this library
      }
    }
  }

  private static final class Filter implements ObjectInputFilter {
    private final ClassAllowList allowed;
    private @Nullable Class<?> refused;

    Filter(ClassAllowList allowed) {
      this.allowed = allowed;
    }

    @Override
    public Status checkInput(FilterInfo info) {
      Class<?> type = info.serialClass();
      if (type == null) {
        return Status.UNDECIDED; // limits of the JVM's own filter, if there is one
      }
      while (type.isArray()) {
        type = type.getComponentType();
      }
      if (type.isHidden()) {
        type = type.getNestHost(); // a lambda has the name of no class, and the rights of its own
      }
      if (type.isPrimitive()
          || type == Object.class
          || type == SerializedLambda.class
          || type.getPackageName().equals(JOB_PACKAGE)
          || allowed.isSafeClass(type.getName())) {
        return Status.ALLOWED;
      }
      refused = type;
      return Status.REJECTED;
    }
  }
}
