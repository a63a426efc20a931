package io.varve.spring;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectStreamClass;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Starts and ends an application ten times in one JVM, each time with its classes from a new class
/// loader, as devtools do. Then prints how often its methods ran, and what is left of it.
final class RestartMain {
  static final String CALLS = "calls=";
  static final String THREAD = "thread=";
  static final String LOADERS = "loaders=";
  static final int STARTS = 10;

  /// How long threads that end, and references that are cleared, may take on a busy machine.
  private static final long COLLECTION_NANOS_MAX = 30_000_000_000L;

  private static final long PAUSE_MILLIS = 20;

  private RestartMain() {}

  /// Defines the classes of the application itself, and leaves all others to its parent.
  private static final class Application extends ClassLoader {
    Application(ClassLoader parent) {
      super("application", parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.varve.spring.Shop")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? define(name) : loaded;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      try (InputStream input = Objects.requireNonNull(getParent().getResourceAsStream(file))) {
        byte[] bytes = input.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    // The first start of a JVM leaves a hook of others, with the class loader of its thread.
    ShopMain.start("--spring.cache.type=simple").close();
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    for (int i = 0; i < STARTS; i++) {
      loaders.add(run(arguments));
    }
    long start = System.nanoTime();
    while (count(loaders) > 0 && System.nanoTime() - start < COLLECTION_NANOS_MAX) {
      System.gc();
      // The JDK forgets classes that it has serialized when it describes a new one.
      ClassLoader next = new Application(RestartMain.class.getClassLoader());
      ObjectStreamClass.lookup(next.loadClass(Shop.Price.class.getName()));
      Thread.sleep(PAUSE_MILLIS); // references are cleared by another thread
    }
    System.out.println(LOADERS + count(loaders));
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      System.out.println(THREAD + thread.getName() + " of " + thread.getContextClassLoader());
    }
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  private static long count(List<WeakReference<ClassLoader>> loaders) {
    return loaders.stream().filter(loader -> loader.get() != null).count();
  }

  /// Runs the application in a thread of its own, whose class loader is that of the application.
  private static WeakReference<ClassLoader> run(String[] arguments) throws Exception {
    ClassLoader loader = new Application(RestartMain.class.getClassLoader());
    Thread thread =
        new Thread(() -> {
          try {
            run(loader, arguments);
          } catch (Exception e) {
            e.printStackTrace(System.out);
          }
        });
    thread.setContextClassLoader(loader);
    thread.start();
    thread.join();
    return new WeakReference<>(loader);
  }

  private static void run(ClassLoader loader, String[] arguments) throws Exception {
    Class<?> main = loader.loadClass(ShopMain.class.getName());
    Class<?> shelf = loader.loadClass(Shop.Shelf.class.getName());
    var context = (AutoCloseable) invoke(main, null, "start", String[].class, arguments);
    try (context) {
      Object bean = context.getClass().getMethod("getBean", Class.class).invoke(context, shelf);
      invoke(main, null, "ask", shelf, bean);
      Method calls = shelf.getDeclaredMethod("calls");
      calls.setAccessible(true);
      System.out.println(CALLS + calls.invoke(bean));
    }
  }

  private static Object invoke(
      Class<?> of, Object target, String name, Class<?> type, Object argument) throws Exception {
    Method method = of.getDeclaredMethod(name, type);
    method.setAccessible(true);
    return method.invoke(target, argument);
  }
}
