package io.varve.grid.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.infinispan.protostream.DescriptorParserException;
import org.infinispan.protostream.FileDescriptorSource;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.junit.jupiter.api.Test;

/// A context parses a file once, and again whenever it is not what the context has.
class RegisteredFilesTest {
  private static final String ONE = "message One { required int32 a = 1; }";
  private static final String TWO = "message Two { required int32 a = 1; }";

  private final SerializationContext context = ProtobufUtil.newSerializationContext();
  private final List<String> parsed = new ArrayList<>();
  private final RegisteredFiles files = new RegisteredFiles();
  private final SerializationContext skipping = files.skippingKnown(counting());

  /// Notes the names of the files that the context is given.
  private SerializationContext counting() {
    return (SerializationContext)
        Proxy.newProxyInstance(
            SerializationContext.class.getClassLoader(),
            new Class<?>[] {SerializationContext.class},
            (_, method, arguments) -> {
              if (method.getName().equals("registerProtoFiles")) {
                parsed.addAll(((FileDescriptorSource) arguments[0]).getFiles().keySet());
              }
              return method.invoke(context, arguments);
            });
  }

  private void register(String name, String content) {
    skipping.registerProtoFiles(FileDescriptorSource.fromString(name, content));
  }

  @Test
  void aFileIsParsedOnce() {
    register("a.proto", ONE);
    register("b.proto", TWO);
    register("a.proto", ONE);
    assertThat(parsed).containsExactly("a.proto", "b.proto");
    assertThat(context.getDescriptorByName("One")).isNotNull();
    assertThat(skipping.getDescriptorByName("Two")).isNotNull();
  }

  @Test
  void anotherContentReplacesTheFirst() {
    register("a.proto", ONE);
    register("a.proto", TWO);
    register("a.proto", ONE);
    assertThat(parsed).containsExactly("a.proto", "a.proto", "a.proto");
    assertThat(context.getDescriptorByName("One")).isNotNull();
    assertThatThrownBy(() -> context.getDescriptorByName("Two"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aFileThatWasRemovedComesAgain() {
    register("a.proto", ONE);
    skipping.unregisterProtoFile("a.proto");
    register("a.proto", ONE);
    context.unregisterProtoFile("a.proto");
    files.forget("a.proto");
    register("a.proto", ONE);
    assertThat(parsed).hasSize(3);
  }

  @Test
  void aFileThatIsRefusedIsNotKnown() {
    assertThatThrownBy(() -> register("a.proto", "message {"))
        .hasRootCauseInstanceOf(DescriptorParserException.class);
    register("a.proto", ONE);
    assertThat(context.getDescriptorByName("One")).isNotNull();
  }
}
