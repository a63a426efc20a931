#!/bin/sh
# The varve command. Finds a JDK, builds Varve when its sources are newer than its jars, and runs it.
#
#   ./varve --help            what there is
#   ./varve test [maven...]   builds everything and runs every test
#   ./varve bench ...         benchmarks
#
# Environment: VARVE_JAVA_HOME or JAVA_HOME (the JDK), VARVE_JAVA_OPTIONS (options for the JVM).

set -eu

java_min=25
engine=varve # the directory of the engine's module

say() {
  printf 'varve: %s\n' "$*" >&2
}

# --- where we are: the directory of this file, whatever links lead to it ---------------------------

# Sets `resolved` to the path at the end of a chain of symbolic links.
resolve() {
  resolved=$1
  while [ -L "$resolved" ]; do
    link=$(readlink "$resolved")
    case $link in
      /*) resolved=$link ;;
      *) resolved=${resolved%/*}/$link ;;
    esac
  done
}

case $0 in
  */*) resolve "$0" ;;
  *) resolve "$(command -v -- "$0")" ;;
esac
home=$(cd "${resolved%/*}" && pwd -P)

# --- a JDK -------------------------------------------------------------------------------------

# Whether a directory holds a JDK that is new enough. Reads its `release` file: starting each java to
# ask would take longer than most commands.
is_jdk() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  while IFS= read -r line; do
    case $line in
      JAVA_VERSION=*)
        version=${line#JAVA_VERSION=\"}
        [ "${version%%[!0-9]*}" -ge "$java_min" ] 2>/dev/null
        return
        ;;
    esac
  done <"$1/release"
  return 1
}

# Sets `jdk` to the first JDK that will do.
find_jdk() {
  if [ -n "${VARVE_JAVA_HOME:-}" ]; then
    jdk=$VARVE_JAVA_HOME
    is_jdk "$jdk" && return
    say "VARVE_JAVA_HOME is not a JDK $java_min or later: $jdk"
    exit 1
  fi
  on_path=$(command -v java || true)
  if [ -n "$on_path" ]; then
    resolve "$on_path"
    on_path=${resolved%/bin/java}
  fi
  for jdk in "${JAVA_HOME:-}" "$on_path" \
    /usr/lib/jvm/* /opt/* /opt/java/* /usr/local/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME:-}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/*; do
    [ -n "$jdk" ] && is_jdk "$jdk" && return
  done
  say "needs a JDK $java_min or later and found none. Get one, for example:"
  say "  Debian, Ubuntu  apt-get install openjdk-$java_min-jdk    Fedora  dnf install java-$java_min-openjdk-devel"
  say "  macOS           brew install openjdk@$java_min           any     https://adoptium.net"
  say "and, if it lies in an unusual place, say where: VARVE_JAVA_HOME=/path/to/jdk $0"
  exit 1
}

# --- Maven and the build -----------------------------------------------------------------------

need_maven() {
  if ! command -v mvn >/dev/null; then
    say "needs Maven 3.8 or later to build and found no mvn. Get it, for example:"
    say "  Debian, Ubuntu  apt-get install maven    Fedora  dnf install maven    macOS  brew install maven"
    exit 1
  fi
  export JAVA_HOME="$jdk"
  # Maven's own libraries use what newer JDKs warn about.
  export MAVEN_OPTS="${MAVEN_OPTS:-} --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
}

# Whether a module's jar is there and newer than every source it is made from.
is_built() {
  [ -f "$stamp" ] && [ -f "$home/$1/target/$1.jar" ] && [ -z "$(
    cd "$home"
    find pom.xml "$engine/pom.xml" "$engine/src/main" "$1/pom.xml" "$1/src/main" -newer "$stamp" -print
  )" ]
}

# Builds a module, and the engine with it, unless that is done.
build() {
  stamp=$home/target/$1.stamp
  is_built "$1" && return
  need_maven
  mkdir -p "$home/target"

  # One build at a time. Whoever waited looks again, and mostly finds nothing left to do.
  lock=$home/target/build.lock
  [ ! -d "$lock" ] || say "waiting for another build (if there is none, remove $lock)"
  until mkdir "$lock" 2>/dev/null; do
    holder=$(cat "$lock/pid" 2>/dev/null || true)
    if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then
      rm -rf "$lock" # its holder died
    else
      sleep 1
    fi
  done
  echo $$ >"$lock/pid"
  trap 'rm -rf "$lock"' EXIT
  trap 'exit 130' INT TERM HUP
  if ! is_built "$1"; then
    run_maven "$1"
  fi
  rm -rf "$lock"
  trap - EXIT INT TERM HUP
}

run_maven() {
  log=$home/target/build.log
  if [ -f "$stamp" ]; then reason="its sources have changed"; else reason="first use"; fi
  say "building $1 ($reason; log: $log)"
  # What changes while Maven runs must count as newer: the stamp bears the time of the start.
  touch "$stamp.new"
  rm -rf "$home/$1/target/lib" "$home/$1/target/$1.aot" "$home/$1/target/$1.aot.failed"
  {
    status=0
    (cd "$home" && mvn -B -ntp -pl ":$1" -am -Dmaven.test.skip=true package) || status=$?
    echo "$status" >"$stamp.status"
  } 2>&1 | tee "$log" | sed -n 's/^\[INFO\] Building \(.*[^ ]\) *\(\[.*\]\)$/varve:   \2 \1/p' >&2
  if [ "$(cat "$stamp.status")" != 0 ]; then
    say "the build failed:"
    { grep -e '^\[ERROR\]' -e '^\[WARNING\] /' "$log" || tail -n 30 "$log"; } | head -n 30 >&2
    exit 1
  fi
  mv "$stamp.new" "$stamp"
}

# --- commands ----------------------------------------------------------------------------------

run_tests() {
  need_maven
  say "building everything and running every test: mvn verify, JDK $jdk"
  cd "$home"
  exec mvn -B -ntp verify "$@"
}

run_bench() {
  build varve-bench
  # shellcheck disable=SC2086 # a list of options
  exec "$jdk/bin/java" "@$home/varve-bench/jvm.options" ${VARVE_JAVA_OPTIONS:-} \
    -cp "$home/varve-bench/target/varve-bench.jar:$home/varve-bench/target/lib/*" io.varve.bench.Main "$@"
}

# The command starts from a cache of its classes, loaded and linked, made here after each build. A cache
# that does not fit (another JDK, a moved directory) is left aside by the JVM, silently.
run_command() {
  build varve-cli
  target=$home/varve-cli/target
  cache=$target/varve-cli.aot
  modules="$target/varve-cli.jar:$target/lib"
  main=io.varve.cli/io.varve.cli.Main
  native=--enable-native-access=org.jline.nativ # the terminal library's

  if [ ! -f "$cache" ] && [ ! -f "$cache.failed" ]; then
    "$jdk/bin/java" -XX:AOTCacheOutput="$cache" "$native" -p "$modules" -m "$main" --help \
      >"$home/target/cache.log" 2>&1 </dev/null || true
    [ -f "$cache" ] || : >"$cache.failed" # tried once for each build, not at each start
  fi

  # What ends at once needs no second collector or compiler thread.
  case ${1:---help} in
    -* | help | get | put | delete) short='-XX:+UseSerialGC -XX:TieredStopAtLevel=1' ;;
    *) short= ;;
  esac
  # shellcheck disable=SC2086 # lists of options
  exec "$jdk/bin/java" -XX:AOTCache="$cache" "-Xlog:aot*=off" "-Xlog:cds*=off" $short \
    "$native" ${VARVE_JAVA_OPTIONS:-} -p "$modules" -m "$main" "$@"
}

find_jdk
case ${1:-} in
  test)
    shift
    run_tests "$@"
    ;;
  bench)
    shift
    run_bench "$@"
    ;;
  *) run_command "$@" ;;
esac
