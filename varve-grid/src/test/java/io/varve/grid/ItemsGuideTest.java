package io.varve.grid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The commands of the guide to items by REST, as they are, at another port.
@Timeout(120)
class ItemsGuideTest extends SharedNode {
  private static final Path GUIDE = Path.of("../docs/ITEMS.md");
  private static final String FENCE = "```sh\n";

  private static String commands() throws Exception {
    String guide = Files.readString(GUIDE);
    int start = guide.indexOf(FENCE, guide.indexOf("### Over REST")) + FENCE.length();
    return guide.substring(start, guide.indexOf("```", start));
  }

  @Test
  void theCommandsOfTheGuideWork() throws Exception {
    Required.require(Files.isExecutable(Path.of("/usr/bin/curl")), "curl is not installed");
    String commands = commands();
    List<String> lines =
        commands.lines().map(line -> line.startsWith("curl ") ? line + " -s; echo" : line).toList();
    Process shell =
        new ProcessBuilder(
                "sh", "-c", String.join("\n", lines).replace(":11222/", ":" + node.port() + "/"))
            .redirectErrorStream(true)
            .start();
    shell.getOutputStream().close();
    String said = new String(shell.getInputStream().readAllBytes(), UTF_8);
    assertThat(said.replaceAll(",\"etag\":\"[^}]*\"}", "}"))
        .isEqualTo(
            """
            {"changed":3,"items":3}
            {"name":"Ada","tags":["a","b"]}
            {"changed":3,"items":2}
            36
            {"changed":1,"items":0}
            {"@long:7":{"name":"Ada"}}
            {"@long:7":{"name":"Ada"}}
            ["people"]
            """);
  }
}
