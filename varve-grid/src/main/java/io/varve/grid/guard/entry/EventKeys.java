package io.varve.grid.guard.entry;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.dataconversion.Transcoder;
import org.infinispan.factories.EncoderRegistryFactory;
import org.infinispan.marshall.core.EncoderRegistry;
import org.jspecify.annotations.Nullable;

/// Converts between formats as Infinispan does, if that is safe ([SafeConversion]), and what
/// listeners are sent without a failure.
///
/// (LISTENER-2) Infinispan converts the key and the value of an event while the entry is written:
/// the write fails if that does. A key of Protocol Buffers whose schema the node does not have is
/// one that cannot be converted. So the format that a listener asks for is marked. What cannot have
/// that is sent as the JSON of its bytes, or as its bytes where no JSON was asked for. Infinispan
/// passes the mark to the other nodes, which convert what they write.
///
/// **Threads:** any, as Infinispan's.
public final class EventKeys implements EncoderRegistry {
  /// A parameter of a format.
  private static final String MARK = "varve-event";

  private static final List<MediaType> FALLIBLE =
      List.of(MediaType.APPLICATION_JSON, MediaType.APPLICATION_XML, MediaType.TEXT_PLAIN);

  private final EncoderRegistry formats;

  private EventKeys(EncoderRegistry formats) {
    this.formats = formats;
  }

  /// The format that a listener asks for, with the mark. Conversions to others do not fail.
  public static @Nullable MediaType marked(@Nullable MediaType format) {
    return format != null && FALLIBLE.stream().anyMatch(format::match)
        ? format.withParameter(MARK, "true")
        : format;
  }

  private static boolean isMarked(MediaType format) {
    return format.getParameter(MARK).isPresent();
  }

  @Override
  public void registerTranscoder(Transcoder transcoder) {
    formats.registerTranscoder(transcoder);
  }

  @Override
  public Transcoder getTranscoder(MediaType one, MediaType other) {
    Transcoder strict = new SafeConversion(formats.getTranscoder(one, other));
    return isMarked(one) || isMarked(other) ? new Lenient(strict) : strict;
  }

  @Override
  public <T extends Transcoder> T getTranscoder(Class<T> type) {
    return formats.getTranscoder(type);
  }

  @Override
  public boolean isConversionSupported(MediaType from, MediaType to) {
    return formats.isConversionSupported(from, to);
  }

  @Override
  public Object convert(Object content, MediaType from, MediaType to) {
    return SafeConversion.convert(content, from, to, () -> formats.convert(content, from, to));
  }

  private record Lenient(Transcoder strict) implements Transcoder {
    @Override
    public Object transcode(Object content, MediaType from, MediaType to) {
      try {
        return strict.transcode(content, from, to);
      } catch (RuntimeException _) { // of many kinds
        byte[] bytes = content instanceof byte[] own ? own : content.toString().getBytes(UTF_8);
        if (!to.match(MediaType.APPLICATION_JSON)) {
          return bytes;
        }
        String coded = Base64.getEncoder().encodeToString(bytes);
        return ("{\"_type\":\"bytes\",\"_value\":\"" + coded + "\"}").getBytes(UTF_8);
      }
    }

    @Override
    public Set<MediaType> getSupportedMediaTypes() {
      return strict.getSupportedMediaTypes();
    }

    @Override
    public boolean supportsConversion(MediaType from, MediaType to) {
      return strict.supportsConversion(from, to);
    }
  }

  /// Makes it, over that of Infinispan.
  public static final class Factory extends EncoderRegistryFactory {
    @Override
    public Object construct(String componentName) {
      Object formats = Objects.requireNonNull(super.construct(componentName), componentName);
      return new EventKeys((EncoderRegistry) formats);
    }
  }
}
