package io.varve.grid.schema;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.infinispan.protostream.FileDescriptorSource;
import org.infinispan.protostream.SerializationContext;
import org.jspecify.annotations.Nullable;

/// The schemas that a context has, by the names of their files.
///
/// - FILES-1 A file is skipped only if the context was last given it with the same content: what it
///   would do is done. What is changed by another way is forgotten before.
final class RegisteredFiles {
  private final Map<String, String> contents = new ConcurrentHashMap<>();

  /// The context, but that it is given no file that it has.
  SerializationContext skippingKnown(SerializationContext context) {
    return (SerializationContext)
        Proxy.newProxyInstance(
            SerializationContext.class.getClassLoader(),
            new Class<?>[] {SerializationContext.class},
            (_, method, arguments) -> call(context, method, arguments));
  }

  void forget(String name) {
    contents.remove(name);
  }

  private @Nullable Object call(SerializationContext context, Method method, Object[] arguments)
      throws Throwable {
    switch (method.getName()) {
      case "registerProtoFiles" -> {
        return register(context, (FileDescriptorSource) arguments[0]);
      }
      case "unregisterProtoFile", "unregisterProtoFiles" -> contents.clear(); // Rare.
      default -> {}
    }
    try {
      return method.invoke(context, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private @Nullable Object register(SerializationContext context, FileDescriptorSource source) {
    Map<String, String> files = source.getFiles();
    if (!contents.entrySet().containsAll(files.entrySet())) {
      files.keySet().forEach(contents::remove);
      context.registerProtoFiles(source);
      contents.putAll(files);
    }
    return null;
  }
}
