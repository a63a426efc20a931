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
/// lock held, a place in the log reserved, or a page half changed. So whatever has effects that
/// others wait for begins with [#require]. (STACK-1) What follows a probe, to the return of the
/// call that probes, runs in less than [#BYTES] of stack; so what undoes it does, too.
///
/// The probe calls a method whose frame is that large. Java has no other way to ask, and a
/// recursion that takes as much is too slow. Entering a frame of the interpreter checks that all of
/// it fits. Compiled code makes the same check, in one store for each page of 4 KiB, since it may
/// have to continue in the interpreter. The method is generated: in source, its frame would take
/// thousands of declarations.
public final class StackProbe {
  /// What is left of the stack after a probe that returns: more than a commit takes in the
  /// interpreter, with its wait, what undoes it, and the linking of what it calls for the first
  /// time.
  public static final int BYTES = 64 << 10;

  /// Locals of the method: each takes eight bytes of its frame.
  private static final int LOCALS = BYTES / Long.BYTES;

  /// Above the bytes of code up to which compilers inline a method.
  private static final int UNINLINED_BYTES = 400;

  private static final IntUnaryOperator FRAME = generate();

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

  private static IntUnaryOperator generate() {
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
                            // The last local makes the frame; the call makes compiled code check.
                            body ->
                                body.iload(1)
                                    .istore(LOCALS - 1)
                                    .iload(1)
                                    .invokestatic(self, "end", type)
                                    .ireturn())
                        .withMethodBody(
                            "end",
                            type,
                            ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC,
                            StackProbe::end));
    try {
      MethodHandles.Lookup frame = MethodHandles.lookup().defineHiddenClass(code, true);
      return (IntUnaryOperator) frame.lookupClass().getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the stack probe cannot be generated", e);
    }
  }

  /// The body of a method that returns its argument, and is too long to be inlined: a compiled
  /// method that calls nothing would not check its frame.
  private static void end(CodeBuilder body) {
    Label end = body.newLabel();
    body.iload(0).ifeq(end);
    for (int i = 0; i < UNINLINED_BYTES; i++) {
      body.nop();
    }
    body.labelBinding(end).iload(0).ireturn();
  }
}
