package io.varve.cli.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Space;
import io.varve.Store;
import java.util.ArrayList;
import java.util.List;
import org.jline.reader.Candidate;
import org.jline.reader.Parser.ParseContext;
import org.jline.reader.impl.DefaultParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

final class StoreCompleterTest {
  @Command(name = "")
  private static final class Root {}

  @Command(name = "get")
  private static final class Get {
    enum Output {
      TEXT,
      HEX
    }

    @Parameters(index = "0", paramLabel = "SPACE")
    String space;

    @Parameters(index = "1..*", paramLabel = "KEY")
    List<String> keys;

    @Option(names = {"-o", "--output"})
    Output output;

    @Option(
        names = {"-p", "--prefix"},
        paramLabel = "KEY")
    String prefix;

    @Option(names = "--flag")
    boolean flag;
  }

  @Command(name = "query")
  private static final class Ask {
    @Parameters(index = "0", paramLabel = "TEXT")
    String text;
  }

  private final Store store = Store.inMemory();
  private StoreCompleter completer;

  @BeforeEach
  void fill() {
    Space users = store.space("users");
    store.space("other");
    for (String key : new String[] {"alice", "al\0x", "bob"}) {
      users.put(key.getBytes(UTF_8), new byte[0]);
    }
    store
        .space("towns")
        .put(new byte[] {1}, "{\"name\":\"Ulm\",\"on\":{\"river\":\"Danube\"}}".getBytes(UTF_8));
    completer =
        new StoreCompleter(
            new CommandLine(new Root()).addSubcommand(new Get()).addSubcommand(new Ask()), store);
  }

  @AfterEach
  void verify() {
    store.verify().requireSound();
    store.close();
  }

  private List<String> complete(String line) {
    var candidates = new ArrayList<Candidate>();
    completer.complete(
        null,
        new DefaultParser()
            .escapeChars(null)
            .eofOnUnclosedQuote(true)
            .parse(line, line.length(), ParseContext.COMPLETE),
        candidates);
    return candidates.stream().map(Candidate::value).toList();
  }

  @Test
  void commandsSpacesAndKeys() {
    assertThat(complete("")).containsExactlyInAnyOrder("get", "query");
    assertThat(complete("get ")).containsExactly("other", "towns", "users");
    assertThat(complete("get users ")).containsExactly("al\\0x", "alice", "bob");
    assertThat(complete("get users al")).containsExactly("al\\0x", "alice");
    assertThat(complete("get users alice b")).containsExactly("bob");
    assertThat(complete("get users al\\")).isEmpty();
    assertThat(complete("get nobody a")).isEmpty();
    assertThat(complete("frob ")).isEmpty();
  }

  @Test
  void wordsOfAQuery() {
    assertThat(complete("query \"fr")).containsExactly("from");
    assertThat(complete("query \"from to")).containsExactly("from towns");
    assertThat(complete("query \"from towns where na")).containsExactly("from towns where name");
    assertThat(complete("query \"from towns where on.r"))
        .containsExactly("from towns where on.river");
    assertThat(complete("query \"from towns order by upper(NA"))
        .containsExactly("from towns order by upper(name");
    assertThat(complete("query \"from users where na")).isEmpty();
    assertThat(complete("query \"from towns where name = 'na")).isEmpty();
  }

  @Test
  void optionsAndTheirValues() {
    assertThat(complete("get users -")).containsExactlyInAnyOrder("--output", "--prefix", "--flag");
    assertThat(complete("get -o ")).containsExactly("TEXT", "HEX");
    assertThat(complete("get users --prefix b")).containsExactly("bob");
    assertThat(complete("get --flag -o HEX ")).containsExactly("other", "towns", "users");
  }
}
