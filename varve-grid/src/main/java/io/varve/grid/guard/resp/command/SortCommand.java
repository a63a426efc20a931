package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.RequestThreads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.multimap.impl.ListBucket;
import org.infinispan.multimap.impl.ScoredValue;
import org.infinispan.multimap.impl.SetBucket;
import org.infinispan.multimap.impl.SortedSetBucket;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// `SORT` and `SORT_RO`.
///
/// Infinispan answers otherwise than Redis where `BY` comes with `ALPHA`, which it orders by
/// numbers; where nothing is ordered, so that a sorted set has any order and `LIMIT` no effect;
/// where an element is no ASCII, whose keys it does not find; where `GET` follows a limit; and
/// where two elements compare as equal.
///
/// - (ORDERED-1) Elements that compare as equal have the order of their bytes. So the order does
///   not change from one call to the next.
/// - (ORDERED-2) The elements of a set that are stored without an order are ordered as strings, as
///   at Redis: so each node of a cluster would store the same.
public final class SortCommand extends ReplacingCommand {
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

  private static final Pattern HEXADECIMAL =
      Pattern.compile("[+-]?0[xX](\\p{XDigit}+\\.?\\p{XDigit}*|\\.\\p{XDigit}+)([pP][+-]?\\d+)?");

  private static final Pattern INFINITY =
      Pattern.compile("[+-]?inf(inity)?", Pattern.CASE_INSENSITIVE);

  private static final Comparator<byte[]> BYTES = Arrays::compareUnsigned;

  /// Those of which there is nothing come first.
  private static final Comparator<Sorted> BY_TEXT =
      Comparator.comparing(Sorted::by, Comparator.nullsFirst(BYTES))
          .thenComparing(Sorted::element, BYTES); // ORDERED-1

  private static final Comparator<Sorted> BY_NUMBER =
      Comparator.comparingDouble(Sorted::number).thenComparing(Sorted::element, BYTES); // ORDERED-1

  private SortCommand(RespCommand command) {
    super(command);
  }

  /// The command itself if it sorts nothing, or is one of these.
  public static RespCommand of(RespCommand command) {
    boolean isOther =
        switch (command.getName()) {
          case "SORT", "SORT_RO" ->
              command instanceof SortCommand || command instanceof BoundedReply;
          default -> true;
        };
    return isOther ? command : new SortCommand(command);
  }

  /// An element, and what it is ordered by.
  private record Sorted(byte[] element, byte @Nullable [] by, double number) {}

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    byte[] key = arguments.getFirst();
    SortOptions options =
        SortOptions.of(arguments.subList(1, arguments.size()), getName().equals("SORT"));
    if (options == null) {
      handler.writer().syntaxError();
      return handler.myStage();
    }
    CompletionStage<@Nullable List<byte[]>> found =
        EachType.of(handler)
            .getAsync(key)
            .thenCompose(value -> sorted(handler, ctx, value, options));
    return composed(
        found,
        ctx,
        elements -> {
          if (elements == null) {
            handler.writer().customError("One or more scores can't be converted into double");
            return handler.myStage();
          }
          byte[] destination = options.destination();
          CompletionStage<List<byte[]>> reply = got(handler, elements, options.gets());
          return destination == null
              ? handler.stageToReturn(reply, ctx, ResponseWriter.ARRAY_BULK_STRING)
              : handler.stageToReturn(
                  reply.thenCompose(
                      values -> EachType.replace(handler, destination, SortCommand::list, values)),
                  ctx,
                  ResponseWriter.INTEGER);
        });
  }

  /// The elements that the reply is of, in order; null if one is to be a number and is none.
  @SuppressWarnings("NullAway") // Infinispan does not state that what is read may be null.
  private static CompletionStage<@Nullable List<byte[]>> sorted(
      Resp3Handler handler,
      ChannelHandlerContext ctx,
      @Nullable Object value,
      SortOptions options) {
    SortPattern by = options.by();
    boolean isOrdered = by == null || by.namesKeys();
    if (!isOrdered && value instanceof SetBucket<?> && options.destination() != null) {
      return sorted(handler, ctx, value, options.ofTexts()); // ORDERED-2
    }
    List<byte[]> elements = elements(value);
    if (!isOrdered) {
      boolean isReversed = !(value instanceof SetBucket<?>) && options.isDescending();
      return CompletableFuture.completedFuture(
          options.limit().of(isReversed ? elements.reversed() : elements));
    }
    CompletionStage<List<byte[]>> read =
        by == null
            ? CompletableFuture.completedFuture(List.copyOf(elements))
            : CompletionStages.performSequentially(
                elements.iterator(), element -> by.read(handler, element), Collectors.toList());
    return read.thenCompose(bys ->
        CompletableFuture.supplyAsync(
            () -> ordered(elements, bys, options),
            RequestThreads.ofElements(ctx.channel(), elements.size())));
  }

  private static List<byte[]> elements(@Nullable Object value) {
    List<byte[]> elements = new ArrayList<>();
    switch (value) {
      case null -> {}
      case ListBucket<?> list -> list.toDeque().forEach(element -> elements.add((byte[]) element));
      case SetBucket<?> set -> set.toList().forEach(element -> elements.add((byte[]) element));
      case SortedSetBucket<?> set -> {
        for (ScoredValue<?> member : set.getScoredEntries()) {
          elements.add((byte[]) member.getValue());
        }
      }
      default -> throw new ClassCastException("no list, set or sorted set");
    }
    return elements;
  }

  private static @Nullable List<byte[]> ordered(
      List<byte[]> elements, List<byte[]> bys, SortOptions options) {
    List<Sorted> sorted = new ArrayList<>(elements.size());
    for (int at = 0; at < elements.size(); at++) {
      byte[] by = bys.get(at);
      double number = by == null || options.isAlpha() ? 0 : number(by);
      if (Double.isNaN(number)) {
        return null;
      }
      sorted.add(new Sorted(elements.get(at), by, number));
    }
    Comparator<Sorted> order = options.isAlpha() ? BY_TEXT : BY_NUMBER;
    sorted.sort(options.isDescending() ? order.reversed() : order);
    return options.limit().of(sorted).stream().map(Sorted::element).toList();
  }

  /// What the reply has of the elements, some of which may be null.
  @SuppressWarnings("NullAway") // Infinispan does not state that.
  private static CompletionStage<List<byte[]>> got(
      Resp3Handler handler, List<byte[]> elements, List<SortPattern> gets) {
    if (gets.isEmpty()) {
      return CompletableFuture.completedFuture(List.copyOf(elements));
    }
    record Get(byte[] element, SortPattern pattern) {}
    return CompletionStages.performSequentially(
        elements.stream().flatMap(e -> gets.stream().map(get -> new Get(e, get))).iterator(),
        get -> get.pattern().read(handler, get.element()),
        Collectors.toList());
  }

  /// What there is not is an empty string in a list.
  private static ListBucket<byte[]> list(List<byte[]> values) {
    return ListBucket.create(
        values.stream().map(value -> value == null ? new byte[0] : value).toList());
  }

  /// The number that a text is, as C reads it; none for another text, or one that is too large.
  private static double number(byte[] bytes) {
    String text = new String(bytes, ISO_8859_1);
    String number = text.stripLeading();
    if (text.isEmpty()) {
      return 0;
    }
    if (INFINITY.matcher(number).matches()) {
      return number.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    boolean isHexadecimal = HEXADECIMAL.matcher(number).matches();
    if (!isHexadecimal && !NUMBER.matcher(number).matches()) {
      return Double.NaN;
    }
    boolean lacksPower = isHexadecimal && number.toLowerCase(Locale.ROOT).indexOf('p') < 0;
    double read = Double.parseDouble(lacksPower ? number + "p0" : number);
    return Double.isInfinite(read) ? Double.NaN : read + 0.0; // Zero has one sign.
  }
}
