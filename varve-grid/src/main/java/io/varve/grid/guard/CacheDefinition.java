package io.varve.grid.guard;

import io.varve.infinispan.VarveStoreConfiguration;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.infinispan.commons.CacheConfigurationException;
import org.infinispan.commons.configuration.io.ConfigurationReader;
import org.infinispan.commons.configuration.io.ConfigurationReader.ElementType;
import org.infinispan.commons.configuration.io.ConfigurationReaderException;
import org.infinispan.commons.configuration.io.ConfigurationResourceResolvers;
import org.infinispan.commons.configuration.io.NamingStrategy;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.cache.StoreConfiguration;
import org.infinispan.configuration.parsing.ParserRegistry;
import org.jspecify.annotations.Nullable;

/// What a client may set for a cache that it makes. Infinispan's definitions name classes to load,
/// files and addresses to open, and properties of the process to put in; those are for the file of
/// an operator, that `--config` names.
final class CacheDefinition {
  private static final int NAME_CHARS_MAX = 200;

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

  /// A class that is not Infinispan's, by its packages.
  private static final Pattern CLASS =
      Pattern.compile("(?!org\\.infinispan\\.)([a-z_]\\w*\\.)+[A-Z]\\w*");

  private CacheDefinition() {}

  /// Whether a cache may be made that has a name: one that is no path.
  static boolean isName(String name) {
    return name.length() <= NAME_CHARS_MAX
        && !name.isEmpty()
        && !name.startsWith(".")
        && name.chars().noneMatch(letter -> letter == '/' || letter == '\\' || letter < ' ');
  }

  /// Why a definition is not taken, or null if it is.
  ///
  /// @param text in XML, JSON or YAML
  static @Nullable String refusal(String text) {
    if (text.contains("${") || text.contains("<!")) {
      return "a definition of a client names no properties and no entities";
    }
    try {
      String refusal = refusedWord(text);
      return refusal != null ? refusal : refusedStore(text);
    } catch (CacheConfigurationException | ConfigurationReaderException | IllegalStateException e) {
      return "the definition cannot be read: " + e.getMessage();
    }
  }

  /// Looks at the words alone: parsing loads the classes that they name.
  private static @Nullable String refusedWord(String text) {
    ConfigurationReader reader =
        ConfigurationReader.from(text)
            .withResolver(ConfigurationResourceResolvers.DEFAULT)
            .withReplacer((value, _) -> value)
            .withNamingStrategy(NamingStrategy.KEBAB_CASE)
            .build();
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

  private static String onlyInFile(String word) {
    return word + " is for a file of the operator: name it by --config";
  }

  /// Looks at what the words mean, as the server will.
  private static @Nullable String refusedStore(String text) {
    Map<String, ConfigurationBuilder> caches =
        new ParserRegistry().parse(text, null).getNamedConfigurationBuilders();
    for (ConfigurationBuilder cache : caches.values()) {
      for (StoreConfiguration store : cache.build().persistence().stores()) {
        if (!(store instanceof VarveStoreConfiguration varve) || varve.location() != null) {
          return onlyInFile(store.getClass().getSimpleName());
        }
      }
    }
    return null;
  }
}
