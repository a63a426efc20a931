// A program that keeps something: gradle run. Until Varve is published, its repository is what
// `./varve release --dry-run` makes.
plugins {
  application
}

java {
  toolchain {
    languageVersion = JavaLanguageVersion.of(25)
  }
}

repositories {
  maven {
    val local = layout.projectDirectory.dir("../../target/release").asFile.toURI().toString()
    url = uri(providers.gradleProperty("varveRepository").getOrElse(local))
  }
  mavenCentral()
}

dependencies {
  implementation(platform("io.varve:varve-bom:0.1.0"))
  implementation("io.varve:varve")
}

application {
  mainClass = "example.FirstPut"
}
