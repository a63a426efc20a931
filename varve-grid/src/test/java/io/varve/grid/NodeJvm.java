package io.varve.grid;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// The JVM of a node in a process of its own. Most of what a node does in a test is its start, and
/// a cache of classes halves that. It is made once for each state of the classes, as `./varve` does
/// after each build, and costs as much as five starts. A cache needs jars, so directories of
/// classes are packed first.
public final class NodeJvm {
  private static final Path ROOT = Path.of("target", "node");
  private static final String LOCK = "lock";
  private static final String CACHE = "classes.aot";

  /// In a directory of jars that are all there; with or without a cache.
  private static final String DONE = "done";

  private static final int SECONDS_MAX = 300;

  private static final List<String> OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private NodeJvm() {}

  /// The command that runs the program of a node, up to the arguments of that.
  ///
  /// @param heapMegabytes that the node may have at most
  /// @param more options of the JVM
  public static List<String> command(int heapMegabytes, List<String> more) throws IOException {
    Path jars = jars();
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heapMegabytes + "m");
    command.addAll(OPTIONS);
    Path cache = jars.resolve(CACHE);
    if (Files.exists(cache)) {
      command.addAll(
          List.of("-XX:AOTCache=" + cache.toAbsolutePath(), "-Xlog:aot*=off", "-Xlog:cds*=off"));
    }
    command.addAll(more);
    command.addAll(List.of("-cp", classPath(jars), Main.class.getName()));
    return command;
  }

  private static List<Path> entries() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(Files::exists)
        .toList();
  }

  /// The class path of this JVM, with a jar in the place of each directory.
  private static String classPath(Path jars) {
    var path = new ArrayList<String>();
    for (Path entry : entries()) {
      Path jar = Files.isDirectory(entry) ? jar(jars, entry) : entry;
      path.add(jar.toAbsolutePath().toString());
    }
    return String.join(File.pathSeparator, path);
  }

  private static Path jar(Path jars, Path classes) {
    return jars.resolve(classes.toString().replace(File.separatorChar, '_') + ".jar");
  }

  /// The directory of the jars of the classes as they are, which is made if it is not there. JVMs
  /// that test concurrently make it once.
  private static Path jars() throws IOException {
    Files.createDirectories(ROOT);
    Path jars = ROOT.resolve(Long.toHexString(state()));
    try (FileChannel lock =
            FileChannel.open(
                ROOT.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = lock.lock()) {
      if (!Files.exists(jars.resolve(DONE))) {
        deleteOthers();
        Files.createDirectories(jars);
        for (Path entry : entries()) {
          if (Files.isDirectory(entry)) {
            pack(entry, jar(jars, entry));
          }
        }
        makeCache(jars);
        Files.writeString(jars.resolve(DONE), "");
      }
    }
    return jars;
  }

  /// Those of earlier states of the classes, and what a run left that did not come to its end.
  private static void deleteOthers() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
        if (!file.equals(ROOT) && !file.equals(ROOT.resolve(LOCK))) { // stores have a lock, too
          Files.delete(file);
        }
      }
    }
  }

  /// A sum of the names, sizes and times of all classes that a node can load.
  private static long state() throws IOException {
    var sum = new CRC32C();
    for (Path entry : entries()) {
      try (Stream<Path> files = Files.walk(entry)) {
        for (Path file : (Iterable<Path>) files.sorted()::iterator) {
          var attributes = Files.readAttributes(file, BasicFileAttributes.class);
          sum.update(
              (file + " " + attributes.size() + " " + attributes.lastModifiedTime() + "\n")
                  .getBytes(UTF_8));
        }
      }
    }
    return sum.getValue();
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (var zip = new ZipOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes)) {
      zip.setLevel(1);
      files
          .filter(Files::isRegularFile)
          .sorted()
          .forEach(file -> add(zip, classes.relativize(file).toString(), file));
    }
  }

  private static void add(ZipOutputStream zip, String name, Path file) {
    try {
      zip.putNextEntry(new ZipEntry(name.replace(File.separatorChar, '/')));
      Files.copy(file, zip);
      zip.closeEntry();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Runs a node that ends when it is ready. A node without a cache starts as well.
  private static void makeCache(Path jars) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:AOTCacheOutput=" + jars.resolve(CACHE));
    command.addAll(OPTIONS);
    command.addAll(List.of("-cp", classPath(jars), Main.class.getName()));
    command.addAll(List.of("serve", "--data", jars.resolve("data").toString()));
    command.addAll(List.of("--port", "0", "--stop-when-ready"));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(jars.resolve("log").toFile())
            .start();
    try {
      process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }
}
