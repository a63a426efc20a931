package io.varve.grid.guard.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.KeySource;
import io.varve.infinispan.StoreKeyConfigurationBuilder;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Definitions of clients name no properties of the process, however they are written.
class CacheDefinitionTest {
  private static @Nullable String refusal(String text, @Nullable MediaType format) {
    return CacheDefinition.refusal(text, format, new GlobalConfigurationBuilder().build());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<local-cache><memory max-size='${env.PATH}'/></local-cache>",
        "<local-cache><memory max-size='&#36;{env.PATH}'/></local-cache>",
        "<local-cache><memory max-size='&#x24;&#123;env.PATH}'/></local-cache>",
        "<local-cache><indexing><indexed-entities><indexed-entity>&#36;{env.PATH}"
            + "</indexed-entity></indexed-entities></indexing></local-cache>",
        "{\"local-cache\":{\"memory\":{\"max-size\":\"\\u0024{env.PATH}\"}}}",
        "{\"local-cache\":{\"indexing\":{\"indexed-entities\":[\"\\u0024{env.PATH}\"]}}}",
        "localCache:\n  memory:\n    maxSize: \"\\x24{env.PATH}\"\n",
        "localCache:\n  memory:\n    maxSize: \"\\u0024{env.PATH}\"\n"
      })
  void aPropertyIsSeenBelowEscapes(String text) {
    String path = System.getenv("PATH");
    assertThat(refusal(text, null)).isNotNull().doesNotContain(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<local-cache/>",
        "<local-cache><indexing><indexed-entities><indexed-entity>Book</indexed-entity>"
            + "</indexed-entities></indexing></local-cache>",
        "{\"local-cache\":{\"indexing\":{\"indexed-entities\":[\"Book\"]}}}",
        "localCache:\n  indexing:\n    indexedEntities:\n      - \"Book\"\n"
      })
  void aDefinitionWithoutOneIsTaken(String text) {
    assertThat(refusal(text, null)).isNull();
  }

  /// Readers of XML and YAML took all memory and minutes for some megabytes of levels.
  @ParameterizedTest
  @ValueSource(strings = {"<a>", "- ", "[", "{\"a\":"})
  void aLongDefinitionIsNotRead(String level) {
    assertThat(refusal(level.repeat(1 + CacheDefinition.BYTES_MAX), null))
        .isEqualTo(CacheDefinition.TOO_LONG);
  }

  @ParameterizedTest
  @ValueSource(strings = {"${env.PATH}", "\\u0024{env.PATH}", "\\u0024\\u007benv.PATH}"})
  void aCounterNamesNone(String value) {
    String text = "{\"strong-counter\":{\"initial-value\":\"%s\",\"storage\":\"VOLATILE\"}}";
    assertThat(CacheDefinition.counterRefusal(text.formatted(value)))
        .isNotNull()
        .doesNotContain(System.getenv("PATH"));
    assertThat(CacheDefinition.counterRefusal(text.formatted("1"))).isNull();
  }

  /// Infinispan reads it in the format that the request states.
  @Test
  void aDefinitionIsReadInItsFormat() {
    String xml = "<local-cache/>";
    assertThat(refusal(xml, MediaType.APPLICATION_XML)).isNull();
    assertThat(refusal(xml, MediaType.APPLICATION_JSON)).isNotNull();
  }

  /// They are read before a client has logged in.
  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":", "[", "<a>", "[ "})
  void aDefinitionOfManyLevelsIsAnsweredShortly(String level) {
    assertThat(refusal(level.repeat(200_000), null)).isNotNull().hasSizeLessThan(500);
  }

  /// Its files are in clear. Infinispan has them where a definition names no storage.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<local-cache><indexing storage='filesystem'><indexed-entities><indexed-entity>Book"
            + "</indexed-entity></indexed-entities></indexing></local-cache>",
        "<distributed-cache><indexing><indexed-entities><indexed-entity>Book</indexed-entity>"
            + "</indexed-entities></indexing></distributed-cache>",
        "{\"local-cache\":{\"indexing\":{\"indexed-entities\":[\"Book\"]}}}",
        "localCache:\n  indexing:\n    storage: filesystem\n    indexedEntities:\n      - Book\n"
      })
  void anIndexInFilesIsRefusedWhereStoresAreEncrypted(String text) {
    var global = new GlobalConfigurationBuilder();
    global
        .addModule(StoreKeyConfigurationBuilder.class)
        .key(KeySource.of(new byte[KeySource.KEY_BYTES]));
    assertThat(CacheDefinition.refusal(text, null, global.build())).contains("local-heap");
    assertThat(refusal(text, null)).isNull();
  }
}
