package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.GarbageCollectionNotificationInfo;
import io.varve.Store;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Model.OptionSpec;

/// What the command reports of what it cannot do, and that it then leaves nothing that prevents the
/// next start.
@Timeout(300)
class ServeCommandTest {
  @TempDir Path data;

  private record Outcome(int exitCode, String said) {}

  private static Outcome run(String... arguments) {
    var said = new StringWriter();
    var writer = new PrintWriter(said, true);
    int exitCode = Main.commandLine().setOut(writer).setErr(writer).execute(arguments);
    return new Outcome(exitCode, said.toString());
  }

  /// Infinispan would refuse it by the names of its own options.
  @Test
  void aClusterKeepsEachEntryTwice() {
    Outcome outcome = run("serve", "--data", data.toString(), "--cluster=a", "--owners=1");
    assertThat(outcome.said()).contains("on two nodes or more", "owners=1");
    assertThat(outcome.exitCode()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "--port 70000,          '--port is out of range: found=70000, min=0, max=65535'",
    "--resp-port -1,        --resp-port is out of range: found=-1",
    "--status-port 70000,   --status-port is out of range: found=70000",
    "--cluster-port 15536,  --cluster-port is out of range: found=15536",
    "--failed-logins -1,    '--failed-logins is out of range: found=-1, min=0, max=2147483647'",
    "--connections 0,       '--connections is out of range: found=0, min=1, max=2147483647'",
    "--pages 1KiB,          '--pages is out of range: found=1024, min=1048576'",
    "--failed-after 2147484, --failed-after is out of range",
    "--durability SOMETIMES, Invalid value for option '--durability'",
    "--memory much,           is not a size like",
    "--value-max 3GB,       --value-max is out of range",
    "--user a,              --user and --password-file go together",
    "--no-tls --tls,        --no-tls excludes --tls",
    "--cluster-of-none,     Unknown option",
  })
  void refusesOptionsThatMakeNoSense(String options, String expected) {
    String[] arguments = ("serve --data " + data + " " + options).split(" ");
    Outcome outcome = run(arguments);
    assertThat(outcome.said()).contains(expected);
    assertThat(outcome.exitCode()).isEqualTo(2);
  }

  /// A bound below zero has every client wait, or lets none in. There is a range for each number.
  @Test
  void refusesNumbersBelowZeroByName() {
    List<String> names =
        Main.commandLine().getSubcommands().get("serve").getCommandSpec().options().stream()
            .filter(option ->
                Set.of(int.class, long.class, Integer.class, Long.class).contains(option.type()))
            .map(OptionSpec::longestName)
            .toList();
    assertThat(names).contains("--connections", "--memory", "--owners").hasSizeGreaterThan(15);
    for (String name : names) {
      Outcome outcome = run("serve", "--data", data.toString(), name, "-1");
      assertThat(outcome.said()).contains(name + " is out of range: found=-1, min=");
      assertThat(outcome.exitCode()).as(name).isEqualTo(2);
    }
    assertThat(data).isEmptyDirectory();
  }

  @Test
  void refusesAnAddressThatOthersReachWithoutUsers() {
    Outcome outcome = run("serve", "--data", data.toString(), "--bind", "0.0.0.0");
    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.said()).contains("no users", "address=0.0.0.0", "varve user add");
  }

  @Test
  void refusesAConfigurationThatIsNotThere() {
    Outcome outcome = run("serve", "--data", data.toString(), "--config", "no/such.xml");
    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.said()).contains("cannot read the configuration: file=no/such.xml");
  }

  @Test
  void refusesAConfigurationThatMakesNoSense() throws Exception {
    Path file = Files.writeString(data.resolve("own.xml"), "<infinispan><nonsense/></infinispan>");
    Outcome outcome =
        run("serve", "--data", data.toString(), "--port", "0", "--config", file.toString());
    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.said()).contains("the configuration makes no sense");
  }

  @Test
  void refusesAPortAndADirectoryThatAreInUse() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(Clients.HOST))) {
      Outcome outcome =
          run("serve", "--data", data.toString(), "--port", "" + taken.getLocalPort());
      assertThat(outcome.said())
          .contains("cannot listen: address=127.0.0.1, port=" + taken.getLocalPort());
      assertThat(outcome.exitCode()).isEqualTo(3);
    }
    try (Node _ = Serving.node(data)) {
      assertThatThrownBy(() -> Serving.node(data))
          .isInstanceOf(NodeException.class)
          .hasMessageContaining("the directory is in use: directory=" + data)
          .hasMessageContaining("pid=" + ProcessHandle.current().pid());
    }
  }

  @Test
  void reportsWhatIsWrongWithAStore() throws Exception {
    Path store = data.resolve("data/default/varve");
    try (Store _ = Store.open(store)) {
      Outcome outcome = run("serve", "--data", data.toString(), "--port", "0");
      assertThat(outcome.exitCode()).isEqualTo(3);
      assertThat(outcome.said())
          .contains("store is already open in this process: directory=" + store);
    }
  }

  /// As a user's file may: caches of its own, on our template and not.
  @Test
  void takesCachesOfAFile() throws Exception {
    Path file =
        Files.writeString(
            data.resolve("own.xml"),
            """
            <infinispan xmlns="urn:infinispan:config:16.0">
              <cache-container name="default">
                <local-cache name="orders" configuration="varve"/>
                <local-cache name="passing"/>
              </cache-container>
            </infinispan>
            """);
    try (Node node = Serving.node(data, "--config", file.toString())) {
      assertThat(node.caches().getCacheNames()).contains("default", "orders", "passing");
      node.caches().getCache("orders").put("1".getBytes(), "x".getBytes());
    }
    assertThat(data.resolve("data/orders/varve/pages")).exists();
    assertThat(data.resolve("data/passing")).doesNotExist();
  }

  /// The start passes through some hundred MB of heap, and needs some twenty.
  @Test
  void aNodeReturnsWhatItsStartTookBeforeItIsReady() throws Exception {
    var collections = new LinkedBlockingQueue<String>();
    NotificationListener listener =
        (notification, _) -> {
          var information =
              GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
          if (information.getGcCause().equals("System.gc()")) {
            collections.add(information.getGcName());
          }
        };
    for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      ((NotificationEmitter) collector).addNotificationListener(listener, null, null);
    }
    try {
      Outcome outcome = run("serve", "--data", data.toString(), "--port", "0", "--stop-when-ready");
      assertThat(outcome.said()).contains("varve: ready: ");
      assertThat(collections.poll(60, TimeUnit.SECONDS)).isNotNull();
    } finally {
      for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
        ((NotificationEmitter) collector).removeNotificationListener(listener);
      }
    }
  }
}
