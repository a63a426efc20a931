package io.varve.bench.people;

import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Promise;
import io.varve.bench.load.WrongAnswerException;
import io.varve.bench.measure.Cell;
import io.varve.bench.measure.ProcessWork;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.ThreadKind;
import io.varve.bench.measure.Timing;
import io.varve.bench.measure.Worker;
import io.varve.bench.people.People.Asking;
import io.varve.bench.report.Metric;
import io.varve.bench.table.Plan;
import io.varve.bench.table.Table;
import io.varve.bench.table.TableRun;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Queries by each kind of condition, and durable inserts that keep none to five indexes.
public final class QueryCases implements Table {
  private static final int IN_COUNT = 20;
  private static final int INSERT_THREADS = 64;
  private static final List<Integer> INDEX_COUNTS = List.of(0, 1, 3, 5);

  /// Makes the table.
  public QueryCases() {}

  @Override
  public String label() {
    return "query";
  }

  @Override
  public String description() {
    return "persons of ten fields found by five indexes, and durable inserts that keep them";
  }

  @Override
  public List<String> engines() {
    return PeopleType.ALL.stream().map(EngineType::label).toList();
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(1), List.of(1), Timing.seconds(2, 4), 1_000_000, 1L << 30, Promise.DISK);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    boolean isForced = type.label().equals("varve-query") || type.label().equals("sqlite");
    return List.of(isForced ? Promise.DISK : Promise.FAST);
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    return measures(type) ? Optional.empty() : Optional.of("all: finds nothing by fields");
  }

  @Override
  public List<Stage> stages() {
    return List.of(QueryCases::ask, QueryCases::insert);
  }

  /// What a case asks, and what persons are the answer.
  private record Case(String name, Question question) {}

  @FunctionalInterface
  private interface Question {
    /// Asks something at random.
    Check ask(Asking asking, SplittableRandom random);
  }

  /// An answer, and what it must be.
  private record Check(long answer, Predicate<Person> of) {}

  private static List<Case> cases(int count) {
    return List.of(
        new Case(
            "by unique index",
            (asking, random) -> {
              String email = Person.email(random.nextInt(count));
              return new Check(asking.byEmail(email), person -> person.email().equals(email));
            }),
        new Case(
            "by unique index as text",
            (asking, random) -> {
              String email = Person.email(random.nextInt(count));
              return new Check(asking.byEmailAsText(email), person -> person.email().equals(email));
            }),
        new Case(
            "by index of ten each",
            (asking, random) -> {
              String city = Person.city(random.nextInt(Math.max(1, count / Person.PER_CITY)));
              return new Check(asking.inCity(city), person -> person.city().equals(city));
            }),
        new Case("range of 0.1 %", (asking, random) -> salaries(asking, random, 1000)),
        new Case("range of 10 %", (asking, random) -> salaries(asking, random, 10)),
        new Case(
            "two indexes",
            (asking, random) -> {
              String country = Person.country(random.nextInt(Person.COUNTRIES));
              int age = random.nextInt(90);
              return new Check(
                  asking.inCountryAged(country, age, age + 4),
                  person ->
                      person.country().equals(country)
                          && person.age() >= age
                          && person.age() <= age + 4);
            }),
        new Case(
            "in of 20",
            (asking, random) -> {
              List<String> emails =
                  IntStream.generate(() -> random.nextInt(count))
                      .distinct()
                      .limit(Math.min(count, IN_COUNT))
                      .mapToObj(Person::email)
                      .toList();
              return new Check(asking.byEmails(emails), person -> emails.contains(person.email()));
            }));
  }

  private static Check salaries(Asking asking, SplittableRandom random, int part) {
    int width = Person.SALARIES / part;
    int from = random.nextInt(Person.SALARIES - width);
    int to = from + width - 1;
    return new Check(
        asking.withSalary(from, to), person -> person.salary() >= from && person.salary() <= to);
  }

  private static void ask(TableRun run) {
    int count = run.plan().size();
    try (ScratchDirectory data = run.directory().inner("query");
        People people =
            ((PeopleType) run.type()).opening().open(data.path(), run.plan().cacheBytes(), 0)) {
      long begin = System.nanoTime();
      people.load(count);
      run.rows().accept("load and index", 1, Metric.TIME, (System.nanoTime() - begin) / 1e6);
      try (Asking asking = people.asking()) {
        check(asking, count);
        checkTop(asking, count);
      }
      for (Case each : cases(count)) {
        measure(run, people, each.name, each.question::ask);
      }
      measure(
          run,
          people,
          "ten of an order",
          (asking, random) -> asking.topEarners(random.nextInt(100)));
      measure(
          run,
          people,
          "count of 10 %",
          (asking, random) -> {
            int from = random.nextInt(Person.SALARIES * 9 / 10);
            return asking.countWithSalary(from, from + Person.SALARIES / 10 - 1);
          });
    }
  }

  private static void check(Asking asking, int count) {
    for (Case each : cases(count)) {
      Check check = each.question.ask(asking, new SplittableRandom(7));
      long expected = persons(count).filter(check.of).mapToLong(Person::id).sum();
      if (check.answer != expected) {
        throw new WrongAnswerException("wrong persons: case=" + each.name);
      }
    }
    long width = Person.SALARIES / 10;
    long expected = persons(count).filter(person -> person.salary() < width).count();
    if (asking.countWithSalary(0, (int) width - 1) != expected) {
      throw new WrongAnswerException("wrong count of persons");
    }
  }

  /// Salaries may be equal, so the last of the ten may be another one: the other nine are compared.
  private static void checkTop(Asking asking, int count) {
    List<Person> first =
        persons(count)
            .filter(person -> person.age() == 50)
            .sorted(Comparator.comparingInt(Person::salary).reversed())
            .limit(11)
            .toList();
    boolean distinct = first.stream().map(Person::salary).distinct().count() == first.size();
    long expected = first.stream().limit(10).mapToLong(Person::id).sum();
    if (distinct && asking.topEarners(50) != expected) {
      throw new WrongAnswerException("wrong persons: case=ten of an order");
    }
  }

  private static Stream<Person> persons(int count) {
    return IntStream.range(0, count).mapToObj(number -> Person.of(number, count));
  }

  @FunctionalInterface
  private interface Step {
    Object run(Asking asking, SplittableRandom random);
  }

  private static void measure(TableRun run, People people, String name, Step step) {
    var cost = new CoreTime();
    var result =
        Cell.latency(
            1,
            ThreadKind.PLATFORM,
            run.plan().timing(),
            cost,
            index -> {
              Asking asking = people.asking();
              SplittableRandom random = new SplittableRandom(index);
              return new Worker() {
                @Override
                public void step() {
                  step.run(asking, random);
                }

                @Override
                public void close() {
                  asking.close();
                }
              };
            });
    run.rows().accept(name, 1, Metric.RATE, result.rate());
    run.rows().accept(name, 1, Metric.LATENCY_P50, result.micros(50));
    if (result.operations() > 0) {
      run.rows().accept(name, 1, Metric.CPU_TIME, cost.nanos() / 1e3 / result.operations());
    }
  }

  /// What all threads of this process take of cores while a cell is measured. A machine that others
  /// use makes answers late, and leaves this as it is.
  private static final class CoreTime implements Cell.Observer {
    private ProcessWork before = ProcessWork.now();
    private long nanos;

    @Override
    public void begins() {
      before = ProcessWork.now();
    }

    @Override
    public void ends() {
      nanos = ProcessWork.now().since(before).cpuNanos();
    }

    long nanos() {
      return nanos;
    }
  }

  private static void insert(TableRun run) {
    for (int indexes : INDEX_COUNTS) {
      try (ScratchDirectory data = run.directory().inner("insert-" + indexes);
          People people =
              ((PeopleType) run.type())
                  .opening()
                  .open(data.path(), run.plan().cacheBytes(), indexes)) {
        AtomicInteger numbers = new AtomicInteger();
        var result =
            Cell.rate(
                INSERT_THREADS,
                run.plan().timing(),
                Cell.Observer.NONE,
                _ -> {
                  Asking asking = people.asking();
                  return new Worker() {
                    @Override
                    public void step() {
                      int number = numbers.getAndIncrement();
                      asking.insert(Person.of(number, run.plan().size()));
                    }

                    @Override
                    public void close() {
                      asking.close();
                    }
                  };
                });
        run.rows()
            .accept(
                "insert with " + indexes + " indexes", INSERT_THREADS, Metric.RATE, result.rate());
      }
    }
  }
}
