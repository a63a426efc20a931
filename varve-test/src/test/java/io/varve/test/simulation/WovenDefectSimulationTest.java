package io.varve.test.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.varve.test.BuildFigures;
import io.varve.test.WovenClassLoader;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Defects that show only where a thread stops between two accesses to memory. They are planted in
/// the bytes of the engine, which has no switch for them.
@Tag("simulation")
class WovenDefectSimulationTest {
  /// Such defects show where many threads meet: histories are longer than most, with more threads.
  private static final int STEPS_MAX = 120;

  private static final int THREADS_MAX = 8;

  /// A checkpoint notes where it cuts the log when commits may continue again: so it may leave one
  /// out whose log it releases.
  @Test
  void aCutOfTheLogThatIsTakenAfterTheGateOpensIsFound() {
    requireFound(
        FaultKind.POWER,
        "io.varve.internal.txn.Snapshots",
        "close",
        (code, element) -> {
          if (element instanceof InvokeInstruction call && call.name().equalsString("run")) {
            code.pop();
            return;
          }
          if (element instanceof ReturnInstruction) {
            code.aload(1)
                .invokeinterface(
                    ClassDesc.of("java.lang.Runnable"),
                    "run",
                    MethodTypeDesc.of(ConstantDescs.CD_void));
          }
          code.with(element);
        },
        "\\(D[123][^)]*\\)|no root of the closed epoch");
  }

  /// A reader does not look whether a writer changed the leaf while it read.
  @Test
  void aReadThatDoesNotValidateTheVersionOfItsLeafIsFound() {
    requireFound(
        FaultKind.NONE,
        "io.varve.internal.page.Leaf",
        "validate",
        (code, element) -> {
          if (element instanceof ReturnInstruction) {
            code.pop().iconst_1();
          }
          code.with(element);
        },
        "value read was not there|unexpected answer: call=(get|read|contains|scan|count)"
            + "|compareAndSet found another value where there was none");
  }

  private static void requireFound(
      FaultKind fault, String className, String method, CodeTransform defect, String message) {
    UnaryOperator<byte[]> change =
        bytes -> {
          ClassFile file = ClassFile.of();
          return file.transformClass(
              file.parse(bytes),
              ClassTransform.transformingMethodBodies(
                  each -> each.methodName().equalsString(method), defect));
        };
    var woven = new WovenHistory(new WovenClassLoader(Map.of(className, change)));
    SimulationOptions options = new SimulationOptions(EnumSet.of(fault), STEPS_MAX, THREADS_MAX);
    Pattern expected = Pattern.compile(message);
    List<String> others = new ArrayList<>();
    for (long seed = 1; seed <= BuildFigures.PLANTED_SEEDS; seed++) {
      try {
        woven.run(seed, options, null);
      } catch (SimulationFailedError e) {
        if (expected.matcher(e.getMessage()).find()) {
          assertThat(e).hasMessageContaining("seed=" + seed);
          return;
        }
        others.add(e.getMessage());
      }
    }
    fail(
        "defect was not found: seeds=%d, expected=%s, found=%s",
        BuildFigures.PLANTED_SEEDS, message, others);
  }
}
