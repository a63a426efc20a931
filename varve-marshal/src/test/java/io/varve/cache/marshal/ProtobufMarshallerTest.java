package io.varve.cache.marshal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cache.Marshaller;
import io.varve.cache.Marshallers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import javax.cache.CacheException;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.SerializationContextInitializer;
import org.infinispan.protostream.TagWriter;
import org.infinispan.protostream.WrappedMessage;
import org.infinispan.protostream.impl.TagWriterImpl;
import org.junit.jupiter.api.Test;

class ProtobufMarshallerTest {
  private final ClassLoader loader = getClass().getClassLoader();

  private Marshaller<Object> allowing(String... patterns) {
    return Marshallers.named("protobuf", Object.class, loader, patterns);
  }

  /// Guards against a constructor that runs before its class is refused.
  @Test
  void noObjectIsMadeOfAClassThatIsNotAllowed() {
    byte[] bytes = allowing(Counted.class.getName()).toBytes(new Counted());
    Shelf shelf = new Shelf();
    shelf.counted = new Counted();
    byte[] within = allowing(Counted.class.getName(), Shelf.class.getName()).toBytes(shelf);
    int made = Counted.MADE.get();
    assertThatThrownBy(() -> allowing().fromBytes(bytes)).isInstanceOf(CacheException.class);
    assertThatThrownBy(() -> allowing(Shelf.class.getName()).fromBytes(within))
        .isInstanceOf(CacheException.class);
    assertThat(Counted.MADE).hasValue(made);
    assertThat(allowing("io.varve.cache.marshal.*").fromBytes(within)).isInstanceOf(Shelf.class);
  }

  @Test
  void containersAreRefused() {
    Marshaller<Object> all = allowing("io.varve.cache.marshal.*");
    for (Object container : new Object[] {new ArrayList<>(List.of("a")), new int[] {1}}) {
      assertThatThrownBy(() -> all.toBytes(container))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("field of a message");
    }
  }

  /// Guards against a few bytes that take all memory.
  @Test
  void theLengthOfAContainerIsNotBelieved() throws IOException {
    SerializationContext context = ProtobufUtil.newSerializationContext();
    ServiceLoader.load(SerializationContextInitializer.class, loader)
        .forEach(schema -> schema.register(context));
    var written = new ByteArrayOutputStream();
    written.write(0); // an object that the library wrote
    TagWriter writer = TagWriterImpl.newInstance(context, written);
    String list = context.getMarshaller(ArrayList.class).getTypeName();
    writer.writeUInt32(WrappedMessage.WRAPPED_CONTAINER_SIZE, 1_900_000_000);
    writer.writeString(WrappedMessage.WRAPPED_CONTAINER_TYPE_NAME, list);
    writer.writeBytes(WrappedMessage.WRAPPED_CONTAINER_MESSAGE, new byte[0]);
    writer.flush();
    assertThatThrownBy(() -> allowing().fromBytes(written.toByteArray()))
        .isInstanceOf(CacheException.class);
  }
}
