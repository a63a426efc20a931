package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/// What `deploy` holds is as Kubernetes' schemas have it, and uses what the command knows. That a
/// container runs is seen by [ContainerImageTest].
class DeployTest {
  private static final Path DEPLOY = Path.of("../deploy");

  /// Checks a document: no field that the schema does not have, none missing that it requires.
  private interface Schema {
    void check(JsonElement document) throws IOException;
  }

  /// What the manifests hold, by version and kind.
  private static final Map<String, Schema> SCHEMAS =
      Map.of(
          "v1 Service", V1Service::validateJsonElement,
          "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy::validateJsonElement,
          "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget::validateJsonElement,
          "apps/v1 StatefulSet", V1StatefulSet::validateJsonElement);

  private static List<Map<String, Object>> documents(String manifest) throws Exception {
    var options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    List<Map<String, Object>> documents = new ArrayList<>();
    for (Object document :
        new Yaml(new SafeConstructor(options))
            .loadAll(Files.readString(DEPLOY.resolve(manifest)))) {
      documents.add(map(document));
    }
    return documents;
  }

  @SuppressWarnings("unchecked") // YAML has maps of texts here
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }

  private static Map<String, Object> at(Map<String, Object> from, String... path) {
    Map<String, Object> at = from;
    for (String name : path) {
      assertThat(at).containsKey(name);
      at = map(at.get(name));
    }
    return at;
  }

  private static Map<String, Object> firstOf(Object list) {
    return map(((List<?>) list).getFirst());
  }

  @ParameterizedTest
  @ValueSource(strings = {"kubernetes.yaml", "kubernetes-cluster.yaml"})
  void theManifestRunsACommandThatMakesSense(String manifest) throws Exception {
    List<Map<String, Object>> documents = documents(manifest);
    assertThat(documents)
        .allSatisfy(document ->
            assertThat(document).containsKeys("apiVersion", "kind", "metadata", "spec"));
    Map<String, Object> set =
        documents.stream()
            .filter(document -> document.get("kind").equals("StatefulSet"))
            .findFirst()
            .orElseThrow();
    Map<String, Object> node = firstOf(at(set, "spec", "template", "spec").get("containers"));
    List<?> arguments = (List<?>) node.get("args");
    Main.commandLine().parseArgs(arguments.toArray(String[]::new));

    Map<String, Object> ports = new HashMap<>();
    for (Object port : (List<?>) node.get("ports")) {
      ports.put(map(port).get("name").toString(), map(port).get("containerPort"));
    }
    for (String probe : List.of("readinessProbe", "livenessProbe")) {
      assertThat(at(node, probe, "httpGet").get("port")).isEqualTo("status");
    }
    assertThat(arguments.contains("--status-port=" + ports.get("status"))).isTrue();

    for (String name : addresses(documents, ports.get("all"))) {
      assertThat(arguments.contains("--name=" + name)).as(name).isTrue();
    }
    assertThat((List<?>) node.get("env"))
        .anySatisfy(variable -> assertThat(map(variable)).containsEntry("name", "NAMESPACE"));

    Map<String, Object> labels = at(set, "spec", "selector", "matchLabels");
    assertThat(at(set, "spec", "template", "metadata", "labels")).containsAllEntriesOf(labels);
    assertThat(documents)
        .filteredOn(document -> document.get("kind").equals("Service"))
        .allSatisfy(service -> assertThat(at(service, "spec", "selector")).isEqualTo(labels))
        .extracting(service -> at(service, "metadata").get("name"))
        .contains(at(set, "spec").get("serviceName"));
    List<String> volumes = new ArrayList<>();
    for (Object mount : (List<?>) node.get("volumeMounts")) {
      volumes.add(map(mount).get("name").toString());
    }
    List<String> there = new ArrayList<>();
    for (Object volume : (List<?>) at(set, "spec", "template", "spec").get("volumes")) {
      there.add(map(volume).get("name").toString());
    }
    there.add(
        at(firstOf(at(set, "spec").get("volumeClaimTemplates")), "metadata")
            .get("name")
            .toString());
    assertThat(volumes).contains("data", "admin").containsExactlyInAnyOrderElementsOf(there);
  }

  /// The names by which clients in a cluster reach the Services of a port.
  private static List<String> addresses(List<Map<String, Object>> documents, Object port) {
    List<String> addresses = new ArrayList<>();
    for (Map<String, Object> document : documents) {
      boolean isService = document.get("kind").equals("Service");
      if (isService && firstOf(at(document, "spec").get("ports")).get("port").equals(port)) {
        String service = at(document, "metadata").get("name").toString();
        addresses.add(service);
        addresses.add(service + ".$(NAMESPACE)");
        addresses.add(service + ".$(NAMESPACE).svc");
        addresses.add(service + ".$(NAMESPACE).svc.cluster.local");
      }
    }
    assertThat(addresses).isNotEmpty();
    return addresses;
  }

  @ParameterizedTest
  @ValueSource(strings = {"kubernetes.yaml", "kubernetes-cluster.yaml"})
  void theManifestFollowsTheSchemas(String manifest) throws Exception {
    for (Map<String, Object> document : documents(manifest)) {
      String kind = document.get("apiVersion") + " " + document.get("kind");
      assertThat(SCHEMAS).containsKey(kind);
      JsonElement json = new Gson().toJsonTree(document);
      assertThatCode(() -> SCHEMAS.get(kind).check(json)).as(kind).doesNotThrowAnyException();
    }
  }

  /// The schemas notice a wrong name deep in a document.
  @Test
  void aWrongNameIsNoticed() throws Exception {
    Map<String, Object> set =
        documents("kubernetes-cluster.yaml").stream()
            .filter(document -> document.get("kind").equals("StatefulSet"))
            .findFirst()
            .orElseThrow();
    firstOf(at(set, "spec", "template", "spec").get("containers")).put("volumeMount", List.of());
    JsonElement json = new Gson().toJsonTree(set);
    assertThatThrownBy(() -> V1StatefulSet.validateJsonElement(json))
        .hasMessageContaining("volumeMount");
  }

  @Test
  void theContainerFileCopiesWhatTheBuildMakes() throws Exception {
    List<String> instructions =
        Files.readString(DEPLOY.resolve("Containerfile"))
            .replace("\\\n", " ")
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .toList();
    assertThat(instructions)
        .allMatch(line ->
            Pattern.matches(
                "(FROM|RUN|WORKDIR|COPY|USER|VOLUME|EXPOSE|STOPSIGNAL|ENTRYPOINT|CMD) .+", line));
    String command = instructions.getLast();
    assertThat(command).startsWith("CMD [");
    String[] arguments = command.replaceAll("^CMD \\[\"|\"]$", "").split("\", \"");
    Main.commandLine().parseArgs(arguments);
    Pattern copied = Pattern.compile("COPY --from=build /varve/varve-grid/target/(\\S+) .*");
    assertThat(instructions.stream().filter(copied.asMatchPredicate())).hasSize(3);
  }

  /// What a script chooses in a machine with 2 GB, or less in a container.
  private static String collector(String script, String variable, String options) throws Exception {
    String text = Files.readString(Path.of("..", script));
    int begin = text.indexOf("choose_collector() {");
    String function = text.substring(begin, text.indexOf("\n}\n", begin) + 3);
    var shell =
        new ProcessBuilder(
                "sh",
                "-euc",
                "sed() { echo 2000000; }\ncat() { echo max; }\n"
                    + function
                    + "choose_collector\necho $collector")
            .redirectErrorStream(true);
    List.of("VARVE_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
        .forEach(shell.environment()::remove);
    shell.environment().put(variable, options);
    Process process = shell.start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  @ParameterizedTest
  @ValueSource(strings = {"varve", "deploy/entrypoint"})
  void aCollectorThatAVariableNamesStays(String script) throws Exception {
    for (String variable : List.of("VARVE_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")) {
      assertThat(collector(script, variable, "-Xmx1g -XX:+UseZGC -Da=b")).isEqualTo("-Xms64m");
      assertThat(collector(script, variable, "-XX:+UseParallelGC")).isEqualTo("-Xms64m");
      assertThat(
              collector(script, variable, "-XX:+UseCompactObjectHeaders -XX:MaxGCPauseMillis=50"))
          .isEqualTo("-Xms64m -XX:+UseSerialGC");
    }
  }

  @Test
  void theEntrypointIsAScript() throws Exception {
    Process check =
        new ProcessBuilder("sh", "-n", DEPLOY.resolve("entrypoint").toString())
            .redirectErrorStream(true)
            .start();
    assertThat(new String(check.getInputStream().readAllBytes())).isEmpty();
    assertThat(check.waitFor()).isZero();
    assertThat(DEPLOY.resolve("entrypoint")).isExecutable();
  }
}
