package io.varve.grid;

import org.infinispan.commons.util.ByteQuantity;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads sizes as Infinispan's configuration has them.
final class ByteQuantityConverter implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    try {
      return ByteQuantity.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'" + text + "' is not a size like '64 MiB' or 2GB");
    }
  }
}
