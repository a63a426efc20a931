package io.varve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.disk.StackProbe;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The metadata for native images names what the engine reaches by reflection: it is derived from
/// the class files, so a new VarHandle or reflective call fails here until the metadata has it.
class NativeImageTest {
  private static final String DIRECTORY = "/META-INF/native-image/io.varve/varve/";

  /// Found by name, since the compiler warns of its package. An image of Windows or macOS has it
  /// too.
  private static final String DIRECT = "com.sun.nio.file.ExtendedOpenOption";

  /// Calls that an image answers from its metadata alone, except a VarHandle of a field.
  private static final Set<String> REFLECTIVE =
      Set.of(
          "forName",
          "getDeclaredConstructor",
          "getDeclaredMethod",
          "getDeclaredField",
          "getRecordComponents",
          "unreflect",
          "unreflectConstructor",
          "newProxyInstance",
          "defineHiddenClass",
          "defineClass",
          "getResource",
          "getResourceAsStream",
          "setObjectInputFilter");

  /// Who may make them, and where the guide or the metadata have it. Providers of services are
  /// found by the builder of an image without any.
  private static final Set<String> KNOWN =
      Set.of(
          "io.varve.internal.codec.AllowedObjectInput", // classes of the user
          "io.varve.internal.codec.RecordAccess", // records of the user
          "io.varve.internal.disk.DirectOption",
          "io.varve.internal.disk.StackProbe");

  private static final List<ClassModel> CLASSES = new ArrayList<>();

  @BeforeAll
  static void parse() throws IOException, URISyntaxException {
    Path classes = Path.of(Store.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (file.toString().endsWith(".class")) {
          CLASSES.add(ClassFile.of().parse(file));
        }
      }
    }
    assertThat(CLASSES).hasSizeGreaterThan(300);
  }

  private static String text(String name) throws IOException {
    try (InputStream content = Store.class.getResourceAsStream(DIRECTORY + name)) {
      return new String(Objects.requireNonNull(content, name).readAllBytes(), UTF_8);
    }
  }

  @Test
  void fieldsOfVarHandlesAreNamed() throws IOException {
    var fields = new TreeMap<String, Set<String>>();
    fields.put(DIRECT, Set.of());
    eachCall((constants, call) -> {
      String method = call.name().stringValue();
      if (method.equals("findVarHandle") || method.equals("fieldVarHandle")) {
        List<ConstantDesc> last = List.copyOf(constants);
        int name = last.size() - 1;
        while (!(last.get(name) instanceof String)) {
          name--;
        }
        // findVarHandle(owner, name, type), fieldVarHandle(lookup, name, VarHandle.class, owner,
        // type)
        ClassDesc owner =
            (ClassDesc) last.get(method.equals("findVarHandle") ? name - 1 : name + 2);
        fields
            .computeIfAbsent(binaryName(owner), _ -> new TreeSet<>())
            .add((String) last.get(name));
      }
    });
    assertThat(fields).hasSizeGreaterThan(8);
    assertThat(text("reachability-metadata.json")).isEqualTo(json(fields));
  }

  private static String json(TreeMap<String, Set<String>> fields) {
    return fields.entrySet().stream()
        .map(type ->
            "    { \"type\": \"" + type.getKey() + "\"" + fieldsJson(type.getValue()) + " }")
        .collect(Collectors.joining(",\n", "{\n  \"reflection\": [\n", "\n  ]\n}\n"));
  }

  private static String fieldsJson(Collection<String> names) {
    return names.isEmpty()
        ? ""
        : names.stream()
            .map(name -> "{ \"name\": \"" + name + "\" }")
            .collect(Collectors.joining(", ", ", \"fields\": [", "]"));
  }

  private static String binaryName(ClassDesc type) {
    return type.packageName() + "." + type.displayName();
  }

  /// Each call, with the constants that the method loaded before it.
  private static void eachCall(BiConsumer<Deque<ConstantDesc>, InvokeInstruction> calls) {
    for (ClassModel model : CLASSES) {
      model.methods().forEach(method -> method.code().ifPresent(code -> eachCall(code, calls)));
    }
  }

  private static void eachCall(
      CodeModel code, BiConsumer<Deque<ConstantDesc>, InvokeInstruction> calls) {
    var constants = new ArrayDeque<ConstantDesc>();
    for (CodeElement element : code) {
      switch (element) {
        case ConstantInstruction constant -> constants.add(constant.constantValue());
        case InvokeInstruction call -> calls.accept(constants, call);
        default -> {}
      }
    }
  }

  @Test
  void otherReflectionIsKnown() {
    var found = new TreeSet<String>();
    for (ClassModel model : CLASSES) {
      String name = binaryName(model.thisClass().asSymbol());
      model.methods().stream()
          .flatMap(method -> method.code().stream())
          .forEach(code ->
              eachCall(
                  code,
                  (_, call) -> {
                    if (REFLECTIVE.contains(call.name().stringValue())) {
                      found.add(name);
                    }
                  }));
    }
    assertThat(found).isEqualTo(new TreeSet<>(KNOWN));
  }

  @Test
  void theProbeIsGeneratedWhereTheImageIsBuilt() throws IOException {
    var properties = new Properties();
    properties.load(new StringReader(text("native-image.properties")));
    assertThat(properties)
        .containsOnly(entry("Args", "--initialize-at-build-time=" + StackProbe.class.getName()));
  }
}
