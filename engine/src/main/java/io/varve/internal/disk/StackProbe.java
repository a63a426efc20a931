package io.varve.internal.disk;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.function.IntUnaryOperator;

/// Finds out whether the calling thread has stack left, before it changes anything.
///
/// A caller that recurses too deep may meet the end of its stack in the middle of a commit: with a
/// lock held, bytes of the log reserved, or a page half changed. So whatever has effects that
/// others wait for begins with [#require]. (STACK-1) What follows a probe, to the return of the
/// call that probes, runs in less than [#BYTES] of stack; so what undoes it does, too.
///
/// A load of a page probes as well, since others wait for it, and it may be part of such a call. So
/// it asks for less, by [#requireForLoad]: the call that probed first would have to be almost done
/// with its stack for the second probe to fail.
///
/// A close of what such a call has opened asks for less too, by [#requireForClose]. It may be
/// called at a greater depth than the probe was, and nothing else would end what is open.
///
/// The probe calls a method whose frame is that large. Java has no other way to ask, and a
/// recursion that takes as much is too slow. Entering a frame of the interpreter checks that all of
/// it fits. Compiled code makes the same check, in one store for each page of 4 KiB, since it may
/// have to continue in the interpreter. The method is generated: in source, its frame would take
/// thousands of declarations.
///
/// No compiler may inline that method. Otherwise a caller would check at its own entry for the
/// frame of the probe, also where it would not have called it. A call would fail in the middle.
public final class StackProbe {
  /// What is left of the stack after a probe that returns: more than twice what a commit takes in
  /// the interpreter. That includes its loads and its wait, what undoes it, and the linking of what
  /// it calls for the first time. A probe of more than some ten pages of 4 KiB is expensive: its
  /// stores meet in one set of the first cache.
  public static final int BYTES = 32 << 10;

  /// What is left for a load of a page: to read it, to decrypt it and to make its node. Also for a
  /// close.
  private static final int LOAD_BYTES = 16 << 10;

  /// Above the bytes of code up to which compilers inline a method.
  private static final int UNINLINED_BYTES = 400;

  private static final IntUnaryOperator FRAME = generate(BYTES);
  private static final IntUnaryOperator LOAD_FRAME = generate(LOAD_BYTES);

  /// Passed to the method so that no compiler can compute its result. Never written.
  @SuppressWarnings("FieldMayBeFinal") // a constant would let the compiler drop the frame
  private static int argument;

  private StackProbe() {}

  /// Returns if [#BYTES] of stack are left to the caller.
  ///
  /// @throws StackOverflowError if they are not
  @SuppressWarnings("ReturnValueIgnored") // the call is what counts
  public static void require() {
    FRAME.applyAsInt(argument);
  }

  /// Returns if enough stack is left to load a page.
  ///
  /// @throws StackOverflowError if it is not
  @SuppressWarnings("ReturnValueIgnored") // the call is what counts
  public static void requireForLoad() {
    LOAD_FRAME.applyAsInt(argument);
  }

  /// Returns if enough stack is left to close what a call has opened that began with [#require].
  ///
  /// @throws StackOverflowError if it is not
  @SuppressWarnings("ReturnValueIgnored") // the call is what counts
  public static void requireForClose() {
    LOAD_FRAME.applyAsInt(argument);
  }

  private static IntUnaryOperator generate(int bytes) {
    ClassDesc self = ClassDesc.of(StackProbe.class.getPackageName(), "StackFrame");
    MethodTypeDesc type = MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int);
    byte[] code =
        ClassFile.of()
            .build(
                self,
                builder ->
                    builder
                        .withInterfaceSymbols(ClassDesc.of(IntUnaryOperator.class.getName()))
                        .withMethodBody(
                            ConstantDescs.INIT_NAME,
                            ConstantDescs.MTD_void,
                            ClassFile.ACC_PUBLIC,
                            body ->
                                body.aload(0)
                                    .invokespecial(
                                        ConstantDescs.CD_Object,
                                        ConstantDescs.INIT_NAME,
                                        ConstantDescs.MTD_void)
                                    .return_())
                        .withMethodBody(
                            "applyAsInt",
                            type,
                            ClassFile.ACC_PUBLIC,
                            body -> frame(body, bytes, self, type))
                        .withMethodBody(
                            "end",
                            type,
                            ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC,
                            body -> uninlined(body, 0).iload(0).ireturn()));
    try {
      MethodHandles.Lookup frame = MethodHandles.lookup().defineHiddenClass(code, true);
      return (IntUnaryOperator) frame.lookupClass().getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the stack probe cannot be generated", e);
    }
  }

  /// The body of a method with a frame of that many bytes: the last local makes it so, eight bytes
  /// for each. The call makes compiled code check it, which no method without a call would.
  private static void frame(CodeBuilder body, int bytes, ClassDesc self, MethodTypeDesc type) {
    uninlined(body, 1)
        .iload(1)
        .istore(bytes / Long.BYTES - 1)
        .iload(1)
        .invokestatic(self, "end", type)
        .ireturn();
  }

  /// Begins a body with as much code as keeps compilers from inlining the method. It is passed by
  /// where the argument, in that local, is zero.
  private static CodeBuilder uninlined(CodeBuilder body, int argumentLocal) {
    Label end = body.newLabel();
    body.iload(argumentLocal).ifeq(end);
    for (int i = 0; i < UNINLINED_BYTES; i++) {
      body.nop();
    }
    return body.labelBinding(end);
  }
}
