// A program that keeps something: groovy -cp varve-0.1.0.jar FirstPut.groovy, with Groovy 5 on a JDK 25.

import io.varve.Codec
import io.varve.Store
import io.varve.Table
import java.nio.file.Files

class FirstPut {
    static final Table<String, Person> PEOPLE =
        Table.of("people", Codec.string(), Codec.record(Person))
    static final Table<String, Long> MOVES = Table.of("moves", Codec.string(), Codec.int64())

    /** Puts entries, which are on stable storage when put returns, and moves a person in a transaction. */
    static void main(String[] arguments) {
        def directory = Files.createTempDirectory("first-put")
        Store.open(directory).withCloseable { store ->
            def people = store.open(PEOPLE)
            people["ada"] = new Person("Ada", "London", 36)
            people["bob"] = new Person("Bob", "Bonn", 41)
            store.transact { tx ->
                def ada = tx.open(PEOPLE)["ada"]
                tx.open(PEOPLE)["ada"] = new Person(ada.name(), "Bonn", ada.age())
                tx.open(MOVES).merge("Bonn", 1L, Long::sum)
            }
        }
        Store.open(directory).withCloseable { store ->
            store.open(PEOPLE).each { key, person -> println "$key: $person" }
            println "moves to Bonn: ${store.open(MOVES)["Bonn"]}"
        }
    }
}

record Person(String name, String city, int age) {}
