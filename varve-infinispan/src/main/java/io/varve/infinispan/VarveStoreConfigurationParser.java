package io.varve.infinispan;

import io.varve.Durability;
import java.util.Arrays;
import org.infinispan.commons.CacheConfigurationException;
import org.infinispan.commons.configuration.io.ConfigurationReader;
import org.infinispan.commons.util.ByteQuantity;
import org.infinispan.configuration.parsing.CacheParser;
import org.infinispan.configuration.parsing.ConfigurationBuilderHolder;
import org.infinispan.configuration.parsing.ConfigurationParser;
import org.infinispan.configuration.parsing.Namespace;
import org.infinispan.configuration.parsing.ParseUtils;

/// Reads the element `varve-store` from XML, JSON or YAML. Found by Infinispan as a service.
@Namespace(root = "varve-store")
@Namespace(uri = VarveStoreConfigurationParser.NAMESPACE, root = "varve-store")
public final class VarveStoreConfigurationParser implements ConfigurationParser {
  /// With its version: Infinispan would take a wildcard for versions of its own.
  static final String NAMESPACE = "urn:infinispan:config:store:varve:0.1";

  /// Made by Infinispan.
  public VarveStoreConfigurationParser() {}

  @Override
  public Namespace[] getNamespaces() {
    return ParseUtils.getNamespaceAnnotations(getClass());
  }

  @Override
  public void readElement(ConfigurationReader reader, ConfigurationBuilderHolder holder) {
    if (!reader.getLocalName().equals(VarveElement.VARVE_STORE.toString())) {
      throw ParseUtils.unexpectedElement(reader);
    }
    VarveStoreConfigurationBuilder builder =
        holder
            .getCurrentConfigurationBuilder()
            .persistence()
            .addStore(VarveStoreConfigurationBuilder.class);
    for (int index = 0; index < reader.getAttributeCount(); index++) {
      ParseUtils.requireNoNamespaceAttribute(reader, index);
      readAttribute(reader, index, builder);
    }
    while (reader.inTag()) {
      CacheParser.parseStoreElement(reader, builder);
    }
  }

  private static void readAttribute(
      ConfigurationReader reader, int index, VarveStoreConfigurationBuilder builder) {
    String value = reader.getAttributeValue(index);
    switch (reader.getAttributeName(index)) {
      case "location" -> builder.location(value);
      case "durability" -> builder.durability(durability(reader, value));
      case "cache-bytes" -> builder.cacheBytes(bytes(reader, "cache-bytes", value));
      case "off-heap-bytes" -> builder.offHeapBytes(bytes(reader, "off-heap-bytes", value));
      case "compression" -> builder.compression(value);
      default -> CacheParser.parseStoreAttribute(reader, index, builder);
    }
  }

  private static Durability durability(ConfigurationReader reader, String value) {
    return Arrays.stream(Durability.values())
        .filter(durability -> durability.name().equals(value))
        .findFirst()
        .orElseThrow(() ->
            refused(reader, "durability", value, "one of " + Arrays.toString(Durability.values())));
  }

  private static long bytes(ConfigurationReader reader, String attribute, String value) {
    try {
      return ByteQuantity.parse(value);
    } catch (IllegalArgumentException e) {
      throw refused(reader, attribute, value, "a number of bytes, such as 67108864 or 64 MiB");
    }
  }

  private static CacheConfigurationException refused(
      ConfigurationReader reader, String attribute, String value, String wanted) {
    return new CacheConfigurationException(
        "cannot read "
            + attribute
            + " of varve-store: found="
            + value
            + ", at="
            + reader.getName()
            + reader.getLocation()
            + "; give "
            + wanted);
  }
}
