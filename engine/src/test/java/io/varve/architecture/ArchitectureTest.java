package io.varve.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.varve.Codec;
import io.varve.ExpiringTable;
import io.varve.KeySource;
import io.varve.OrderedMap;
import io.varve.Snapshot;
import io.varve.Store;
import io.varve.Transaction;
import io.varve.admin.Backups;
import io.varve.admin.Salvage;
import io.varve.admin.StoreKeys;
import io.varve.internal.disk.StackProbe;
import io.varve.internal.item.ItemBytes;
import io.varve.internal.item.ItemWriter;
import io.varve.internal.txn.KeyUpdate;
import io.varve.internal.txn.PendingChanges;
import io.varve.internal.txn.SpaceHandle;
import io.varve.spi.NonBlockingSpace;
import io.varve.spi.StackReserve;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/// Holds the packages to the order that docs/ARCHITECTURE.md gives them. Holds the code to the few
/// rules that a reviewer would otherwise have to look for.
@AnalyzeClasses(packages = "io.varve", importOptions = ArchitectureTest.EngineOnly.class)
class ArchitectureTest {
  private static final String API = "io.varve";
  private static final String INTERNAL = "io.varve.internal.";

  private static final String[] EXPORTED = {API, API + ".admin", API + ".item", API + ".spi"};

  /// From the top down: each package uses only those after it, and the API's values and errors.
  private static final List<String> LAYERS =
      List.of(
          "store",
          "salvage",
          "backup",
          "index",
          "checkpoint",
          "txn",
          "tree",
          "cache",
          "file",
          "page",
          "wal",
          "crypto",
          "compress",
          "disk",
          "lock",
          "event");

  /// The packages of the log, likewise: its face has no name of its own.
  private static final List<String> LOG_LAYERS =
      List.of("wal", "wal.group", "wal.segment", "wal.format");

  /// What can wait for a time.
  private static final Set<String> TIMED_WAITS =
      Set.of(
          "java.util.concurrent.locks.LockSupport",
          "java.util.concurrent.locks.Condition",
          "java.util.concurrent.CountDownLatch",
          "java.util.concurrent.CompletableFuture",
          "java.lang.Thread",
          "java.lang.Object");

  /// What hands out what the internals make.
  private static final Class<?>[] FACTORIES = {
    Store.class,
    Backups.class,
    Salvage.class,
    StoreKeys.class,
    KeySource.class,
    OrderedMap.class,
    Snapshot.class,
    Transaction.class,
    Codec.class,
    ExpiringTable.class
  };

  /// The engine's own classes: not the tests', and not the test kit's, which are compiled with
  /// them.
  static final class EngineOnly implements ImportOption {
    private final ImportOption notTests = new DoNotIncludeTests();

    @Override
    public boolean includes(Location location) {
      return notTests.includes(location) && !location.contains("/io/varve/test/");
    }
  }

  // --- layers ---------------------------------------------------------------------------------

  /// A lower package that calls a higher one makes both unreadable alone, and locks be taken in
  /// either order.
  @ArchTest
  void layersUseOnlyThoseBelow(JavaClasses engine) {
    requireOrder(LAYERS, "..", engine);
    requireOrder(LOG_LAYERS, "", engine);
  }

  /// @param packages from the top down
  /// @param tree what follows the name of each: nothing, or all below it
  private static void requireOrder(List<String> packages, String tree, JavaClasses engine) {
    IntStream.range(1, packages.size())
        .forEach(layer -> {
          String[] above =
              packages.subList(0, layer).stream()
                  .map(name -> INTERNAL + name + tree)
                  .toArray(String[]::new);
          noClasses()
              .that()
              .resideInAPackage(INTERNAL + packages.get(layer) + tree)
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(above)
              .allowEmptyShould(true)
              .check(engine);
        });
  }

  /// Typed maps and codecs use the API as a user's program does, and know of no layer. Calls of a
  /// map that are not awaited are the exception: they make the changes of the space itself. The API
  /// gives what a change found only with its promise (decision 0101).
  @ArchTest
  static final ArchRule mapsAndCodecsUseTheApiAlone =
      noClasses()
          .that()
          .resideInAnyPackage(INTERNAL + "map..", INTERNAL + "codec..")
          .should()
          .dependOnClassesThat(
              resideInAPackage(INTERNAL + ".")
                  .and(not(resideInAnyPackage(INTERNAL + "map..", INTERNAL + "codec..")))
                  .and(
                      not(belongToAnyOf(SpaceHandle.class, PendingChanges.class, KeyUpdate.class))))
          .allowEmptyShould(true);

  /// Items are kept in spaces as a user's program would keep them. But others wait for what a call
  /// leaves half-way, so calls need the probe of the stack.
  @ArchTest
  static final ArchRule itemsUseTheApiAlone =
      noClasses()
          .that()
          .resideInAnyPackage(API + ".item", INTERNAL + "item..")
          .should()
          .dependOnClassesThat(
              resideInAPackage(INTERNAL + ".")
                  .and(not(resideInAnyPackage(INTERNAL + "item..", INTERNAL + "map..")))
                  .and(not(belongToAnyOf(StackProbe.class))));

  /// What users see of items knows how they are encoded, and not how they are kept.
  @ArchTest
  static final ArchRule itemsKnowTheirBytes =
      noClasses()
          .that()
          .resideInAPackage(API + ".item")
          .should()
          .dependOnClassesThat(
              resideInAPackage(INTERNAL + ".")
                  .and(not(belongToAnyOf(ItemBytes.class, ItemWriter.class))));

  /// The engine's layers move bytes; what the bytes mean is for those above them.
  @ArchTest
  static final ArchRule layersKnowNoTypes =
      noClasses()
          .that()
          .resideInAnyPackage(
              INTERNAL + "salvage..",
              INTERNAL + "backup..",
              INTERNAL + "checkpoint..",
              INTERNAL + "txn..",
              INTERNAL + "tree..",
              INTERNAL + "cache..",
              INTERNAL + "file..",
              INTERNAL + "page..",
              INTERNAL + "wal..",
              INTERNAL + "crypto..",
              INTERNAL + "compress..",
              INTERNAL + "disk..",
              INTERNAL + "lock..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              INTERNAL + "map..", INTERNAL + "codec..", INTERNAL + "item..", API + ".item")
          .allowEmptyShould(true);

  /// The API names internals in its factories only.
  @ArchTest
  static final ArchRule onlyFactoriesSeeInternals =
      noClasses()
          .that()
          .resideInAnyPackage(API, API + ".admin")
          .and(are(not(belongToAnyOf(FACTORIES))))
          .should()
          .dependOnClassesThat()
          .resideInAPackage(INTERNAL + ".")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule factoriesSeeWhatTheyMake =
      noClasses()
          .that()
          .belongToAnyOf(FACTORIES)
          .should()
          .dependOnClassesThat(
              resideInAPackage(INTERNAL + ".")
                  .and(
                      not(
                          resideInAnyPackage(
                              INTERNAL + "store",
                              INTERNAL + "map",
                              INTERNAL + "codec",
                              INTERNAL + "crypto"))))
          .allowEmptyShould(true);

  /// What a user can call or be handed is in the API or the JDK: internals are not exported, so a
  /// signature that names one could not be used.
  @ArchTest
  void exportedSignaturesNameExportedTypesOnly(JavaClasses engine) {
    methods()
        .that()
        .areDeclaredInClassesThat()
        .resideInAnyPackage(EXPORTED)
        .and()
        .arePublic()
        .should()
        .notHaveRawReturnType(resideInAPackage(INTERNAL + "."))
        .allowEmptyShould(true)
        .check(engine);
    noMethods()
        .that()
        .areDeclaredInClassesThat()
        .resideInAnyPackage(EXPORTED)
        .and()
        .arePublic()
        .should()
        .haveRawParameterTypes(
            describe(
                "an internal one",
                types -> types.stream().anyMatch(t -> t.getPackageName().startsWith(INTERNAL))))
        .allowEmptyShould(true)
        .check(engine);
  }

  /// A program that only keeps data needs no administration, so what it uses must not.
  @ArchTest
  static final ArchRule nothingExportedUsesAdministration =
      noClasses()
          .that()
          .resideInAnyPackage(API, API + ".item", API + ".spi")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(API + ".admin");

  /// What a provider implements is called by all that is above it.
  @ArchTest
  static final ArchRule providersUseTheJdkAlone =
      noClasses()
          .that()
          .resideInAPackage(API + ".spi")
          .and(are(not(belongToAnyOf(NonBlockingSpace.class, StackReserve.class))))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(API, API + ".admin", API + ".item", INTERNAL + ".");

  /// What servers call of a space is a part of the API, under a name that few need.
  @ArchTest
  static final ArchRule callsForEventLoopsUseTheApiAlone =
      noClasses()
          .that()
          .belongToAnyOf(NonBlockingSpace.class)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(API + ".admin", API + ".item", INTERNAL + ".");

  @ArchTest
  static final ArchRule internalsHaveNoCycles =
      slices().matching(INTERNAL + "(**)").should().beFreeOfCycles().allowEmptyShould(true);

  // --- the disk ----------------------------------------------------------------------------------

  /// What reaches files past Disk is not simulated, and so not tested against loss of power.
  @ArchTest
  static final ArchRule onlyDiskReachesFiles =
      noClasses()
          .that()
          .resideOutsideOfPackage(INTERNAL + "disk..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("java.nio.channels..")
                  .or(
                      belongToAnyOf(
                          java.io.RandomAccessFile.class,
                          java.io.FileInputStream.class,
                          java.io.FileOutputStream.class,
                          java.io.File.class,
                          java.nio.file.Files.class)));

  /// A shared arena's owner decides when all threads lose the memory; that owner is the disk.
  @ArchTest
  static final ArchRule onlyDiskOpensSharedArenas =
      noClasses()
          .that()
          .resideOutsideOfPackage(INTERNAL + "disk..")
          .should()
          .callMethod(java.lang.foreign.Arena.class, "ofShared");

  // --- names and calls
  // ----------------------------------------------------------------------------

  @ArchTest
  static final ArchRule namesSayWhatAClassIs =
      classes().should().haveNameNotMatching(".*(Manager|Helpers?|Utils?|Utilities|Impl)");

  @ArchTest
  static final ArchRule nothingIsPrinted =
      noClasses()
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .orShould()
          .callMethod(Throwable.class, "printStackTrace");

  /// Waiting is for a condition or a deadline of a Clock; a sleep is neither, and no test can steer
  /// it.
  @ArchTest
  static final ArchRule nothingSleeps =
      noClasses()
          .should()
          .callMethod(Thread.class, "sleep", long.class)
          .orShould()
          .callMethod(Thread.class, "sleep", long.class, int.class)
          .orShould()
          .callMethod(Thread.class, "sleep", java.time.Duration.class);

  /// Time comes from a Clock, which the simulation moves.
  @ArchTest
  static final ArchRule onlyDiskAsksForTheTime =
      noClasses()
          .that()
          .resideOutsideOfPackage(INTERNAL + "disk..")
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(java.time.Instant.class, "now");

  /// A wait for time that no Clock ends is none that the simulation could move past: so it would
  /// neither be deterministic there, nor short.
  @ArchTest
  static final ArchRule onlyDiskWaitsForTime =
      noClasses()
          .that()
          .resideOutsideOfPackage(INTERNAL + "disk..")
          .should()
          .callMethodWhere(
              describe(
                  "a park, wait or await with a time",
                  call ->
                      TIMED_WAITS.contains(call.getTarget().getOwner().getName())
                          && call.getTarget().getRawParameterTypes().stream()
                              .anyMatch(type -> type.isEquivalentTo(long.class))
                          && !call.getName().startsWith("try")));

  /// Parts that take a Clock are steered by the one that their store was opened with.
  @ArchTest
  static final ArchRule onlyOpeningsChooseTheClock =
      noClasses()
          .that()
          .resideOutsideOfPackages(INTERNAL + "disk..", INTERNAL + "store..")
          .should()
          .accessField(io.varve.internal.disk.Clock.class, "SYSTEM");

  /// Public Java API alone, so that no option of the JVM is needed.
  @ArchTest
  static final ArchRule nothingBeyondPublicApi =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("sun..", "com.sun..", "jdk.internal..");

  /// A user may hold the monitor of an object we handed out, for any length of time.
  @ArchTest
  static final ArchRule apiObjectsAreNotLocks =
      noMethods()
          .that()
          .areDeclaredInClassesThat()
          .resideInAPackage(API)
          .should()
          .haveModifier(JavaModifier.SYNCHRONIZED);

  // --- packages and the module
  // --------------------------------------------------------------------

  /// The module's mark is lost on the class path, so each package bears its own.
  @ArchTest
  void everyPackageIsNullMarked(JavaClasses engine) {
    Set<String> unmarked = new TreeSet<>();
    for (JavaClass type : engine) {
      if (type.getPackageName().isEmpty()) {
        continue; // module-info
      }
      if (type.getPackage().tryGetAnnotationOfType(NullMarked.class).isEmpty()) {
        unmarked.add(type.getPackageName());
      }
    }
    assertThat(unmarked).as("packages whose package-info lacks @NullMarked").isEmpty();
  }

  /// A user's program gets the engine and nothing else.
  @Test
  void moduleRequiresTheJdkAlone() throws IOException {
    ModuleDescriptor module = engineModule();
    var others =
        module.requires().stream()
            .filter(required -> !required.modifiers().contains(Requires.Modifier.STATIC))
            .map(Requires::name)
            .filter(name -> !name.startsWith("java.") && !name.startsWith("jdk."))
            .collect(Collectors.toSet());
    assertThat(others).as("modules required beyond the JDK").isEmpty();
    assertThat(module.requires())
        .filteredOn(required -> required.modifiers().contains(Requires.Modifier.STATIC))
        .extracting(Requires::name)
        .as("modules required to compile")
        .containsOnly("org.jspecify");
  }

  /// An internal package exported to all would become API.
  @Test
  void moduleExportsTheApiAlone() throws IOException {
    assertThat(engineModule().exports())
        .filteredOn(exported -> !exported.isQualified())
        .extracting(ModuleDescriptor.Exports::source)
        .noneMatch(name -> name.startsWith(INTERNAL));
  }

  private static ModuleDescriptor engineModule() throws IOException {
    Path classes = Path.of("target", "classes", "module-info.class");
    assertThat(Files.exists(classes)).as("compiled module-info at %s", classes).isTrue();
    try (InputStream in = Files.newInputStream(classes)) {
      return ModuleDescriptor.read(in);
    }
  }

  /// Guards the tests above: with nothing imported, each of them would pass.
  @Test
  void theEngineIsImported() {
    JavaClasses engine =
        new ClassFileImporter().withImportOption(new EngineOnly()).importPackages(API);
    assertThat(engine.contain(Store.class)).isTrue();
  }
}
