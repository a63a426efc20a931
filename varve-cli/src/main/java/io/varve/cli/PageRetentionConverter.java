package io.varve.cli;

import io.varve.PageRetention;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads the name of one of Varve's own policies of retention, in letters of either case.
final class PageRetentionConverter implements ITypeConverter<PageRetention> {
  @Override
  public PageRetention convert(String text) {
    try {
      return PageRetention.named(text.toLowerCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
