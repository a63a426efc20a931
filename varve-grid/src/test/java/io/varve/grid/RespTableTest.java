package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.commands.Commands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// The guide's table of Redis' commands: each command that the node offers is called in some ways,
/// and its replies compared with those of Redis, which a file has.
///
/// With `-Dvarve.redis.port=6379` that file is written from the server at that port, which is
/// emptied. With `-Dvarve.redis.plain=true` the same is compared for Infinispan's own server.
@Timeout(300)
class RespTableTest {
  private static final Path GUIDE = Path.of("..", "docs", "REDIS.md");
  private static final Path RESOURCES = Path.of("src", "test", "resources");
  private static final Path CALLS = RESOURCES.resolve("redis-calls");
  private static final Path REPLIES = RESOURCES.resolve("redis-replies");
  private static final Pattern DOUBLE = Pattern.compile(",(-?[0-9.eE+-]+) ");

  @TempDir Path data;

  /// Calls by the command that they are for.
  private static Map<String, List<String>> calls() throws IOException {
    Map<String, List<String>> calls = new LinkedHashMap<>();
    for (String line : Files.readAllLines(CALLS)) {
      if (!line.startsWith("#")) {
        String[] parts = line.split(": ", 2);
        calls.put(parts[0], List.of(parts[1].split("; ")));
      }
    }
    return calls;
  }

  /// Replies to the calls, in order.
  private static List<String> replies(int port, int version, List<String> calls) throws Exception {
    List<String> replies = new ArrayList<>();
    try (RawResp first = new RawResp(port, 10_000);
        RawResp second = new RawResp(port, 10_000)) {
      if (version == 3) {
        first.call("HELLO", "3");
        second.call("HELLO", "3");
      }
      first.call("FLUSHALL");
      for (String call : calls) {
        boolean another = call.startsWith("+");
        String rest = another ? call.substring(1) : call;
        boolean byType = rest.startsWith("?");
        boolean bySecond = rest.startsWith("&");
        String words = byType || bySecond ? rest.substring(1) : rest;
        String reply = call(bySecond ? second : first, words);
        if (another) {
          reply += reply(first);
        }
        replies.add(byType ? reply.substring(0, Math.min(1, reply.length())) : normal(reply));
      }
    }
    return replies;
  }

  private static String call(RawResp redis, String words) throws IOException {
    try {
      return redis.call(
          Arrays.stream(words.split(" (?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)"))
              .map(word -> word.replace("\"", ""))
              .toArray(String[]::new));
    } catch (SocketTimeoutException e) {
      return "no answer";
    }
  }

  private static String reply(RawResp redis) throws IOException {
    try {
      return redis.reply();
    } catch (SocketTimeoutException e) {
      return "no answer";
    }
  }

  /// Numbers of version 3 may be written in more ways than one.
  private static String normal(String reply) {
    Matcher number = DOUBLE.matcher(reply);
    return number.replaceAll(found -> "," + Double.parseDouble(found.group(1)) + " ").strip();
  }

  @Test
  @EnabledIfSystemProperty(named = "varve.redis.port", matches = "\\d+")
  void writesDownWhatRedisAnswers() throws Exception {
    int port = Integer.getInteger("varve.redis.port");
    List<String> lines = new ArrayList<>();
    try (RawResp redis = new RawResp(port)) {
      Matcher version =
          Pattern.compile("redis_version:(\\S+)").matcher(redis.call("INFO", "server"));
      assertThat(version.find()).isTrue();
      lines.add("# Of Redis " + version.group(1));
      redis.send("*2\r\n$7\r\nCOMMAND\r\n$4\r\nLIST\r\n");
      lines.add("commands " + String.join(" ", new TreeSet<>(words(redis.reply()))));
    }
    for (var command : calls().entrySet()) {
      for (int protocol = 2; protocol <= 3; protocol++) {
        lines.add(
            command.getKey()
                + " "
                + protocol
                + " "
                + String.join(" ; ", replies(port, protocol, command.getValue())));
      }
    }
    Files.write(REPLIES, lines);
  }

  private static List<String> words(String reply) {
    return Pattern.compile("\\$\\d+ (\\S+)").matcher(reply).results().map(w -> w.group(1)).toList();
  }

  /// What Redis answers, by command and version, and the names of its commands as `commands`.
  private static Map<String, String> recorded() throws IOException {
    Map<String, String> recorded = new LinkedHashMap<>();
    for (String line : Files.readAllLines(REPLIES)) {
      String[] words = line.split(" ", 3);
      if (line.startsWith("commands ")) {
        recorded.put("commands", line.substring("commands ".length()));
      } else if (!line.startsWith("#")) {
        recorded.put(words[0] + " " + words[1], words.length > 2 ? words[2] : "");
      }
    }
    return recorded;
  }

  /// The table of a server, by what Redis answers.
  private static String table(int port, int firstVersion) throws Exception {
    Map<String, String> recorded = recorded();
    List<String> same = new ArrayList<>();
    List<String> rows = new ArrayList<>();
    for (var command : calls().entrySet()) {
      Map<String, String> differences = new LinkedHashMap<>();
      for (int version = firstVersion; version <= 3; version++) {
        List<String> replies = replies(port, version, command.getValue());
        String[] expected = recorded.get(command.getKey() + " " + version).split(" ?; ?", -1);
        for (int at = 0; at < replies.size(); at++) {
          if (!replies.get(at).equals(expected[at].strip())) {
            differences.merge(
                "`%s` | `%s` | `%s`"
                    .formatted(
                        command.getValue().get(at),
                        shortened(replies.get(at)),
                        shortened(expected[at].strip())),
                Integer.toString(version),
                (one, other) -> one + ", " + other);
            break; // What follows may differ by that.
          }
        }
      }
      differences.forEach((row, versions) -> rows.add("| " + versions + " | " + row + " |"));
      if (differences.isEmpty()) {
        same.add(command.getKey());
      }
    }
    Set<String> absent = new TreeSet<>();
    for (String name : recorded.get("commands").split(" ")) {
      if (!name.contains("|") && !calls().containsKey(name.toUpperCase(Locale.ROOT))) {
        absent.add(name.toUpperCase(Locale.ROOT));
      }
    }
    return "**As Redis in each call, %d commands:** %s\n\n".formatted(same.size(), lines(same))
        + "**Other than Redis:**\n\n"
        + "| RESP | call | answer | Redis' answer |\n|---|---|---|---|\n"
        + String.join("\n", rows)
        + "\n\n**Commands of Redis that are not there:** "
        + lines(absent)
        + "\n";
  }

  private static String lines(Iterable<String> names) {
    StringBuilder lines = new StringBuilder();
    int column = 0;
    for (String name : names) {
      lines
          .append(column == 0 ? "" : column % 9 == 0 ? "\n" : " ")
          .append('`')
          .append(name)
          .append('`');
      column++;
    }
    return lines.toString();
  }

  private static String shortened(String reply) {
    String text = reply.replace("|", "\\|");
    return text.isEmpty() ? "(none)" : text.length() > 60 ? text.substring(0, 57) + "..." : text;
  }

  @Test
  void theGuideHasTheTableOfTheNode() throws Exception {
    try (Node node = Serving.node(data, "--durability", "BACKGROUND")) {
      Set<String> offered = new TreeSet<>();
      Commands.all().stream().map(RespCommand::getName).forEach(offered::add);
      assertThat(calls().keySet()).containsExactlyInAnyOrderElementsOf(offered);
      String table = table(node.port(), 2);
      Files.writeString(
          Files.createDirectories(Path.of("target")).resolve("redis-table.md"), table);
      assertThat(Files.readString(GUIDE)).containsIgnoringWhitespaces(table);
    }
  }

  /// Prints what Infinispan's own server answers otherwise than Redis.
  @Test
  @EnabledIfSystemProperty(named = "varve.redis.plain", matches = "true")
  void printsTheTableOfInfinispan() throws Exception {
    try (PlainServer server = new PlainServer(data)) {
      System.out.println(table(server.respPort(), 3));
    }
  }
}
