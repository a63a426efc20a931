package io.varve.cache.internal.file;

import io.varve.StoreOptions;
import io.varve.cache.CacheOptions;
import io.varve.cache.VarveCachingProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.LongFunction;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/// What a file sets for the caches of a manager. The guide to caches has all options.
///
/// @param properties of the manager, by the names that [VarveCachingProvider] gives them
/// @param caches by their names, in the order of the file
public record CacheFile(Properties properties, Map<String, CacheOptions<Object, Object>> caches) {
  private static final String CLASS_PATH = "classpath:";

  /// Reads a file. Classes that it names are loaded, and objects of none are made yet.
  ///
  /// @param uri of a file or of any other URL, or `classpath:` and the name of a resource
  /// @param loader of resources and classes
  /// @throws CacheException that names the file, the line and the option that cannot be used
  public static CacheFile read(URI uri, ClassLoader loader) {
    try {
      Node document =
          new Yaml(new SafeConstructor(new LoaderOptions()))
              .compose(new StringReader(text(uri, loader)));
      if (document == null) {
        throw new CacheException(
            "a file of caches is empty: file=" + uri + "; write caches: and their names below it");
      }
      return of(new Setting(uri.toString(), "", document), directoryOf(uri), loader);
    } catch (CharacterCodingException e) {
      throw new CacheException(
          "a file of caches is not in UTF-8: file=" + uri + "; save it in that encoding", e);
    } catch (IOException | URISyntaxException | IllegalArgumentException e) {
      throw new CacheException(
          "a file of caches cannot be read: file="
              + uri
              + "; name one that is there, by file:///path/of/caches.yaml or classpath:caches.yaml",
          e);
    } catch (MarkedYAMLException e) {
      throw new CacheException(
          "a file of caches is no YAML: file="
              + uri
              + ", line="
              + (e.getProblemMark().getLine() + 1)
              + ", column="
              + (e.getProblemMark().getColumn() + 1)
              + ", problem="
              + e.getProblem()
              + "; correct that line",
          e);
    } catch (YAMLException e) {
      throw new CacheException(
          "a file of caches is no YAML: file="
              + uri
              + ", problem="
              + String.valueOf(e.getMessage()).replaceAll("\\s+", " ")
              + "; correct it",
          e);
    }
  }

  /// The text of a file. Bytes that are no UTF-8 would be characters of names otherwise.
  private static String text(URI uri, ClassLoader loader) throws IOException, URISyntaxException {
    try (InputStream bytes = open(uri, loader)) {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.readAllBytes()))
          .toString();
    }
  }

  private static InputStream open(URI uri, ClassLoader loader)
      throws IOException, URISyntaxException {
    if ("file".equals(uri.getScheme())) {
      return Files.newInputStream(
          Path.of(uri)); // a URL would read a directory as its list of names
    }
    String name = uri.toString();
    if (!name.startsWith(CLASS_PATH)) {
      return uri.toURL().openStream();
    }
    String resource = name.substring(CLASS_PATH.length()).replaceFirst("^/+", "");
    URL found = loader.getResource(resource);
    if (found == null) {
      throw new IOException("no resource on the class path: name=" + resource);
    }
    return found.openStream();
  }

  /// Where a directory that the file names is looked for: next to the file, or where the program
  /// runs, if the file is no file of its own.
  private static Path directoryOf(URI uri) {
    Path parent = "file".equals(uri.getScheme()) ? Path.of(uri).getParent() : null;
    return parent == null ? Path.of("") : parent;
  }

  private static CacheFile of(Setting document, Path directory, ClassLoader loader) {
    NamedOptions section = new NamedOptions(document);
    Properties properties = new Properties();
    StoreOptions options = StoreOptions.defaults(); // refuses what no store can have
    section.ifSaid(
        "directory",
        each ->
            properties.setProperty(
                VarveCachingProvider.DIRECTORY, each.path(directory).toString()));
    section.ifSaid(
        "key-file",
        each ->
            properties.setProperty(VarveCachingProvider.KEY_FILE, each.path(directory).toString()));
    section.ifSaid(
        "page-cache",
        each -> bytes(properties, VarveCachingProvider.CACHE_BYTES, each, options::cacheBytes));
    section.ifSaid(
        "off-heap",
        each ->
            bytes(
                properties,
                VarveCachingProvider.OFF_HEAP_BYTES,
                each,
                count -> options.cache(cache -> cache.offHeapBytes(count))));
    section.ifSaid(
        "page-size",
        each ->
            bytes(
                properties,
                VarveCachingProvider.PAGE_BYTES,
                each,
                count -> options.pageBytes(Math.toIntExact(count))));
    CacheSection reader = new CacheSection(loader);
    Setting defaults = section.find("defaults");
    if (defaults != null) {
      reader.applyTo(new CacheOptions<>(), defaults); // refused even if no cache has them
    }
    Map<String, CacheOptions<Object, Object>> caches = new LinkedHashMap<>();
    section.ifSaid(
        "caches",
        each ->
            new NamedOptions(each)
                .all()
                .forEach((name, said) -> caches.put(name, options(reader, defaults, said))));
    section.end();
    return new CacheFile(properties, caches);
  }

  private static void bytes(
      Properties properties, String name, Setting said, LongFunction<StoreOptions> check) {
    long count = said.bytes();
    try {
      var _ = check.apply(count);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw said.refusal("no store can have that: " + e.getMessage(), e);
    }
    properties.setProperty(name, Long.toString(count));
  }

  private static CacheOptions<Object, Object> options(
      CacheSection section, @Nullable Setting defaults, Setting said) {
    CacheOptions<Object, Object> options = new CacheOptions<>();
    if (defaults != null) {
      section.applyTo(options, defaults);
    }
    section.applyTo(options, said);
    section.requireSource(options, said);
    return options;
  }
}
