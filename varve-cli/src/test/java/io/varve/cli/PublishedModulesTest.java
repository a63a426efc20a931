package io.varve.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// What a release promises of the poms: that each module bears what a public repository demands,
/// and that the BOM lists those that are published. `./varve release --dry-run` builds the rest.
class PublishedModulesTest {
  private static final Path ROOT = Path.of("..");

  /// The pom of one module.
  private record Pom(Path file, Element root) {
    static Pom read(Path directory) throws Exception {
      Path file = directory.resolve("pom.xml");
      Element root =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getDocumentElement();
      return new Pom(file, root);
    }

    /// The text at the end of a path of elements, or an empty one.
    String text(String... path) {
      List<Element> found = elements(path);
      return found.isEmpty() ? "" : found.getFirst().getTextContent().strip();
    }

    List<String> texts(String... path) {
      return elements(path).stream().map(element -> element.getTextContent().strip()).toList();
    }

    List<Element> elements(String... path) {
      List<Element> found = List.of(root);
      for (String name : path) {
        found = found.stream().flatMap(element -> children(element, name).stream()).toList();
      }
      return found;
    }

    private static List<Element> children(Element parent, String name) {
      var children = new ArrayList<Element>();
      for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
        if (node instanceof Element element && element.getTagName().equals(name)) {
          children.add(element);
        }
      }
      return children;
    }

    String artifact() {
      return text("artifactId");
    }

    boolean isPublished() {
      return !text("properties", "maven.deploy.skip").equals("true");
    }
  }

  private static Pom parent() throws Exception {
    return Pom.read(ROOT);
  }

  private static List<Pom> modules() throws Exception {
    var modules = new ArrayList<Pom>();
    for (String directory : parent().texts("modules", "module")) {
      modules.add(Pom.read(ROOT.resolve(directory)));
    }
    return modules;
  }

  private static Pom bom() throws Exception {
    return Pom.read(ROOT.resolve("varve-bom"));
  }

  @Test
  void allPomsBearWhatPublicRepositoriesDemand() throws Exception {
    Pom parent = parent();
    assertThat(parent.text("url")).startsWith("https://");
    assertThat(parent.text("licenses", "license", "name")).isEqualTo("Apache-2.0");
    assertThat(parent.text("licenses", "license", "url")).startsWith("https://");
    assertThat(parent.text("developers", "developer", "name")).isNotEmpty();
    for (String element : List.of("connection", "developerConnection", "url")) {
      assertThat(parent.text("scm", element)).as(element).isNotEmpty();
    }
    for (Pom module : modules()) {
      assertThat(module.text("name")).as("name in %s", module.file()).isNotEmpty();
      assertThat(module.text("description")).as("description in %s", module.file()).isNotEmpty();
    }
  }

  /// The release replaces the version in all poms: each must name that of the parent and no other.
  @Test
  void allModulesHaveTheVersionOfTheirParent() throws Exception {
    String version = parent().text("version");
    assertThat(version).endsWith("-SNAPSHOT");
    for (Pom module : modules()) {
      assertThat(module.text("version")).as("%s", module.file()).isEmpty();
      assertThat(module.text("parent", "version")).as("%s", module.file()).isEqualTo(version);
    }
  }

  @Test
  void bomListsPublishedModulesAndNoOthers() throws Exception {
    List<String> published =
        modules().stream()
            .filter(Pom::isPublished)
            .map(Pom::artifact)
            .filter(artifact -> !artifact.equals("varve-bom"))
            .toList();
    assertThat(bom().texts("dependencyManagement", "dependencies", "dependency", "artifactId"))
        .isSorted()
        .containsExactlyInAnyOrderElementsOf(published)
        .contains("varve", "varve-cache")
        .doesNotContain("varve-bench");
    assertThat(bom().texts("dependencyManagement", "dependencies", "dependency", "version"))
        .containsOnly("${project.version}");
  }

  /// A project that depends on a published module gets what it depends on from the same repository.
  @Test
  void publishedModulesDependOnPublishedOnes() throws Exception {
    List<Pom> modules = modules();
    List<String> published = modules.stream().filter(Pom::isPublished).map(Pom::artifact).toList();
    for (Pom module : modules.stream().filter(Pom::isPublished).toList()) {
      List<String> ours =
          module.elements("dependencies", "dependency").stream()
              .map(dependency -> new Pom(module.file(), dependency))
              .filter(dependency -> dependency.text("groupId").equals("io.varve"))
              .filter(dependency -> !dependency.text("scope").equals("test"))
              .map(Pom::artifact)
              .toList();
      assertThat(published).as("%s", module.file()).containsAll(ours);
    }
  }

  @Test
  void examplesNameTheVersionOfTheNextRelease() throws Exception {
    String version = parent().text("version").replace("-SNAPSHOT", "");
    for (String example : List.of("maven", "kotlin", "spring-boot", "helidon")) {
      assertThat(
              Pom.read(ROOT.resolve("examples").resolve(example))
                  .text("dependencyManagement", "dependencies", "dependency", "version"))
          .as(example)
          .isEqualTo(version);
    }
    assertThat(Pom.read(ROOT.resolve("examples/kotlin")).text("properties", "kotlin.version"))
        .isEqualTo(parent().text("properties", "kotlin.version"));
    assertThat(Pom.read(ROOT.resolve("examples/spring-boot")).text("parent", "version"))
        .isEqualTo(parent().text("properties", "spring-boot.version"));
    assertThat(text("examples/helidon/pom.xml"))
        .contains("<version>" + parent().text("properties", "helidon.version") + "</version>")
        .contains("<version>" + parent().text("properties", "snakeyaml.version") + "</version>");
    assertThat(text("examples/gradle/build.gradle.kts"))
        .contains("\"io.varve:varve-bom:" + version + "\"");
    assertThat(text("examples/gradle/src/main/java/example/FirstPut.java"))
        .isEqualTo(text("examples/maven/src/main/java/example/FirstPut.java"));
    assertThat(text("README.md")).contains("<version>" + version + "</version>");
  }

  private static String text(String file) throws IOException {
    return requireNonNull(Files.readString(ROOT.resolve(file)));
  }
}
