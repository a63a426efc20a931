package io.varve.test;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Inserts calls of [Accesses] into classes of the engine: before each access to what threads
/// share, and where commits get their LSN.
///
/// - (W1) A call comes before an access, never after. So between a reservation of log and the
///   [Accesses#reserved] that reports it no other thread runs.
/// - (W2) In a class initializer, whose thread cannot stop, no access counts.
/// - (W3) Whatever is said to be woven is there: a method that is gone fails the load of its class.
final class Weaver {
  private static final ClassDesc ACCESSES = ClassDesc.of("io.varve.test.Accesses");
  private static final ClassDesc TAIL = ClassDesc.of("io.varve.internal.wal.segment.Tail");
  private static final ClassDesc GATE = ClassDesc.of("io.varve.internal.txn.CommitGate");
  private static final MethodTypeDesc SITE = MethodTypeDesc.of(CD_void, CD_int);
  private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(CD_void);
  private static final Set<String> WOVEN = Set.of("io.varve.internal", "io.varve.item");

  /// Calls of these types, and of what is below these packages, are accesses.
  private static final List<String> SHARING =
      List.of(
          "java/util/concurrent/atomic/",
          "java/util/concurrent/locks/",
          "java/util/concurrent/Concurrent",
          "java/util/concurrent/CompletableFuture",
          "java/util/concurrent/Semaphore",
          "java/util/concurrent/CountDownLatch",
          "io/varve/internal/lock/OrderedLock");

  private final ClassFile classFile;
  private final Function<String, byte[]> compiled;
  private final Map<String, FieldsOf> fields = new ConcurrentHashMap<>();
  private final AtomicInteger sites = new AtomicInteger();

  /// @param loader has the classes as they were compiled
  /// @param compiled gives the bytes of one of them
  Weaver(ClassLoader loader, Function<String, byte[]> compiled) {
    this.compiled = compiled;
    classFile =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(loader)
                    .orElse(ClassHierarchyResolver.defaultResolver())
                    .cached()));
  }

  static boolean isWoven(String className) {
    return WOVEN.stream().anyMatch(tree -> className.startsWith(tree + "."));
  }

  byte[] weave(byte[] bytes) {
    ClassModel model = classFile.parse(bytes);
    requireProbed(model);
    return classFile.transformClass(model, (builder, element) -> weave(builder, element, model));
  }

  private void weave(ClassBuilder builder, ClassElement element, ClassModel model) {
    if (element instanceof MethodModel method && method.code().isPresent()) {
      builder.transformMethod(method, MethodTransform.transformingCode(new Body(model, method)));
    } else {
      builder.with(element);
    }
  }

  /// Whether a field is volatile that is named by a class or one of its subclasses.
  private boolean isVolatile(FieldInstruction field) {
    String name = field.name().stringValue();
    String owner = field.owner().asInternalName();
    while (owner != null && isWoven(owner.replace('/', '.'))) {
      FieldsOf fields = fields(owner);
      if (fields.volatiles.contains(name)) {
        return true;
      }
      owner = fields.superclass;
    }
    return false;
  }

  private FieldsOf fields(String owner) {
    FieldsOf known = fields.get(owner);
    if (known == null) {
      known = FieldsOf.of(classFile.parse(compiled.apply(owner.replace('/', '.'))));
      fields.put(owner, known);
    }
    return known;
  }

  /// The volatile fields that a class has of its own.
  private record FieldsOf(Set<String> volatiles, @Nullable String superclass) {
    static FieldsOf of(ClassModel model) {
      return new FieldsOf(
          model.fields().stream()
              .filter(field -> field.flags().has(AccessFlag.VOLATILE))
              .map(field -> field.fieldName().stringValue())
              .collect(Collectors.toSet()),
          model.superclass().map(ClassEntry::asInternalName).orElse(null));
    }
  }

  private static void requireProbed(ClassModel model) {
    ClassDesc type = model.thisClass().asSymbol();
    if (type.equals(TAIL)) {
      require(model, "tryReserve", MethodTypeDesc.of(CD_long, CD_long));
    } else if (type.equals(GATE)) {
      require(model, "exit", NOTHING);
    }
  }

  private static void require(ClassModel model, String name, MethodTypeDesc type) {
    if (model.methods().stream().noneMatch(method -> is(method, name, type))) {
      throw new IllegalStateException(
          "the simulation follows a method that is gone: class=%s, method=%s; adapt Weaver"
              .formatted(model.thisClass().asInternalName(), name));
    }
  }

  private static boolean is(MethodModel method, String name, MethodTypeDesc type) {
    return method.methodName().equalsString(name) && method.methodTypeSymbol().equals(type);
  }

  /// The body of one method.
  private final class Body implements CodeTransform {
    private final boolean initializesClass;
    private final boolean makesLog;
    private final boolean reserves;
    private final boolean leavesGate;

    Body(ClassModel model, MethodModel method) {
      ClassDesc type = model.thisClass().asSymbol();
      String name = method.methodName().stringValue();
      initializesClass = name.equals(ConstantDescs.CLASS_INIT_NAME);
      makesLog = type.equals(TAIL) && name.equals(ConstantDescs.INIT_NAME);
      reserves = type.equals(TAIL) && is(method, "tryReserve", MethodTypeDesc.of(CD_long, CD_long));
      leavesGate = type.equals(GATE) && is(method, "exit", NOTHING);
    }

    @Override
    public void atStart(CodeBuilder code) {
      if (initializesClass) {
        code.invokestatic(ACCESSES, "initializing", NOTHING);
      }
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      switch (element) {
        case ReturnInstruction _ -> beforeReturn(code);
        case MonitorInstruction _ -> before(code, "before");
        case FieldInstruction field when isVolatile(field) -> before(code, "before");
        case InvokeInstruction call -> {
          if (replaced(code, call)) {
            return;
          }
          String owner = call.owner().asInternalName();
          if (owner.equals("java/lang/invoke/VarHandle")) {
            String name = call.name().stringValue();
            before(code, name.equals("get") || name.equals("set") ? "beforePlain" : "before");
          } else if (call.opcode() != Opcode.INVOKESPECIAL
              && SHARING.stream().anyMatch(owner::startsWith)) {
            before(code, "before");
          }
        }
        default -> {}
      }
      code.with(element);
    }

    private void before(CodeBuilder code, String hook) {
      code.loadConstant(sites.getAndIncrement()).invokestatic(ACCESSES, hook, SITE);
    }

    private void beforeReturn(CodeBuilder code) {
      if (initializesClass) {
        code.invokestatic(ACCESSES, "initialized", NOTHING);
      } else if (makesLog) {
        code.aload(0)
            .invokestatic(ACCESSES, "logMade", MethodTypeDesc.of(CD_void, ConstantDescs.CD_Object));
      } else if (reserves) {
        // The LSN before the record is what is returned; the tail is the one after it (W1).
        code.dup2()
            .aload(0)
            .getfield(TAIL, "tail", CD_long)
            .aload(0)
            .invokestatic(
                ACCESSES,
                "reserved",
                MethodTypeDesc.of(CD_void, CD_long, CD_long, ConstantDescs.CD_Object));
      } else if (leavesGate) {
        code.invokestatic(ACCESSES, "applied", NOTHING);
      }
    }

    /// What a thread of the simulation does otherwise than one of the system.
    private boolean replaced(CodeBuilder code, InvokeInstruction call) {
      String owner = call.owner().asInternalName();
      String name = call.name().stringValue();
      if (owner.equals("java/lang/Thread") && name.equals("onSpinWait")) {
        code.invokestatic(ACCESSES, "spin", NOTHING);
        return true;
      }
      if (owner.equals("java/lang/Thread") && name.equals("threadId")) {
        code.invokestatic(
            ACCESSES, "threadId", MethodTypeDesc.of(CD_long, ClassDesc.of("java.lang.Thread")));
        return true;
      }
      if (owner.equals("java/lang/System") && name.equals("nanoTime")) {
        code.invokestatic(ACCESSES, "nanoTime", MethodTypeDesc.of(CD_long));
        return true;
      }
      if (owner.equals("java/util/concurrent/locks/LockSupport") && name.equals("parkNanos")) {
        code.invokestatic(ACCESSES, "parkNanos", call.typeSymbol());
        return true;
      }
      return false;
    }
  }
}
