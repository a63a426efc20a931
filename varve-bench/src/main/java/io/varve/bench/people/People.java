package io.varve.bench.people;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineSession;
import java.util.List;

/// Persons that are found by their fields. What asks for persons reads each of them whole, and
/// answers the sum of their ids.
public interface People extends Engine {
  /// What one thread asks by.
  Asking asking();

  /// Adds persons, in whatever way is quick, and makes the indexes.
  void load(int count);

  /// The questions, each by an index. For one thread.
  interface Asking extends AutoCloseable {
    long byEmail(String email);

    /// The same as a query that is text; the typed one where there is no other.
    default long byEmailAsText(String email) {
      return byEmail(email);
    }

    long inCity(String city);

    long withSalary(int from, int to);

    /// Two indexes go together here.
    long inCountryAged(String country, int from, int to);

    long byEmails(List<String> emails);

    /// The ten with the greatest salaries of an age.
    long topEarners(int age);

    long countWithSalary(int from, int to);

    /// Adds a person durably.
    void insert(Person person);

    @Override
    void close();
  }

  @Override
  default EngineSession session() {
    throw new UnsupportedOperationException("persons are asked for by their fields");
  }
}
