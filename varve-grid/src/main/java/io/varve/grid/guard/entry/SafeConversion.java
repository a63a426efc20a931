package io.varve.grid.guard.entry;

import java.util.Set;
import org.infinispan.commons.CacheException;
import org.infinispan.commons.dataconversion.EncodingException;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.dataconversion.Transcoder;

/// Converts between formats what a client has sent, which may be made to harm.
///
/// - CONVERSION-1 A message of Protocol Buffers has as many bytes at least as all its lists state
///   elements ([StatedElements]), which may be lists. Infinispan makes an array of that length
///   first: seventy bytes took all memory. Bytes of any format are looked at: where the other
///   format is a type of Java, Infinispan reads them as a message.
/// - CONVERSION-2 What has more levels than the stack of a thread can hold fails as all else that
///   cannot be converted. Of Infinispan alone some of that was answered by nothing, and each left a
///   thousand lines in the log.
/// - CONVERSION-3 What cannot be converted is refused as the content of a client, whatever the
///   conversion fails by. JSON without a type, or that ends early, was a fault of the node: 500,
///   and a trace in the log.
/// - CONVERSION-4 A serialized object of Java is not read. A list names the classes that Infinispan
///   may read so, but the array of such a class is as long as its first bytes state.
///
/// **Threads:** any.
record SafeConversion(Transcoder converting) implements Transcoder {
  @Override
  public Object transcode(Object content, MediaType from, MediaType to) {
    return convert(content, from, to, () -> converting.transcode(content, from, to));
  }

  /// A conversion by Infinispan.
  interface Conversion {
    Object convert();
  }

  /// Has something converted if it may be.
  static Object convert(Object content, MediaType from, MediaType to, Conversion conversion) {
    requireNoObject(content, from, to);
    if (content instanceof byte[] bytes) {
      requireSizes(bytes);
    }
    byte[] decoded = CodedContent.decoded(content, from);
    if (decoded != null) {
      requireSizes(decoded);
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

  /// CONVERSION-4
  private static void requireNoObject(Object content, MediaType from, MediaType to) {
    String object = MediaType.APPLICATION_SERIALIZED_OBJECT_TYPE;
    if ((content instanceof byte[] || content instanceof String)
        && from.getTypeSubtype().equals(object)
        && !to.getTypeSubtype().equals(object)) {
      throw new EncodingException("serialized objects of Java are not read: to=" + to);
    }
  }

  /// CONVERSION-1
  private static void requireSizes(byte[] message) {
    long stated = StatedElements.of(message);
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
