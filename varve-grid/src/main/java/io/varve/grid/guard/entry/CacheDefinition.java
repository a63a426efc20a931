package io.varve.grid.guard.entry;

import io.varve.grid.guard.connection.AsItself;
import io.varve.infinispan.StoreKeyModule;
import io.varve.infinispan.VarveStoreConfiguration;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.infinispan.commons.configuration.io.ConfigurationReader;
import org.infinispan.commons.configuration.io.ConfigurationReader.ElementType;
import org.infinispan.commons.configuration.io.ConfigurationResourceResolvers;
import org.infinispan.commons.configuration.io.NamingStrategy;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.cache.ContentTypeConfiguration;
import org.infinispan.configuration.cache.EncodingConfiguration;
import org.infinispan.configuration.cache.StoreConfiguration;
import org.infinispan.configuration.global.GlobalConfiguration;
import org.infinispan.configuration.parsing.ConfigurationBuilderHolder;
import org.infinispan.configuration.parsing.ParserRegistry;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.jspecify.annotations.Nullable;

/// What a client may set for a cache or a counter that it makes. Infinispan's definitions name
/// classes to load, files and addresses to open, and properties of the process to put in; those are
/// for the file of an operator, that `--config` names.
public final class CacheDefinition {
  /// Of a definition. A cache with hundreds of indexed messages has less. Readers of XML take time
  /// with the square of it: a tenth of a second for this.
  public static final int BYTES_MAX = 64 << 10;

  public static final String TOO_LONG =
      "the definition is too long: max=" + BYTES_MAX + " bytes; use a file for --config";

  private static final int NAME_CHARS_MAX = 200;

  private static final int CAUSE_CHARS_MAX = 300;

  private static final String PRIVATE = "org.infinispan.";

  private static final Pattern OUTSIDE =
      Pattern.compile(
          ".*(store|loader|interceptor|include|data-source|connection|jgroups|server).*");

  private static final Set<String> FILES_AND_CLASSES =
      Set.of(
          "class",
          "path",
          "location",
          "relative-to",
          "href",
          "factory",
          "grouper",
          "marshaller",
          "transaction-manager-lookup",
          "data-path",
          "index-path");

  /// What Infinispan converts from and to types of Java, as each cache needs.
  private static final Set<String> FORMATS =
      Set.of(
          MediaType.APPLICATION_JSON_TYPE,
          MediaType.APPLICATION_OBJECT_TYPE,
          MediaType.APPLICATION_OCTET_STREAM_TYPE,
          MediaType.APPLICATION_PROTOSTREAM_TYPE,
          MediaType.APPLICATION_SERIALIZED_OBJECT_TYPE,
          "application/unknown",
          MediaType.APPLICATION_XML_TYPE,
          MediaType.MATCH_ALL_TYPE,
          MediaType.TEXT_PLAIN_TYPE,
          MediaType.WWW_FORM_URLENCODED_TYPE);

  public static final String PROPERTIES =
      "a definition of a client names no properties and no entities";

  /// A class that is not Infinispan's, by its packages.
  private static final Pattern CLASS =
      Pattern.compile("(?!org\\.infinispan\\.)([a-z_]\\w*\\.)+[A-Z]\\w*");

  private CacheDefinition() {}

  /// What a manager has for all caches. No client asks for it, so its rights do not count.
  public static GlobalConfiguration global(EmbeddedCacheManager manager) {
    return AsItself.call(() -> GlobalComponentRegistry.of(manager)).getGlobalConfiguration();
  }

  /// Whether a text names a property of the process or a variable of its environment, which
  /// Infinispan puts in where it reads a definition: one of a client, or one that it has written.
  public static boolean namesProperty(String text) {
    return text.contains("${");
  }

  /// Whether a cache may be made that has a name: one that is no path, and no property.
  public static boolean isName(String name) {
    return name.length() <= NAME_CHARS_MAX
        && !namesProperty(name)
        && !name.isEmpty()
        && !name.startsWith(".")
        && name.chars().noneMatch(letter -> letter == '/' || letter == '\\' || letter < ' ');
  }

  /// Whether a name is one of those that Infinispan has for caches of its own: of definitions,
  /// roles, counters, locks, schemas and scripts. Some of them it makes when they are first asked
  /// for.
  public static boolean isOfInfinispan(String name) {
    return name.startsWith(PRIVATE) || name.startsWith("___");
  }

  /// Whether a name is one of those that no client reads or writes entries of.
  public static boolean isPrivate(String name) {
    return name.startsWith(PRIVATE);
  }

  /// Why a definition of a cache is not taken, or null if it is.
  ///
  /// @param text in XML, JSON or YAML
  /// @param format that Infinispan reads it in, or null where it goes by the first letter
  /// @param global of the node, which may have a key for its stores
  public static @Nullable String refusal(
      String text, @Nullable MediaType format, GlobalConfiguration global) {
    return refusal(
        text,
        () -> {
          String refusal = refusedWord(text, format);
          return refusal != null ? refusal : refusedFiles(text, format, global);
        });
  }

  /// Why a definition of a counter is not taken, or null if it is.
  ///
  /// @param text in JSON
  public static @Nullable String counterRefusal(String text) {
    return refusal(text, () -> refusedWord(text, MediaType.APPLICATION_JSON));
  }

  private static @Nullable String refusal(String text, Supplier<@Nullable String> words) {
    if (text.length() > BYTES_MAX) {
      return TOO_LONG;
    }
    if (namesProperty(text) || text.contains("<!")) {
      return PROPERTIES;
    }
    try {
      return words.get();
    } catch (PropertyException _) {
      return PROPERTIES;
    } catch (RuntimeException e) { // Each reader has others.
      String cause = String.valueOf(e.getMessage()); // Some have all that they have read so far.
      return "the definition cannot be read: "
          + cause.substring(0, Math.min(cause.length(), CAUSE_CHARS_MAX));
    } catch (StackOverflowError _) { // Readers call themselves for each level.
      return "the definition cannot be read: it has too many levels";
    }
  }

  /// Looks at the words alone: parsing loads the classes that they name.
  private static @Nullable String refusedWord(String text, @Nullable MediaType format) {
    ConfigurationReader reader = reader(text, format);
    while (reader.hasNext()) {
      ElementType type = reader.nextElement();
      if (type == ElementType.START_ELEMENT) {
        String element = reader.getLocalName(NamingStrategy.KEBAB_CASE);
        if (OUTSIDE.matcher(element).matches() && !element.equals("varve-store")) {
          return onlyInFile(element);
        }
        for (int index = 0; index < reader.getAttributeCount(); index++) {
          String attribute = reader.getAttributeName(index, NamingStrategy.KEBAB_CASE);
          if (FILES_AND_CLASSES.contains(attribute)
              || CLASS.matcher(reader.getAttributeValue(index)).matches()) {
            return onlyInFile(attribute);
          }
        }
      }
    }
    return null;
  }

  private static ConfigurationReader reader(String text, @Nullable MediaType format) {
    return ConfigurationReader.from(text)
        .withResolver(ConfigurationResourceResolvers.DEFAULT)
        .withType(format)
        .withReplacer(CacheDefinition::withoutProperties)
        .withNamingStrategy(NamingStrategy.KEBAB_CASE)
        .build();
  }

  /// Returns a value as it is, if Infinispan would put no property in. Escapes of JSON or XML may
  /// have hidden one in the text.
  private static @Nullable String withoutProperties(@Nullable String value, Properties properties) {
    if (value != null && value.contains("${")) {
      throw new PropertyException();
    }
    return value;
  }

  private static String onlyInFile(String word) {
    return word + " is for a file of the operator: name it by --config";
  }

  /// Looks at what the words mean, as the server will.
  private static @Nullable String refusedFiles(
      String text, @Nullable MediaType format, GlobalConfiguration global) {
    ConfigurationReader reader = reader(text, format); // notices properties
    ConfigurationBuilderHolder parsed =
        new ParserRegistry().parse(reader, new ConfigurationBuilderHolder());
    for (ConfigurationBuilder builder : parsed.getNamedConfigurationBuilders().values()) {
      Configuration cache = builder.build();
      for (StoreConfiguration store : cache.persistence().stores()) {
        if (!(store instanceof VarveStoreConfiguration varve) || varve.location() != null) {
          return onlyInFile(store.getClass().getSimpleName());
        }
      }
      // Infinispan keeps the definition of a cache that does not start: the node is unhealthy.
      EncodingConfiguration encoding = cache.encoding();
      for (ContentTypeConfiguration type :
          List.of(encoding.keyDataType(), encoding.valueDataType())) {
        if (type.isMediaTypeChanged() && !FORMATS.contains(type.mediaType().getTypeSubtype())) {
          return "a cache has no entries of that format: media-type=" + type.mediaType();
        }
      }
      String index = StoreKeyModule.refusal(global, cache.indexing());
      if (index != null) {
        return index;
      }
    }
    return null;
  }

  /// A definition names a property of the process.
  private static final class PropertyException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
