package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.catalog.CatalogFeatures;
import javax.xml.catalog.CatalogManager;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import org.infinispan.commons.CacheConfigurationException;
import org.infinispan.commons.configuration.io.ConfigurationWriter;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.io.StringBuilderWriter;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.parsing.ParserRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What files and programs can set for a store, and the error that they get if it cannot be.
class VarveStoreConfigurationTest {
  private static final Path CONFIGURATIONS =
      Path.of("src/test/resources/configs/all/varve-store.xml");

  private static final String JSON =
      """
      {"infinispan": {"cache-container": {"caches": {"c": {"local-cache": {"persistence": {
        "varve-store": {"location": "data", "durability": "BACKGROUND", "cache-bytes": "1 GiB",
                        "off-heap-bytes": "2 GiB",
                        "compression": "deflate", "preload": true}}}}}}}}
      """;

  private static final String YAML =
      """
      infinispan:
        cacheContainer:
          caches:
            c:
              localCache:
                persistence:
                  varveStore:
                    location: data
                    durability: BACKGROUND
                    cacheBytes: 1 GiB
                    offHeapBytes: 2 GiB
                    compression: deflate
                    preload: true
      """;

  private static String xml(String attributes) {
    return "<infinispan><cache-container><local-cache name=\"c\"><persistence><varve-store"
        + " xmlns=\"urn:infinispan:config:store:varve:0.1\" "
        + attributes
        + "/></persistence></local-cache></cache-container></infinispan>";
  }

  private static VarveStoreConfiguration read(String text, MediaType type) {
    return (VarveStoreConfiguration)
        new ParserRegistry()
            .parse(text, type)
            .getNamedConfigurationBuilders()
            .get("c")
            .build()
            .persistence()
            .stores()
            .getFirst();
  }

  private static void assertAll(VarveStoreConfiguration store) {
    assertThat(store.location()).isEqualTo("data");
    assertThat(store.durability()).isEqualTo(Durability.BACKGROUND);
    assertThat(store.cacheBytes()).isEqualTo(1L << 30);
    assertThat(store.offHeapBytes()).isEqualTo(2L << 30);
    assertThat(store.compression()).isEqualTo("deflate");
    assertThat(store.preload()).isTrue();
    assertThat(store.segmented()).isTrue();
  }

  @Test
  void everyFormatGivesTheSame() {
    assertAll(
        read(
            xml(
                "location='data' durability='BACKGROUND' cache-bytes='1 GiB'"
                    + " off-heap-bytes='2 GiB' compression='deflate' preload='true'"),
            MediaType.APPLICATION_XML));
    assertAll(read(JSON, MediaType.APPLICATION_JSON));
    assertAll(read(YAML, MediaType.APPLICATION_YAML));
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/xml", "application/json", "application/yaml"})
  void whatIsWrittenIsReadAgain(String type) {
    ConfigurationBuilder cache = new ConfigurationBuilder();
    cache
        .persistence()
        .addStore(VarveStoreConfigurationBuilder.class)
        .location("data")
        .durability(Durability.BACKGROUND)
        .cacheBytes(1L << 30)
        .offHeapBytes(2L << 30)
        .compression("deflate")
        .preload(true);
    StringBuilderWriter text = new StringBuilderWriter();
    try (ConfigurationWriter writer =
        ConfigurationWriter.to(text).withType(MediaType.fromString(type)).build()) {
      new ParserRegistry()
          .serialize(writer, new GlobalConfigurationBuilder().build(), Map.of("c", cache.build()));
    }
    assertAll(read(text.toString(), MediaType.fromString(type)));
  }

  @Test
  void defaultsAreDurable() {
    VarveStoreConfiguration store = read(xml(""), MediaType.APPLICATION_XML);
    assertThat(store.location()).isNull();
    assertThat(store.durability()).isEqualTo(Durability.POWER_LOSS);
    assertThat(store.cacheBytes()).isEqualTo(64L << 20);
    assertThat(store.compression()).isEqualTo("none");
    assertThat(store.shared()).isFalse();
  }

  @Test
  void whatCannotBeReadIsSaid() {
    assertThatThrownBy(() -> read(xml("durability='SURE'"), MediaType.APPLICATION_XML))
        .hasStackTraceContaining("cannot read durability of varve-store: found=SURE, at=")
        .hasStackTraceContaining("give one of [POWER_LOSS, PROCESS_CRASH, BACKGROUND, NONE]");
    assertThatThrownBy(() -> read(xml("cache-bytes='much'"), MediaType.APPLICATION_XML))
        .hasStackTraceContaining("cannot read cache-bytes of varve-store: found=much, at=")
        .hasStackTraceContaining("give a number of bytes, such as 67108864 or 64 MiB");
    assertThatThrownBy(() -> read(xml("cache-bytes='1000'"), MediaType.APPLICATION_XML))
        .hasStackTraceContaining(
            "cache-bytes of a varve-store out of range: cache-bytes=1000, min=1048576");
    assertThatThrownBy(() -> read(xml("off-heap-bytes='1000'"), MediaType.APPLICATION_XML))
        .hasStackTraceContaining(
            "off-heap-bytes of a varve-store out of range: off-heap-bytes=1000, none=0,"
                + " min=1048576");
    assertThatThrownBy(() -> read(xml("sync='true'"), MediaType.APPLICATION_XML))
        .hasStackTraceContaining("sync");
  }

  @Test
  void aSharedStoreIsRefused() {
    ConfigurationBuilder cache = new ConfigurationBuilder();
    cache.clustering().cacheMode(CacheMode.DIST_SYNC);
    cache.persistence().addStore(VarveStoreConfigurationBuilder.class).shared(true);
    assertThatThrownBy(cache::build)
        .isInstanceOf(CacheConfigurationException.class)
        .hasMessageStartingWith("a varve-store cannot be shared: ");
  }

  @Test
  void aStoreOnDiskNeedsALocation() {
    GlobalConfigurationBuilder global = new GlobalConfigurationBuilder();
    ConfigurationBuilder cache = new ConfigurationBuilder();
    cache.persistence().addStore(VarveStoreConfigurationBuilder.class);
    assertThatThrownBy(() -> cache.build(global.build())).hasStackTraceContaining("location");
    cache.persistence().clearStores();
    cache.persistence().addStore(VarveStoreConfigurationBuilder.class).durability(Durability.NONE);
    assertThat(cache.build(global.build()).persistence().stores()).hasSize(1);
  }

  /// The schema in the jar accepts what the parser does. It builds on that of Infinispan, which is
  /// taken from its jar, and that on one of JGroups, of which nothing is used here.
  @Test
  void theSchemaDescribesTheElement(@TempDir Path directory) throws Exception {
    Path base = directory.resolve("infinispan.xsd");
    Files.writeString(
        base,
        new String(resource("schema/infinispan-config-16.0.xsd"), StandardCharsets.UTF_8)
            .replace(" default=\"4m\"", "")); // which is no integer, as it is said to be
    Path jgroups = directory.resolve("jgroups.xsd");
    Files.writeString(
        jgroups,
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:org:jgroups'>"
            + "<xs:complexType name='ConfigType'/></xs:schema>");
    Path catalog = directory.resolve("catalog.xml");
    Files.writeString(
        catalog,
        "<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'>"
            + "<systemSuffix systemIdSuffix='infinispan-config-16.0.xsd' uri='"
            + base.toUri()
            + "'/><systemSuffix systemIdSuffix='jgroups-5.5.xsd' uri='"
            + jgroups.toUri()
            + "'/></catalog>");
    Path own = directory.resolve("varve.xsd");
    Files.write(own, resource("schema/varve-infinispan-config-0.1.xsd"));
    SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
    factory.setResourceResolver(
        CatalogManager.catalogResolver(CatalogFeatures.defaults(), catalog.toUri()));
    Validator validator = factory.newSchema(own.toFile()).newValidator();
    validator.validate(new StreamSource(CONFIGURATIONS.toFile()));
    String wrong = Files.readString(CONFIGURATIONS).replace("PROCESS_CRASH", "SURE");
    assertThatThrownBy(() -> validator.validate(new StreamSource(new StringReader(wrong))))
        .hasMessageContaining("SURE");
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream stream =
        VarveStoreConfiguration.class.getClassLoader().getResourceAsStream(name)) {
      return stream.readAllBytes();
    }
  }
}
