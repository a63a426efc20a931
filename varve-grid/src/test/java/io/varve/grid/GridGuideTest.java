package io.varve.grid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.varve.grid.node.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.infinispan.client.hotrod.DataFormat;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.marshall.UTF8StringMarshaller;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The examples of the guide: its code word for word, its file as it is, its command lines as the
/// command reads them.
@Timeout(300)
class GridGuideTest {
  private static final Path GUIDE = Path.of("../docs/CLUSTER.md");

  @TempDir Path data;

  private static List<String> examples(String language) throws Exception {
    String guide = Files.readString(GUIDE);
    List<String> examples = new ArrayList<>();
    String fence = "```" + language + "\n";
    for (int at = guide.indexOf(fence); at >= 0; at = guide.indexOf(fence, at + 1)) {
      examples.add(guide.substring(at + fence.length(), guide.indexOf("```", at + 3)));
    }
    return examples;
  }

  private static String blobs() throws Exception {
    return examples("sh").stream()
        .filter(example -> example.contains("/varve/blobs/"))
        .findFirst()
        .orElseThrow();
  }

  /// What commands of the guide write, with a node at another port.
  private static String output(String commands, int port) throws IOException {
    Required.require(Files.isExecutable(Path.of("/usr/bin/curl")), "curl is not installed");
    Process shell =
        new ProcessBuilder("sh", "-c", commands.replace(":11222/", ":" + port + "/"))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    shell.getOutputStream().close();
    return new String(shell.getInputStream().readAllBytes(), UTF_8);
  }

  @Test
  void theCodeAndTheFileOfTheGuideWork() throws Exception {
    Path file = Files.writeString(data.resolve("own.xml"), examples("xml").getFirst());
    try (Node node = Serving.node(data, "--config", file.toString())) {
      int port = node.port();
      var configuration = new ConfigurationBuilder();
      configuration.addServer().host("127.0.0.1").port(port);
      DataFormat texts =
          DataFormat.builder()
              .keyType(MediaType.TEXT_PLAIN)
              .keyMarshaller(new UTF8StringMarshaller())
              .valueType(MediaType.TEXT_PLAIN)
              .valueMarshaller(new UTF8StringMarshaller())
              .build();
      try (RemoteCacheManager hotRod = new RemoteCacheManager(configuration.build());
          RedisClient redis = RedisClient.create(RedisURI.create("127.0.0.1", port));
          var connection = redis.connect()) {
        RemoteCache<String, String> cache = hotRod.getCache("default").withDataFormat(texts);
        cache.put("greeting", "hello");
        String greeting = connection.sync().get("greeting"); // hello
        assertThat(greeting).isEqualTo("hello");
      }
      var baskets = node.caches().getCacheConfiguration("baskets");
      assertThat(baskets.expiration().lifespan()).isEqualTo(1_800_000);
      assertThat(baskets.persistence().stores()).hasSize(1);
      assertThat(output(blobs(), port))
          .isEqualTo("   0   0   0   0\n[{\"key\":\"nosferatu\",\"bytes\":10000000\n");
    }
  }

  @Test
  void theCommandLinesOfTheGuideMakeSense() throws Exception {
    int commands = 0;
    for (String example : examples("sh")) {
      for (String line : example.lines().toList()) {
        if (line.startsWith("./varve ")) {
          String[] arguments = line.substring("./varve ".length()).split(" ");
          Main.commandLine().parseArgs(arguments); // which refuses what it does not know
          commands++;
        }
      }
    }
    assertThat(commands).isGreaterThan(4);
  }
}
