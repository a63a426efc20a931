package example.library;

/// A plain class of the application, which is not serializable.
class Author {
  private String name = "";
  private int born;

  Author() {}

  Author(String name, int born) {
    this.name = name;
    this.born = born;
  }

  public String getName() {
    return name;
  }

  public int getBorn() {
    return born;
  }
}
