package io.varve.grid.guard;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.Answers;
import io.varve.grid.guard.connection.Limits;
import io.varve.grid.guard.connection.RareLog;
import io.varve.grid.guard.hotrod.HotRodPipeline;
import io.varve.grid.guard.memcached.MemcachedFrames;
import io.varve.grid.guard.memcached.MemcachedPipeline;
import io.varve.grid.guard.resp.RespCommands;
import io.varve.grid.guard.resp.RespPipeline;
import java.util.List;
import java.util.Set;
import org.infinispan.server.core.ProtocolDetector;
import org.infinispan.server.core.transport.AccessControlFilter;
import org.infinispan.server.core.transport.CacheInitializeInboundAdapter;
import org.infinispan.server.memcached.MemcachedServer;
import org.infinispan.server.memcached.configuration.MemcachedProtocol;
import org.jspecify.annotations.Nullable;

/// Finds by the first bytes of a connection, or its first line, which protocol a client speaks on
/// the port that all share. Infinispan takes RESP that begins with certain commands alone, and
/// memcached's text protocol where its first line is a login.
///
/// | begins with                                    | is                     |
/// |------------------------------------------------|------------------------|
/// | the byte 0xA0                                  | Hot Rod                |
/// | `*`                                            | RESP                   |
/// | the byte 0x80                                  | memcached, binary      |
/// | a command of memcached, in lower case          | memcached, text        |
/// | another command of RESP                        | RESP, as lines of words |
/// | all else, and each line that has `HTTP/` in it | HTTP                   |
final class FirstLine extends ProtocolDetector {
  private static final int HOT_ROD = 0xA0;

  /// A line of HTTP may be longer; a first command is not.
  private static final int LINE_BYTES_MAX = 512;

  private static final Set<String> MEMCACHED =
      Set.of(
          "set",
          "add",
          "replace",
          "append",
          "prepend",
          "cas",
          "get",
          "gets",
          "gat",
          "gats",
          "delete",
          "incr",
          "decr",
          "touch",
          "stats",
          "version",
          "verbosity",
          "flush_all",
          "quit",
          "mn",
          "mg",
          "ms",
          "md",
          "ma",
          "me");

  /// What a connection may be.
  enum Protocol {
    HOT_ROD,
    RESP,
    MEMCACHED_BINARY,
    MEMCACHED_TEXT,
    HTTP
  }

  private final HotRodPipeline hotRod;
  private final RespPipeline resp;
  private final MemcachedServer memcached;
  private final Limits limits;
  private final RareLog log;

  FirstLine(
      HotRodPipeline hotRod,
      RespPipeline resp,
      MemcachedServer memcached,
      Limits limits,
      RareLog log) {
    super(memcached);
    this.hotRod = hotRod;
    this.resp = resp;
    this.memcached = memcached;
    this.limits = limits;
    this.log = log;
  }

  @Override
  public String getName() {
    return "varve-first-line";
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    Protocol protocol = protocol(in);
    if (protocol == null) {
      return; // It is not known yet.
    }
    switch (protocol) {
      case HOT_ROD -> {
        begin(ctx);
        hotRod.addTo(ctx.pipeline());
        complete(ctx);
      }
      case RESP -> {
        begin(ctx);
        resp.addTo(ctx.pipeline());
        complete(ctx);
      }
      case MEMCACHED_BINARY -> installMemcached(ctx, MemcachedProtocol.BINARY);
      case MEMCACHED_TEXT -> installMemcached(ctx, MemcachedProtocol.TEXT);
      case HTTP -> {} // whose handlers follow
    }
    ctx.pipeline().remove(this);
  }

  private void installMemcached(ChannelHandlerContext ctx, MemcachedProtocol protocol) {
    begin(ctx);
    ctx.pipeline().addLast("varve-frames", new FrameFilter(limits, log));
    MemcachedPipeline.addTo(ctx.pipeline(), memcached, protocol);
    complete(ctx);
  }

  /// Makes the pipeline that of another protocol than HTTP, whose handlers are to be added.
  private void begin(ChannelHandlerContext ctx) {
    trimPipeline(ctx);
    ctx.pipeline().addLast("varve-answers", new Answers());
  }

  /// Has the handlers of the protocol begin, as if the connection were new.
  private static void complete(ChannelHandlerContext ctx) {
    ctx.pipeline().fireUserEventTriggered(AccessControlFilter.EVENT);
    ctx.pipeline().fireUserEventTriggered(CacheInitializeInboundAdapter.CACHE_INITIALIZE_EVENT);
  }

  /// What a connection speaks that begins with some bytes, or null if more are needed to decide it.
  static @Nullable Protocol protocol(ByteBuf in) {
    if (!in.isReadable()) {
      return null;
    }
    int first = in.getUnsignedByte(in.readerIndex());
    if (first == HOT_ROD) {
      return Protocol.HOT_ROD;
    }
    if (first == '*') {
      return Protocol.RESP;
    }
    if (first == MemcachedFrames.BINARY) {
      return Protocol.MEMCACHED_BINARY;
    }
    if (!Character.isAlphabetic(first)) {
      return Protocol.HTTP;
    }
    int length = in.bytesBefore((byte) '\n');
    if (length < 0) {
      return in.readableBytes() < LINE_BYTES_MAX ? null : Protocol.HTTP;
    }
    String line = in.toString(in.readerIndex(), length, ISO_8859_1).strip();
    String word = line.split(" ", 2)[0];
    if (line.contains("HTTP/")) {
      return Protocol.HTTP;
    }
    if (MEMCACHED.contains(word)) {
      return Protocol.MEMCACHED_TEXT;
    }
    return RespCommands.isOffered(word) ? Protocol.RESP : Protocol.HTTP;
  }
}
