package io.varve.grid.guard.hotrod;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderException;
import io.varve.grid.guard.connection.Connection;
import io.varve.grid.guard.connection.Owing;
import io.varve.grid.guard.connection.RefusedRequest;
import io.varve.grid.guard.entry.EventKeys;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.server.core.transport.ExtendedByteBufJava;
import org.infinispan.server.hotrod.HotRodDecoder;
import org.infinispan.server.hotrod.HotRodHeader;
import org.infinispan.server.hotrod.HotRodOperation;
import org.infinispan.server.hotrod.HotRodServer;
import org.jspecify.annotations.Nullable;

/// The handlers of Hot Rod: those of Infinispan's server, of which the decoder stops at the first
/// request that it cannot read.
///
/// - HOTROD-1 After a request that is too long, or that is none, nothing of the connection is
///   decoded. Infinispan's decoder continues where it is, in the middle of a value, and puts what
///   it takes for one.
/// - HOTROD-2 A request that is too long has an answer, which reports that. Infinispan's decoder
///   closes the connection without one, and its client then sends the request again.
/// - HOTROD-3 Memory for elements is taken as they come. A count is refused that is larger than the
///   bytes that the request may still have. Before a login that is needed, one over
///   [#ELEMENTS_BEFORE_LOGIN] is. Infinispan's decoder takes memory for as many as are announced.
public final class HotRodPipeline {
  /// Parameters of a header; a request that needs a login may have more, and is refused in any
  /// case.
  private static final int ELEMENTS_BEFORE_LOGIN = 16;

  private static final int ELEMENTS_AT_FIRST = 16;

  private final HotRodServer server;

  public HotRodPipeline(HotRodServer server) {
    this.server = server;
  }

  /// Adds all handlers.
  public void addTo(ChannelPipeline pipeline) {
    pipeline.addLast(server.getInitializer());
    ChannelHandlerContext replaced = pipeline.context(HotRodDecoder.class);
    Executor executor = ((HotRodDecoder) replaced.handler()).getExecutor();
    var calls = new Calls(server, executor);
    pipeline.replace(replaced.name(), "varve-calls", calls);
    pipeline.addBefore("varve-calls", "varve-errors", new Errors(calls));
    pipeline.addBefore("varve-errors", "varve-listener-reads", calls.listenerReads);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
  private static final class Calls extends HotRodDecoder implements Owing {
    private final ListenerReads listenerReads = new ListenerReads();
    private Connection connection;
    private long owed; // answers
    private int countedAt; // where the last request ends that was counted: some are asked for twice
    private boolean ended;
    private boolean isTooLong;
    private long restBytes; // of a request that is too long, which are dropped

    private boolean decoding;
    private ByteBuf decoded = Unpooled.EMPTY_BUFFER;
    private int lengthAt; // of the last part, in those bytes
    private long bytesBefore; // of the request, before that part

    @SuppressWarnings("NullAway") // The connection is set as soon as the handler is added.
    Calls(HotRodServer server, Executor executor) {
      super(server.getCacheManager(), executor, server);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      connection = Connection.of(ctx.channel());
      super.handlerAdded(ctx);
      auth = new HotRodLogin(ctx.channel(), getExecutor(), server);
    }

    /// The header of a request that is complete, which is carried out next.
    @Override
    protected HotRodHeader getHeader() {
      connection.requested();
      if (decoding && countedAt != decoded.readerIndex()) {
        countedAt = decoded.readerIndex();
        owed++;
      }
      HotRodHeader header = super.getHeader();
      if (header != null && listens(header.getOp())) { // null of one that cannot be read
        listenerReads.listens();
        return new ListenersHeader(header);
      }
      return header;
    }

    @Override
    public boolean owesAnswers() {
      return owed > 0;
    }

    private static boolean listens(HotRodOperation operation) {
      return operation == HotRodOperation.ADD_CLIENT_LISTENER
          || operation == HotRodOperation.ADD_BLOOM_FILTER_CLIENT_LISTENER
          || operation == HotRodOperation.COUNTER_ADD_LISTENER;
    }

    @Override
    public void decode(ChannelHandlerContext ctx, ByteBuf bytes, List<Object> out)
        throws Exception {
      if (ended || !ctx.channel().isOpen()) { // HOTROD-1
        restBytes -= bytes.readableBytes();
        bytes.skipBytes(bytes.readableBytes());
        if (isTooLong && restBytes <= 0) {
          ctx.channel().close();
        }
      } else {
        decoded = bytes;
        decoding = true;
        countedAt = -1;
        try {
          super.decode(ctx, bytes, out);
        } finally {
          decoding = false;
          decoded = Unpooled.EMPTY_BUFFER;
        }
      }
    }

    /// The bytes that a part of a request may have, whose length is next.
    @Override
    protected int bytesAvailable(ByteBuf bytes) {
      int available = super.bytesAvailable(bytes);
      lengthAt = bytes.readerIndex();
      bytesBefore = (long) maxContentLength - available;
      return available;
    }

    @Override
    protected <K, V> Map<K, V> allocMap(int count) {
      return new HashMap<>(capacity(count));
    }

    @Override
    protected <T> List<T> allocList(int count) {
      return new ArrayList<>(capacity(count));
    }

    @Override
    protected <T> Set<T> allocSet(int count) {
      return new HashSet<>(capacity(count));
    }

    /// The elements to take memory for at first, of those that a request announces. (HOTROD-3)
    private int capacity(int count) {
      int countMax =
          needsLogin() ? ELEMENTS_BEFORE_LOGIN : Math.max(0, super.bytesAvailable(decoded));
      if (count < 0 || count > countMax) {
        throw new DecoderException(new TooManyElements(count, countMax));
      }
      return Math.min(count, ELEMENTS_AT_FIRST);
    }

    private boolean needsLogin() {
      return server.getConfiguration().authentication().enabled()
          && auth.getSubjectWithoutValidation() == null;
    }

    /// Whether what is decoded now has a part that is too long, whose length was read last.
    boolean hasTooLong() {
      return decoding && !ended && bytesBefore + lastLength() > maxContentLength;
    }

    private long lastLength() {
      ByteBuf length = decoded.duplicate().readerIndex(lengthAt).markReaderIndex();
      return Math.max(0, ExtendedByteBufJava.readMaybeVInt(length));
    }

    /// Answers a request that is too long, by the number that it has if that was read.
    void answerTooLong(ChannelHandlerContext ctx) throws Exception {
      isTooLong = true;
      restBytes = lastLength();
      exceptionCaught(ctx, new TooLongRequest(bytesBefore + restBytes, maxContentLength));
    }
  }

  /// The header of a request to add a listener, which is sent what can be converted. (LISTENER-2)
  private static final class ListenersHeader extends HotRodHeader {
    ListenersHeader(HotRodHeader header) {
      super(header);
    }

    @Override
    public @Nullable MediaType getKeyMediaType() {
      return EventKeys.marked(super.getKeyMediaType());
    }

    @Override
    public @Nullable MediaType getValueMediaType() {
      return EventKeys.marked(super.getValueMediaType());
    }
  }

  private static final class TooLongRequest extends BadRequest {
    @Serial private static final long serialVersionUID = 1;

    TooLongRequest(long bytes, long bytesMax) {
      super(
          "the request is longer than this node takes: bytes="
              + bytes
              + ", max="
              + bytesMax
              + "; that is --value-max, or an eighth of the heap if that is less (-Xmx)");
    }
  }

  private static final class TooManyElements extends BadRequest {
    @Serial private static final long serialVersionUID = 1;

    TooManyElements(int count, int countMax) {
      super(
          "the request announces more elements than this node takes: count="
              + Integer.toUnsignedString(count)
              + ", max="
              + countMax
              + "; log in first, or send fewer in one request");
    }
  }

  /// Ends a connection with the answer to a request that could not be read.
  @SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
  private static final class Errors extends ChannelOutboundHandlerAdapter {
    private static final int ERROR = 0x50;

    /// What listeners of caches and counters are sent: it answers nothing.
    private static final Set<Integer> EVENTS = Set.of(0x60, 0x61, 0x62, 0x63, 0x66);

    private static final int NO_MAGIC = 0x81;
    private static final int NOT_PARSED = 0x84;
    private static final int CONTINUES = 0x80; // of a number: another byte follows

    private final Calls calls;

    Errors(Calls calls) {
      this.calls = calls;
    }

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) throws Exception {
      if (calls.hasTooLong()) { // HOTROD-2
        ctx.channel().closeFuture().addListener(_ -> promise.trySuccess());
        calls.answerTooLong(ctx.pipeline().context(calls));
      } else {
        ctx.close(promise);
      }
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      if (message instanceof ByteBuf answer && !EVENTS.contains(operation(answer))) {
        calls.owed--;
      }
      if (message instanceof ByteBuf answer && isOfBadRequest(answer)) {
        calls.ended = true;
        ctx.writeAndFlush(message, promise.unvoid()).addListener(_ -> end(ctx));
      } else {
        ctx.write(message, promise);
      }
    }

    /// A client that still sends a request reads the answer before the connection ends: that is
    /// when all of it has come, or after a pause.
    private void end(ChannelHandlerContext ctx) {
      if (calls.isTooLong) {
        ctx.executor()
            .schedule(
                () -> ctx.channel().close(), RefusedRequest.LISTEN_MILLIS, TimeUnit.MILLISECONDS);
      } else {
        ctx.channel().close();
      }
    }

    /// An answer: a magic byte, the number of the request, the operation, the status.
    private static boolean isOfBadRequest(ByteBuf answer) {
      int at = operationAt(answer);
      if (at + 1 >= answer.writerIndex() || answer.getUnsignedByte(at) != ERROR) {
        return false;
      }
      int status = answer.getUnsignedByte(at + 1);
      // That a cache is not there has the same status, and the request was read.
      return status >= NO_MAGIC
          && status <= NOT_PARSED
          && !answer.toString(StandardCharsets.ISO_8859_1).contains("CacheNotFound");
    }

    private static int operationAt(ByteBuf answer) {
      int at = answer.readerIndex() + 1;
      while (at < answer.writerIndex() && (answer.getUnsignedByte(at) & CONTINUES) != 0) {
        at++;
      }
      return at + 1;
    }

    private static int operation(ByteBuf answer) {
      int at = operationAt(answer);
      return at < answer.writerIndex() ? answer.getUnsignedByte(at) : ERROR;
    }
  }
}
