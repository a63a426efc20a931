package io.varve.control.internal;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.VarveException;
import io.varve.control.ControlException;
import io.varve.control.ControlException.Reason;
import io.varve.control.SpaceFigures;
import io.varve.control.internal.Request.Operation;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// One connection: a request and its answer.
final class Session {
  private static final boolean HAS_QUERIES = hasQueries();

  private final Store store;
  private final SocketChannel channel;
  private final Deadline deadline;
  private final Semaphore watchPermits;
  private final FrameInput in;
  private final FrameOutput out;

  /// Reads nothing yet.
  ///
  /// @param watchPermits of all sessions that follow a query
  Session(Store store, SocketChannel channel, Deadline deadline, Semaphore watchPermits) {
    this.store = store;
    this.watchPermits = watchPermits;
    this.channel = channel;
    this.deadline = deadline;
    in = new FrameInput(new BufferedInputStream(Channels.newInputStream(channel)));
    out =
        new FrameOutput(
            new BufferedOutputStream(Channels.newOutputStream(channel), Frame.PAYLOAD_BYTES_MAX));
  }

  private static boolean hasQueries() {
    try {
      Class.forName("io.varve.query.Queries", false, Session.class.getClassLoader());
      Class.forName("io.varve.json.JsonCodec", false, Session.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /// Answers the owner, and refuses others.
  ///
  /// @throws IOException if the client has gone or is too slow
  void run(UserPrincipal owner) throws IOException {
    try {
      if (!Peers.isOf(channel, owner)) {
        throw new ControlException(
            Reason.REFUSED,
            "the control socket is for its owner alone: owner="
                + owner.getName()
                + "; run the command as that user");
      }
      answer(request());
      out.write(FrameKind.END, new byte[0]);
    } catch (ControlException e) {
      refuse(e.reason(), String.valueOf(e.getMessage()));
    } catch (VarveException | IllegalStateException e) {
      refuseLate(Reason.FAILED, e);
    } catch (IllegalArgumentException e) {
      refuseLate(Reason.BAD_REQUEST, e);
    }
    out.flush();
  }

  /// Reports to a client why it gets no answer, without reading its request.
  void refuse(Reason reason, String message) throws IOException {
    out.write(FrameKind.ERROR, ControlJson.write(new Failure(reason, message)));
    out.flush();
  }

  /// What fails after the deadline fails for it: the snapshot was closed.
  private void refuseLate(Reason reason, RuntimeException failure) throws IOException {
    try {
      deadline.check();
      refuse(reason, String.valueOf(failure.getMessage()));
    } catch (ControlException e) {
      refuse(e.reason(), String.valueOf(e.getMessage()));
    }
  }

  private Request request() throws IOException {
    Frame frame;
    try {
      frame = in.next();
    } catch (ProtocolException e) {
      throw new ControlException(Reason.BAD_REQUEST, String.valueOf(e.getMessage()), e);
    }
    if (frame.kind() != FrameKind.REQUEST) {
      throw new ControlException(
          Reason.BAD_REQUEST, "a connection starts with a request: found=" + frame.kind());
    }
    return ControlJson.request(frame.payload());
  }

  private void answer(Request request) throws IOException {
    switch (request.operation()) {
      case SPACES -> spaces();
      case STATISTICS -> json(HolderImage.of(store));
      case GET -> get(space(request), required(request.key(), "key"));
      case SCAN -> scan(space(request), request);
      case COUNT -> json(deadline.snapshot(store).count(space(request), request.keyRange()));
      case QUERY, EXPLAIN, WATCH -> query(required(request.text(), "text"), request.operation());
    }
  }

  private void spaces() throws IOException {
    Snapshot snapshot = deadline.snapshot(store);
    List<SpaceFigures> spaces = new ArrayList<>();
    for (String name : store.spaceNames()) {
      Space space = store.findSpace(name);
      if (space != null) { // it may have been dropped since
        long bytes = space.approximateBytes(Range.all());
        spaces.add(new SpaceFigures(name, snapshot.count(space, Range.all()), bytes));
      }
    }
    json(spaces);
  }

  private void json(Object value) throws IOException {
    out.write(FrameKind.JSON, ControlJson.write(value));
  }

  private Space space(Request request) {
    String name = required(request.space(), "space");
    Space space = store.findSpace(name);
    if (space == null) {
      throw new ControlException(Reason.NOT_FOUND, "no such space: " + name);
    }
    return space;
  }

  private static <T> T required(@Nullable T property, String name) {
    if (property == null) {
      throw new ControlException(Reason.BAD_REQUEST, "a request lacks a property: name=" + name);
    }
    return property;
  }

  private void get(Space space, byte[] key) throws IOException {
    Snapshot snapshot = deadline.snapshot(store);
    try (Cursor cursor = snapshot.cursor(space, Range.exactly(key))) {
      if (cursor.seek(key) && Arrays.equals(cursor.key(), key)) {
        value(cursor);
      }
    }
  }

  private void scan(Space space, Request request) throws IOException {
    Long limit = request.limit();
    long left = limit == null ? Long.MAX_VALUE : limit;
    Snapshot snapshot = deadline.snapshot(store);
    try (Cursor cursor = snapshot.cursor(space, request.keyRange())) {
      boolean isFound = request.isReverse() ? cursor.last() : cursor.first();
      for (; isFound && left > 0; left--) {
        deadline.check();
        out.write(FrameKind.KEY, cursor.key());
        if (!request.keysOnly()) {
          value(cursor);
        }
        isFound = request.isReverse() ? cursor.previous() : cursor.next();
      }
    }
  }

  /// A value may be larger than the heap.
  private void value(Cursor cursor) throws IOException {
    try (InputStream content = cursor.valueStream()) {
      out.write(FrameKind.VALUE, content);
    }
  }

  private void query(String text, Operation operation) throws IOException {
    if (!HAS_QUERIES) {
      throw new ControlException(
          Reason.REFUSED,
          "the process that holds the store has no queries: add varve-query and varve-json to it");
    }
    var query = new DocumentQuery(store, text, deadline);
    if (operation == Operation.EXPLAIN) {
      json(query.explain());
    } else if (operation == Operation.WATCH) {
      watch(query);
    } else {
      query.run(row -> out.write(FrameKind.JSON, row));
    }
  }

  /// Follows a query until its client has gone. A watch may last for days, so some connections are
  /// left for others.
  private void watch(DocumentQuery query) throws IOException {
    if (!watchPermits.tryAcquire()) {
      throw new ControlException(
          Reason.BUSY, "the control socket follows queries for others; end one of these");
    }
    try {
      query.watch(
          new DocumentQuery.StepConsumer() {
            @Override
            public void accept(byte[] json) throws IOException {
              out.write(FrameKind.JSON, json);
            }

            @Override
            public void flush(boolean isQuiet) throws IOException {
              if (isQuiet) {
                out.write(FrameKind.ALIVE, new byte[0]);
              }
              out.flush();
            }
          });
    } catch (UnsupportedOperationException e) {
      throw new ControlException(Reason.BAD_REQUEST, String.valueOf(e.getMessage()), e);
    } finally {
      watchPermits.release();
    }
  }
}
