package io.varve.grid.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.read.EntrySetCommand;
import org.infinispan.commands.read.GetKeyValueCommand;
import org.infinispan.commands.read.SizeCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.context.impl.NonTxInvocationContext;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.factories.impl.ComponentRef;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.interceptors.InvocationStage;
import org.infinispan.partitionhandling.AvailabilityException;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.infinispan.partitionhandling.impl.PartitionHandlingManager;
import org.infinispan.remoting.transport.Address;
import org.infinispan.util.ByteString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a node without a lease answers: here it has just begun, and asks none for one.
@Timeout(60)
class LeaseGuardTest {
  private static final Long ANSWER = 7L;
  private static final ByteString CACHE = ByteString.fromString("entries");

  private final LeaseGuard guard = new LeaseGuard(new Lease(), components());

  /// The components of a cache that is available; what the others answer is not used.
  private static BasicComponentRegistry components() {
    return stub(
        BasicComponentRegistry.class,
        (_, _, arguments) ->
            stub(
                ComponentRef.class,
                (_, _, _) -> component((Class<?>) arguments[arguments.length - 1])));
  }

  private static Object component(Class<?> type) {
    return stub(
        type,
        (_, _, _) ->
            type.equals(PartitionHandlingManager.class) ? AvailabilityMode.AVAILABLE : null);
  }

  private static <T> T stub(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @BeforeEach
  void answer() {
    guard.setNextInterceptor(
        new BaseAsyncInterceptor() {
          @Override
          public Object visitCommand(InvocationContext context, VisitableCommand command) {
            return ANSWER;
          }
        });
  }

  private static InvocationContext from(Address origin) {
    return new NonTxInvocationContext(origin);
  }

  @Test
  void aReadByItsKeyIsNotAnswered() {
    isRefused(new GetKeyValueCommand(CACHE, "k", 0, 0));
  }

  @Test
  void aSizeIsNotAnswered() {
    isRefused(new SizeCommand(CACHE, null, 0));
  }

  private void isRefused(VisitableCommand command) {
    Object answer = guard.visitCommand(from(null), command);
    assertThatThrownBy(() -> ((InvocationStage) answer).get())
        .isInstanceOf(AvailabilityException.class);
  }

  /// Servers begin an iteration on an event loop. Nodes count what they have, for each other and
  /// for their own figures.
  @Test
  void whatMayNotWaitIsAnswered() throws Exception {
    Address other = Address.random();
    long local = FlagBitSets.CACHE_MODE_LOCAL;
    assertThat(guard.visitCommand(from(null), new EntrySetCommand<>(0))).isEqualTo(ANSWER);
    assertThat(guard.visitCommand(from(null), new SizeCommand(CACHE, null, local)))
        .isEqualTo(ANSWER);
    assertThat(guard.visitCommand(from(other), new SizeCommand(CACHE, null, 0))).isEqualTo(ANSWER);
  }
}
