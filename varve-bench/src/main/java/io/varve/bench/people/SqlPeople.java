package io.varve.bench.people;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;

/// Persons in a table of an SQL database, by prepared statements.
final class SqlPeople implements People {
  private static final int LOADED_TOGETHER = 1000;
  private static final String COLUMNS =
      "id, email, name, city, country, age, salary, score, active, note";
  private static final List<String> INDEXES =
      List.of(
          "create unique index people_email on people (email)",
          "create index people_city on people (city)",
          "create index people_country on people (country)",
          "create index people_age on people (age)",
          "create index people_salary on people (salary)");

  /// How a database is opened.
  ///
  /// @param driver asked directly: the list of all drivers has some that cannot be loaded here
  /// @param url for the driver
  /// @param settings statements for each connection
  record Database(Driver driver, String url, List<String> settings) {
    Connection connect() throws SQLException {
      Connection connection = driver.connect(url, new Properties());
      try (Statement statement = connection.createStatement()) {
        for (String setting : settings) {
          statement.execute(setting);
        }
      }
      return connection;
    }
  }

  private final Database database;
  private final Connection first;
  private final int indexes;

  /// @param indexes how many of the five are made at the start
  SqlPeople(Database database, int indexes) {
    this.database = database;
    this.indexes = indexes;
    try {
      first = database.connect();
      try (Statement statement = first.createStatement()) {
        statement.execute(
            "create table people (id bigint primary key, email varchar(60), name varchar(60),"
                + " city varchar(60), country varchar(60), age int, salary int,"
                + " score double precision, active boolean, note varchar(200))");
        for (String index : INDEXES.subList(0, indexes)) {
          statement.execute(index);
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("database does not open: url=" + database.url, e);
    }
  }

  @Override
  public void load(int count) {
    try (PreparedStatement insert = insertInto(first)) {
      first.setAutoCommit(false);
      for (int i = 0; i < count; i++) {
        set(insert, Person.of(i, count));
        insert.addBatch();
        if (i % LOADED_TOGETHER == LOADED_TOGETHER - 1 || i == count - 1) {
          insert.executeBatch();
          first.commit();
        }
      }
      first.setAutoCommit(true);
      try (Statement statement = first.createStatement()) {
        for (String index : INDEXES.subList(indexes, INDEXES.size())) {
          statement.execute(index);
        }
        statement.execute("analyze");
      }
    } catch (SQLException e) {
      throw new IllegalStateException("persons are not loaded", e);
    }
  }

  private static PreparedStatement insertInto(Connection connection) throws SQLException {
    String marks = String.join(", ", Collections.nCopies(10, "?"));
    return connection.prepareStatement(
        "insert into people (" + COLUMNS + ") values (" + marks + ")");
  }

  private static void set(PreparedStatement insert, Person person) throws SQLException {
    insert.setLong(1, person.id());
    insert.setString(2, person.email());
    insert.setString(3, person.name());
    insert.setString(4, person.city());
    insert.setString(5, person.country());
    insert.setInt(6, person.age());
    insert.setInt(7, person.salary());
    insert.setDouble(8, person.score());
    insert.setBoolean(9, person.active());
    insert.setString(10, person.note());
  }

  @Override
  public Asking asking() {
    try {
      return new Prepared(database.connect());
    } catch (SQLException e) {
      throw new IllegalStateException("no connection", e);
    }
  }

  @Override
  public void close() {
    try {
      first.close();
    } catch (SQLException e) {
      throw new IllegalStateException("the database does not close", e);
    }
  }

  private static final class Prepared implements Asking {
    private final Connection connection;
    private final PreparedStatement byEmail;
    private final PreparedStatement inCity;
    private final PreparedStatement withSalary;
    private final PreparedStatement inCountryAged;
    private final PreparedStatement byEmails;
    private final PreparedStatement topEarners;
    private final PreparedStatement countWithSalary;
    private final PreparedStatement insert;

    Prepared(Connection connection) throws SQLException {
      this.connection = connection;
      byEmail = select("email = ?");
      inCity = select("city = ?");
      withSalary = select("salary between ? and ?");
      inCountryAged = select("country = ? and age between ? and ?");
      byEmails = select("email in (" + String.join(", ", Collections.nCopies(20, "?")) + ")");
      topEarners = select("age = ? order by salary desc limit 10");
      countWithSalary =
          connection.prepareStatement("select count(*) from people where salary between ? and ?");
      insert = insertInto(connection);
    }

    private PreparedStatement select(String condition) throws SQLException {
      return connection.prepareStatement("select " + COLUMNS + " from people where " + condition);
    }

    private static long sum(PreparedStatement query, Object... values) {
      try {
        for (int i = 0; i < values.length; i++) {
          query.setObject(i + 1, values[i]);
        }
        long sum = 0;
        try (ResultSet rows = query.executeQuery()) {
          while (rows.next()) {
            sum += person(rows).id();
          }
        }
        return sum;
      } catch (SQLException e) {
        throw new IllegalStateException("query failed", e);
      }
    }

    private static Person person(ResultSet row) throws SQLException {
      return new Person(
          row.getLong(1),
          row.getString(2),
          row.getString(3),
          row.getString(4),
          row.getString(5),
          row.getInt(6),
          row.getInt(7),
          row.getDouble(8),
          row.getBoolean(9),
          row.getString(10));
    }

    @Override
    public long byEmail(String email) {
      return sum(byEmail, email);
    }

    @Override
    public long inCity(String city) {
      return sum(inCity, city);
    }

    @Override
    public long withSalary(int from, int to) {
      return sum(withSalary, from, to);
    }

    @Override
    public long inCountryAged(String country, int from, int to) {
      return sum(inCountryAged, country, from, to);
    }

    @Override
    public long byEmails(List<String> emails) {
      return sum(byEmails, new ArrayList<>(emails).toArray());
    }

    @Override
    public long topEarners(int age) {
      return sum(topEarners, age);
    }

    @Override
    public long countWithSalary(int from, int to) {
      try {
        countWithSalary.setInt(1, from);
        countWithSalary.setInt(2, to);
        try (ResultSet rows = countWithSalary.executeQuery()) {
          rows.next();
          return rows.getLong(1);
        }
      } catch (SQLException e) {
        throw new IllegalStateException("count failed", e);
      }
    }

    @Override
    public void insert(Person person) {
      try {
        set(insert, person);
        insert.executeUpdate();
      } catch (SQLException e) {
        throw new IllegalStateException("insert failed", e);
      }
    }

    @Override
    public void close() {
      try {
        connection.close();
      } catch (SQLException e) {
        throw new IllegalStateException("connection does not close", e);
      }
    }
  }
}
