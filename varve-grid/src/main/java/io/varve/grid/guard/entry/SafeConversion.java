package io.varve.grid.guard.entry;

import java.io.IOException;
import java.util.Set;
import org.infinispan.commons.CacheException;
import org.infinispan.commons.dataconversion.EncodingException;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.dataconversion.Transcoder;
import org.infinispan.protostream.TagReader;
import org.infinispan.protostream.WrappedMessage;
import org.infinispan.protostream.descriptors.WireType;
import org.infinispan.protostream.impl.TagReaderImpl;

/// Converts between formats what a client has sent, which may be made to harm.
///
/// - CONVERSION-1 A message of Protocol Buffers that states how many elements follow has as many
///   bytes at least. Infinispan makes an array of that length first: seventy bytes took all memory.
/// - CONVERSION-2 What has more levels than the stack of a thread can hold fails as all else that
///   cannot be converted. Of Infinispan alone some of that was answered by nothing, and each left a
///   thousand lines in the log.
/// - CONVERSION-3 What cannot be converted is refused as the content of a client, whatever the
///   conversion fails by. JSON without a type, or that ends early, was a fault of the node: 500,
///   and a trace in the log.
///
/// **Threads:** any.
record SafeConversion(Transcoder converting) implements Transcoder {
  @Override
  public Object transcode(Object content, MediaType from, MediaType to) {
    return convert(content, from, () -> converting.transcode(content, from, to));
  }

  /// A conversion by Infinispan.
  interface Conversion {
    Object convert();
  }

  /// Has something converted if it may be.
  static Object convert(Object content, MediaType from, Conversion conversion) {
    if (content instanceof byte[] bytes && from.match(MediaType.APPLICATION_PROTOSTREAM)) {
      requireSizes(bytes);
    }
    try {
      return conversion.convert();
    } catch (StackOverflowError _) { // CONVERSION-2
      throw new EncodingException("the content has too many levels to be converted");
    } catch (CacheException | SecurityException e) {
      throw e;
    } catch (RuntimeException e) { // CONVERSION-3
      throw new EncodingException("the content cannot be converted: " + e.getMessage(), e);
    }
  }

  /// CONVERSION-1
  private static void requireSizes(byte[] message) {
    long stated = 0;
    try {
      TagReader reader = TagReaderImpl.newInstance(null, message);
      for (int tag = reader.readTag(); tag != 0; tag = reader.readTag()) {
        if (WireType.getTagFieldNumber(tag) == WrappedMessage.WRAPPED_CONTAINER_SIZE) {
          int size = reader.readInt32();
          stated += size < 0 ? Integer.MAX_VALUE : size;
        } else if (!reader.skipField(tag)) {
          return; // It is no message.
        }
      }
    } catch (IOException | RuntimeException _) {
      // What is no message has no other element after it, and the conversion reports it.
    }
    if (stated > message.length) {
      throw new EncodingException(
          "the message states more elements than it has bytes: elements="
              + stated
              + ", bytes="
              + message.length);
    }
  }

  @Override
  public Set<MediaType> getSupportedMediaTypes() {
    return converting.getSupportedMediaTypes();
  }

  @Override
  public boolean supportsConversion(MediaType from, MediaType to) {
    return converting.supportsConversion(from, to);
  }
}
