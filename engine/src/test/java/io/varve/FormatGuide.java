package io.varve;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/// The tables of docs/FORMAT.md, as a reader of files without Varve would use them.
final class FormatGuide {
  private final List<String> lines;

  private FormatGuide(List<String> lines) {
    this.lines = lines;
  }

  static FormatGuide read() throws IOException {
    return new FormatGuide(Files.readAllLines(Path.of("..", "docs", "FORMAT.md")));
  }

  /// A table of a section.
  ///
  /// @param heading of the section, without marks
  /// @param index of the table in it
  Table table(String heading, int index) {
    List<List<String>> rows = new ArrayList<>();
    int table = -1;
    boolean inside = false;
    int begin =
        lines.indexOf(lines.contains("### " + heading) ? "### " + heading : "## " + heading);
    for (String line : lines.subList(begin + 1, lines.size())) {
      if (line.startsWith("#")) {
        break;
      }
      if (line.startsWith("|") && !inside) {
        table++;
      }
      inside = line.startsWith("|");
      if (inside && table == index && !line.startsWith("|-")) {
        rows.add(cells(line));
      }
    }
    return new Table(heading, rows);
  }

  private static List<String> cells(String line) {
    String[] cells = line.substring(1, line.lastIndexOf('|')).split("\\|");
    return Stream.of(cells).map(String::strip).toList();
  }

  static long crc(byte[] bytes, long from, long to) {
    var crc = new CRC32C();
    crc.update(bytes, (int) from, (int) (to - from));
    return crc.getValue();
  }

  /// A table: rows of cells below a row of names.
  record Table(String heading, List<List<String>> rows) {
    /// The cells of a column by those of another, in the order of the rows.
    Map<String, String> column(String keys, String values) {
      int key = rows.getFirst().indexOf(keys);
      int value = rows.getFirst().indexOf(values);
      Map<String, String> column = new LinkedHashMap<>();
      rows.stream().skip(1).forEach(row -> column.put(row.get(key), row.get(value)));
      return column;
    }

    List<String> row(String field) {
      int column = rows.getFirst().indexOf("field");
      return rows.stream()
          .filter(row -> row.get(column).equals(field))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no field " + field + " in: " + heading));
    }

    int offset(String field) {
      return number(row(field).getFirst());
    }

    int bytes(String field) {
      return number(row(field).get(1));
    }

    /// What the table states of a field.
    String meaning(String field) {
      return row(field).getLast();
    }

    /// The length of what the table is of, whose rows must follow one another from 0 on.
    int requireWithoutGap() {
      int end = 0;
      for (List<String> row : rows.subList(1, rows.size())) {
        if (row.get(1).isEmpty() || !row.get(1).matches("[\\d,]+")) {
          break; // what follows has no fixed length
        }
        if (number(row.getFirst()) != end) {
          throw new AssertionError("gap before " + row + " in: " + heading + ", end=" + end);
        }
        end += number(row.get(1));
      }
      return end;
    }

    private static int number(String cell) {
      return Integer.parseInt(cell.replace(",", ""));
    }

    /// The unsigned integer in a field.
    ///
    /// @param at where the structure is in the bytes
    long get(byte[] bytes, long at, String field) {
      byte[] value = raw(bytes, at, field);
      ByteBuffer whole = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).put(value);
      return whole.getLong(0);
    }

    byte[] raw(byte[] bytes, long at, String field) {
      int from = Math.toIntExact(at + offset(field));
      return Arrays.copyOfRange(bytes, from, from + bytes(field));
    }

    String text(byte[] bytes, long at, String field) {
      return new String(raw(bytes, at, field), StandardCharsets.US_ASCII);
    }
  }

  /// A number as it is written in the formula of a salt.
  static long hex(String digits) {
    return new BigInteger(digits, 16).longValue();
  }
}
