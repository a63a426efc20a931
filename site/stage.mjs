// Copies the pages of the project into the directory that the generator reads, under the names that they have
// in the site, and changes their links to match. Pages: docs, the README and its neighbours, site/pages.
//
// Usage: node stage.mjs TARGET, in the directory of this file.

import {existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join, posix, relative} from 'node:path';

const home = join(import.meta.dirname, '..');
const target = process.argv[2];
// Where the sources can be read, up to the path of a file. Without it, a link to a source is its text alone.
const sources = process.env.VARVE_SOURCES_URL;

/** The page that each file of the repository becomes, by their paths. */
const pages = new Map([
  ['README.md', 'overview.md'],
  ['CHANGELOG.md', 'changelog.md'],
  ['CONTRIBUTING.md', 'contributing.md'],
  ['SECURITY.md', 'security.md'],
  ['SUPPORT.md', 'support.md'],
  ['varve-bench/README.md', 'benchmarks.md'],
  ['docs/decisions/README.md', 'decisions/index.md'],
]);
for (const name of readdirSync(join(home, 'docs')).filter(file => file.endsWith('.md'))) {
  pages.set(`docs/${name}`, name.toLowerCase());
}
for (const name of readdirSync(join(home, 'docs/decisions')).filter(file => /^\d.*\.md$/.test(file))) {
  pages.set(`docs/decisions/${name}`, `decisions/${name}`);
}

/** What stands for a link of a page, so that it leads to the same place in the site. */
function link(from, text, to) {
  if (/^([a-z]+:|#)/.test(to)) {
    return `[${text}](${to})`;
  }
  const [path, anchor] = to.split('#');
  const file = posix.normalize(posix.join(posix.dirname(from), path));
  if (!existsSync(join(home, file))) {
    throw new Error(`${from} links to a file that is not there: ${to}`);
  }
  const page = pages.get(file) ?? pages.get(posix.join(file, 'README.md'));
  if (page) {
    const way = posix.relative(posix.dirname(pages.get(from)), page);
    return `[${text}](./${way}${anchor ? `#${anchor}` : ''})`;
  }
  return sources ? `[${text}](${sources}/${file})` : text;
}

/** A page with its links changed; code stays as it is. */
function translate(from, markdown) {
  let fenced = false;
  return markdown.split('\n').map(line => {
    if (/^\s*```/.test(line)) {
      fenced = !fenced;
    }
    return fenced || /^ {4}\S/.test(line) ? line : line.replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, text, to) => link(from, text, to));
  }).join('\n');
}

/** Links whose text goes over the end of a line stand on one line. */
function joinLinks(markdown) {
  return markdown.replace(/\[[^\][`]*\n[^\][`]*\]\([^)\s]+\)/g, whole => whole.replace(/\n\s*/, ' '));
}

rmSync(target, {recursive: true, force: true});
for (const [from, to] of pages) {
  const file = join(target, to);
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, translate(from, joinLinks(readFileSync(join(home, from), 'utf8'))));
}
for (const name of readdirSync(join(import.meta.dirname, 'pages'))) {
  writeFileSync(join(target, name), readFileSync(join(import.meta.dirname, 'pages', name)));
}
console.log(`${pages.size} pages in ${relative(process.cwd(), target)}`);
