package io.varve.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Loads the engine and this kit once more, so that threads of [SimulatedThreads] also stop at the
/// engine's accesses to what threads share: VarHandles, volatile fields, atomics and locks.
///
/// The classes that a program runs are left as they are: only the copies of this loader are woven,
/// by the JDK's own class-file API. Neither an agent nor an option of the JVM is needed, except
/// those of [SimulatedThreads].
///
/// ```java
/// // Overdraft is a Runnable with a constructor without parameters, and uses SimulatedThreads.
/// new WovenClassLoader(Overdraft.class.getName()).run(Overdraft.class);
/// ```
///
/// - **Threads:** one simulation at a time in one loader. Several loaders do not disturb each
///   other.
public final class WovenClassLoader extends ClassLoader {
  /// Packages that are loaded once more.
  private static final Set<String> COPIED =
      Set.of("io.varve", "io.varve.admin", "io.varve.item", "io.varve.spi", "io.varve.compress");

  /// Packages that are loaded once more, with those below them.
  private static final List<String> COPIED_TREES = List.of("io.varve.internal", "io.varve.test");

  /// What both worlds have in common.
  private static final Set<String> SHARED =
      Set.of(WovenClassLoader.class.getName(), Weaver.class.getName());

  static {
    registerAsParallelCapable();
  }

  private final Set<String> own;
  private final Map<String, UnaryOperator<byte[]>> changes;
  private final Weaver weaver = new Weaver(WovenClassLoader.class.getClassLoader(), this::compiled);

  /// Makes a loader.
  ///
  /// @param own names of classes of the caller that use the engine or this kit, and so must be
  ///   loaded with them; classes that are nested in those are as well
  public WovenClassLoader(String... own) {
    this(Map.of(), own);
  }

  /// Makes a loader of an engine with a defect, for a test of what should find it.
  ///
  /// @param changes what becomes of the bytes of some classes before they are woven, by their names
  /// @param own as of [#WovenClassLoader(String...)]
  public WovenClassLoader(Map<String, UnaryOperator<byte[]>> changes, String... own) {
    super("woven", WovenClassLoader.class.getClassLoader());
    this.changes = Map.copyOf(changes);
    this.own = Set.of(own);
  }

  /// Runs the woven copy of a class that was named to the constructor.
  public void run(Class<? extends Runnable> type) {
    Runnable made;
    try {
      var constructor = loadClass(type.getName()).getDeclaredConstructor();
      constructor.setAccessible(true);
      made = (Runnable) constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "class cannot be made in its woven form: class="
              + type.getName()
              + "; it needs a constructor without parameters",
          e);
    }
    made.run();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!isCopied(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private boolean isCopied(String name) {
    String outer = name.indexOf('$') < 0 ? name : name.substring(0, name.indexOf('$'));
    if (own.contains(name) || own.contains(outer)) {
      return true;
    }
    String inPackage = name.substring(0, Math.max(0, name.lastIndexOf('.')));
    return !SHARED.contains(outer)
        && (COPIED.contains(inPackage)
            || COPIED_TREES.stream()
                .anyMatch(tree -> inPackage.equals(tree) || inPackage.startsWith(tree + ".")));
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes = find(name);
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    UnaryOperator<byte[]> change = changes.get(name);
    byte[] changed = change == null ? bytes : change.apply(bytes);
    byte[] woven = Weaver.isWoven(name) ? weaver.weave(changed) : changed;
    return defineClass(name, woven, 0, woven.length);
  }

  private byte[] compiled(String name) {
    byte[] bytes = find(name);
    if (bytes == null) {
      throw new IllegalStateException("class is not there: class=" + name);
    }
    return bytes;
  }

  /// The bytes of a class as it was compiled, or null if there is none of that name.
  private byte @Nullable [] find(String name) {
    try (InputStream bytes = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      return bytes == null ? null : bytes.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("class cannot be read: class=" + name, e);
    }
  }
}
