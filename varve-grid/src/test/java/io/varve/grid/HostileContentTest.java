package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.guard.connection.CacheParts;
import io.varve.grid.guard.entry.CacheDefinition;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Field;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.global.GlobalConfiguration;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.marshall.core.EncoderRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What clients send to be converted, and is made to take memory or stack. Each is answered by 400.
@Timeout(60)
class HostileContentTest extends SharedNode {
  private static final String PROTOSTREAM = "application/x-protostream";

  /// Two elements of a list, which are both `a`.
  private static final String ELEMENTS = "4a01614a0161";

  private static HttpClient http;

  @BeforeAll
  static void makeCache() throws Exception {
    http = HttpClient.newHttpClient();
    assertThat(send("POST", "caches/messages?template=varve", "Accept", "*/*").statusCode())
        .isEqualTo(200);
  }

  @AfterAll
  static void close() {
    http.close();
  }

  private static HttpResponse<String> send(
      String method, String path, String header, String value, byte... body) throws Exception {
    URI address = URI.create("http://" + Clients.HOST + ":" + node.port() + "/rest/v2/" + path);
    return http.send(
        HttpRequest.newBuilder(address)
            .method(method, BodyPublishers.ofByteArray(body))
            .header(header, value)
            .build(),
        BodyHandlers.ofString());
  }

  private static HttpResponse<String> put(String entry, String type, byte[] body) throws Exception {
    return send("PUT", "caches/" + entry, "Content-Type", type, body);
  }

  private static HttpResponse<String> get(String entry, String type) throws Exception {
    return send("GET", "caches/" + entry, "Accept", type);
  }

  /// A list of Java in the format of Protocol Buffers, which states a number of elements.
  private static byte[] list(String size) {
    return list(size, HexFormat.of().parseHex(ELEMENTS));
  }

  private static byte[] list(String size, byte[] elements) {
    byte[] name = "org.infinispan.protostream.commons.ArrayList".getBytes(ISO_8859_1);
    var list = new ByteArrayOutputStream();
    list.writeBytes(new byte[] {(byte) 0xe2, 1, (byte) name.length});
    list.writeBytes(name);
    list.writeBytes(HexFormat.of().parseHex("d801" + size + "f20100"));
    list.writeBytes(elements);
    return list.toByteArray();
  }

  /// CONVERSION-1. The answers were 500, and an end of the connection, both by a lack of memory.
  @Test
  void aListIsAsLongAsItStates() throws Exception {
    byte[] harmful = list("ffffffff07");
    assertThat(put("default/list", PROTOSTREAM, harmful).statusCode()).isEqualTo(400);
    assertThat(put("messages/list", PROTOSTREAM, harmful).statusCode()).isEqualTo(204);
    assertThat(get("messages/list", "text/plain").statusCode()).isEqualTo(400);
    assertThat(put("messages/list", PROTOSTREAM, list("02")).statusCode()).isEqualTo(204);
    assertThat(get("messages/list", "text/plain").body()).contains("[a, a]");
  }

  /// CONVERSION-1. An element that is a list is a message of its own, which nobody looked at.
  @Test
  void aListInAListIsAsLongAsItStates() throws Exception {
    byte[] harmful = list("01", field("8a01", list("ffffffff07")));
    assertThat(put("messages/lists", PROTOSTREAM, harmful).statusCode()).isEqualTo(204);
    assertThat(get("messages/lists", "text/plain").statusCode()).isEqualTo(400);
    byte[] wrapped = type("org.infinispan.protostream.WrappedMessage", list("ffffffff07"));
    assertThat(put("messages/lists", PROTOSTREAM, wrapped).statusCode()).isEqualTo(204);
    assertThat(get("messages/lists", "text/plain").statusCode()).isEqualTo(400);
    byte[] harmless = list("01", field("8a01", list("02")));
    assertThat(put("messages/lists", PROTOSTREAM, harmless).statusCode()).isEqualTo(204);
    assertThat(get("messages/lists", "text/plain").body()).contains("[[a, a]]");
  }

  /// CONVERSION-1. Infinispan reads what is to be a type of Java as a message.
  @Test
  void aListOfAnyFormatIsAsLongAsItStates() throws Exception {
    byte[] harmful = list("ffffffff07");
    String typed = "application/x-java-object;type=java.util.ArrayList";
    assertThat(put("default/typed", typed, harmful).statusCode()).isEqualTo(400);
    assertThat(put("default/typed", "application/octet-stream", harmful).statusCode())
        .isEqualTo(204);
    assertThat(get("default/typed", typed).statusCode()).isEqualTo(400);
  }

  /// CONVERSION-1. Infinispan decodes a text before it reads it as a message.
  @Test
  void aListInATextIsAsLongAsItStates() throws Exception {
    String hex = "0x" + HexFormat.of().formatHex(list("ffffffff07"));
    byte[] base64 = Base64.getEncoder().encode(list("ffffffff07"));
    String type = PROTOSTREAM + ";encoding=";
    assertThat(put("default/coded", type + "hex", hex.getBytes(ISO_8859_1)).statusCode())
        .isEqualTo(400);
    assertThat(put("default/coded", type + "base64", base64).statusCode()).isEqualTo(400);
    assertThat(send("GET", "caches/default/" + hex, "Key-Content-Type", type + "hex").statusCode())
        .isEqualTo(400);
    byte[] harmless = Base64.getEncoder().encode(list("02"));
    assertThat(put("messages/coded", type + "base64", harmless).statusCode()).isEqualTo(204);
    assertThat(get("messages/coded", "text/plain").body()).contains("[a, a]");
  }

  /// A client that states any format is taken.
  @Test
  void contentOfAnyFormatIsStored() throws Exception {
    assertThat(put("default/any", "*/*", new byte[] {1}).statusCode()).isEqualTo(204);
  }

  /// CONVERSION-4. Twenty bytes were an array of two billion elements.
  @Test
  void serializedObjectsAreNotRead() throws Exception {
    assertThat(make("objects", "application/x-java-object").statusCode()).isEqualTo(200);
    byte[] array =
        HexFormat.of().parseHex("aced0005757200025b4a782004b512b1759302000078707fffffff");
    HttpResponse<String> put = put("objects/array", "application/x-java-serialized-object", array);
    assertThat(put.statusCode()).isEqualTo(400);
    assertThat(put.body()).startsWith("serialized objects of Java are not read");
  }

  /// CONVERSION-3. Each was answered by 500, with a stack in the log.
  @Test
  void contentOfAnotherFormCannotBeConverted() throws Exception {
    assertThat(put("messages/form", "application/json", "[]".getBytes(ISO_8859_1)).statusCode())
        .isEqualTo(400);
    String typed = "application/x-java-object;type=java.net.URL";
    assertThat(put("messages/form", typed, new byte[] {1}).statusCode()).isEqualTo(400);
  }

  /// CONVERSION-3. Groups in groups filled the stack while the message was looked at.
  @Test
  void aMessageOfManyGroupsCannotBeConverted() throws Exception {
    byte[] groups = new byte[100_000];
    Arrays.fill(groups, (byte) 0x0b);
    assertThat(put("messages/groups", PROTOSTREAM, groups).statusCode()).isEqualTo(204);
    assertThat(get("messages/groups", "application/json").statusCode()).isEqualTo(400);
  }

  /// CONVERSION-2. The client had no answer.
  @Test
  void aMessageOfManyLevelsCannotBeConverted() throws Exception {
    String schema = "message Nested { optional Nested n = 1; }";
    assertThat(
            send(
                    "POST",
                    "schemas/nested.proto",
                    "Content-Type",
                    "text/plain",
                    schema.getBytes(ISO_8859_1))
                .statusCode())
        .isEqualTo(200);
    byte[] nested = {};
    while (nested.length < 60_000) {
      nested = field("0a", nested);
    }
    assertThat(put("messages/nested", PROTOSTREAM, type("Nested", nested)).statusCode())
        .isEqualTo(204);
    HttpResponse<String> read = get("messages/nested", "application/json");
    assertThat(read.statusCode()).isEqualTo(400);
    assertThat(read.body()).isEqualTo("the content has too many levels to be converted");
  }

  /// CONVERSION-3. Each was answered by 500.
  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":1", "xx", "[1", "{\"_type\":\"string\"", "7"})
  void jsonThatIsNoneOrHasNoTypeIsRefused(String json) throws Exception {
    HttpResponse<String> put = put("messages/json", "application/json", json.getBytes(ISO_8859_1));
    assertThat(put.statusCode()).as(put.body()).isEqualTo(400);
    assertThat(get("messages/json", "application/json").statusCode()).isEqualTo(404);
  }

  /// The definition was kept of a cache that did not start, and the node was not healthy any more.
  @Test
  void aCacheHasAFormatThatIsConverted() throws Exception {
    EncoderRegistry formats =
        CacheParts.of(node.caches(), "default").getComponent(EncoderRegistry.class);
    GlobalConfiguration global = new GlobalConfigurationBuilder().build();
    for (Field constant : MediaType.class.getFields()) {
      if (constant.getType() == MediaType.class) {
        MediaType format = (MediaType) constant.get(null);
        String refusal = CacheDefinition.refusal(definition(format.toString()), null, global);
        assertThat(refusal == null)
            .as(constant.getName())
            .isEqualTo(formats.isConversionSupported(MediaType.APPLICATION_OBJECT, format));
      }
    }
    HttpResponse<String> made = make("unknown", "application/x-none");
    assertThat(made.statusCode()).isEqualTo(403);
    assertThat(send("GET", "container/health/status", "Accept", "*/*").body()).isEqualTo("HEALTHY");
  }

  private static HttpResponse<String> make(String cache, String format) throws Exception {
    byte[] definition = definition(format).getBytes(ISO_8859_1);
    return send("POST", "caches/" + cache, "Content-Type", "application/json", definition);
  }

  private static String definition(String format) {
    return "{\"local-cache\":{\"encoding\":{\"media-type\":\"" + format + "\"}}}";
  }

  private static byte[] type(String name, byte[] content) {
    var message = new ByteArrayOutputStream();
    message.writeBytes(field("8201", name.getBytes(ISO_8859_1)));
    message.writeBytes(field("8a01", content));
    return message.toByteArray();
  }

  private static byte[] field(String tag, byte[] content) {
    var field = new ByteArrayOutputStream();
    field.writeBytes(HexFormat.of().parseHex(tag));
    int length = content.length;
    for (; length > 0x7f; length >>= 7) {
      field.write(length | 0x80);
    }
    field.write(length);
    field.writeBytes(content);
    return field.toByteArray();
  }

  /// Ten bytes were an array of two billion elements, which was made.
  @Test
  void objectsOfJBossMarshallingAreNotRead() throws Exception {
    byte[] array = HexFormat.of().parseHex("03447f01234516010101");
    HttpResponse<String> put = put("default/array", "application/x-jboss-marshalling", array);
    assertThat(put.statusCode()).isEqualTo(400);
    assertThat(put.body()).contains("ISPN000492");
  }
}
