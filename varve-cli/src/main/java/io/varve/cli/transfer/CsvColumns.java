package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Entry;
import io.varve.cli.console.ByteEncoding;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Which columns of a CSV make an entry, and how.
final class CsvColumns {
  /// A column and how its bytes are written.
  private record Column(int index, EncodedField field) {}

  /// How whole rows become JSON.
  ///
  /// @param names of the columns, or their numbers
  /// @param named whether they are names
  /// @param typed whether fields have types
  private record Form(List<String> names, boolean named, boolean typed) {
    byte[] json(CSVRecord row) {
      if (!named) {
        ArrayNode array = Json.MAPPER.createArrayNode();
        row.forEach(field -> array.add(node(field)));
        return array.toString().getBytes(UTF_8);
      }
      ObjectNode object = Json.MAPPER.createObjectNode();
      for (int i = 0; i < names.size(); i++) {
        object.set(names.get(i), node(row.get(i)));
      }
      return object.toString().getBytes(UTF_8);
    }

    private JsonNode node(String field) {
      return typed ? TypedField.of(field) : Json.MAPPER.getNodeFactory().stringNode(field);
    }
  }

  private final Form form;
  private final @Nullable String fixedSpace;
  private final @Nullable Column space;
  private final Column key;
  private final @Nullable Column value;

  private CsvColumns(
      Form form,
      @Nullable String fixedSpace,
      @Nullable Column space,
      Column key,
      @Nullable Column value) {
    this.form = form;
    this.fixedSpace = fixedSpace;
    this.space = space;
    this.key = key;
    this.value = value;
  }

  /// Decides by the first row, which is the header if there is one.
  static CsvColumns of(CSVRecord first, SourceOptions options, InputPlace place) {
    int count = first.size();
    List<String> names =
        options.hasHeader()
            ? first.toList()
            : IntStream.rangeClosed(1, count).mapToObj(Integer::toString).toList();
    Form form = new Form(names, options.hasHeader(), options.typed());
    Column key = find(names, "key");
    Column value = find(names, "value");
    if (options.value() == null) {
      requireDifferent(names, place);
    }
    if (options.hasHeader() && options.key() == null && key != null && value != null) {
      Column space = options.space() == null ? find(names, "space") : null;
      String fixedSpace = space == null ? options.requireSpace() : null;
      return new CsvColumns(form, fixedSpace, space, key, value);
    }
    return new CsvColumns(
        form,
        options.requireSpace(),
        null,
        options.key() == null ? text(0, names) : require(names, options.key(), place),
        options.value() == null ? null : require(names, options.value(), place));
  }

  /// Refuses a name that two columns have: an object would keep the last one alone.
  private static void requireDifferent(List<String> names, InputPlace place) {
    var known = new HashSet<String>();
    for (String name : names) {
      if (!known.add(name)) {
        throw place.error("two columns have one name: name=" + name + "; rename one of them");
      }
    }
  }

  /// The column of what 'dump' calls `name`, in any encoding.
  private static @Nullable Column find(List<String> names, String name) {
    for (ByteEncoding encoding : ByteEncoding.values()) {
      var field = new EncodedField(name, encoding);
      int index = names.indexOf(field.fieldName());
      if (index >= 0) {
        return new Column(index, field);
      }
    }
    return null;
  }

  /// The column that the user names, by name or by number.
  private static Column require(List<String> names, String wanted, InputPlace place) {
    int index = names.indexOf(wanted);
    if (index != names.lastIndexOf(wanted)) {
      throw place.error(
          "two columns have one name: name=" + wanted + "; name the column by its number");
    }
    if (index < 0 && wanted.matches("[1-9][0-9]{0,4}")) {
      index = Integer.parseInt(wanted) - 1;
    }
    if (index < 0 || index >= names.size()) {
      throw place.error("no column " + wanted + "; there are: " + String.join(", ", names));
    }
    return text(index, names);
  }

  private static Column text(int index, List<String> names) {
    return new Column(index, new EncodedField(names.get(index), ByteEncoding.TEXT));
  }

  /// The entry of a row.
  Incoming entry(CSVRecord row, InputPlace place) {
    if (row.size() != form.names().size()) {
      throw place.error(
          "the row has " + row.size() + " fields where the first line has " + form.names().size());
    }
    byte[] keyBytes = place.requireKey(bytes(row, key, place));
    byte[] valueBytes = value == null ? form.json(row) : bytes(row, value, place);
    String target = space == null ? String.valueOf(fixedSpace) : row.get(space.index());
    return new Incoming.Whole(target, new Entry(keyBytes, valueBytes));
  }

  private static byte[] bytes(CSVRecord row, Column column, InputPlace place) {
    return column.field().decode(row.get(column.index()), place);
  }
}
