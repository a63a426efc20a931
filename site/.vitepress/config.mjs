// The site of the project's pages: see ../run, which fills the directory of sources.

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {defineConfig} from 'vitepress';

const home = process.env.VARVE_HOME;
const version = /^ {2}<version>(.*)<\/version>/m.exec(readFileSync(join(home, 'pom.xml'), 'utf8'))[1];
const api = process.env.VARVE_SITE_API === 'yes';

const page = (text, link) => ({text, link});

const decisions = readdirSync(join(home, 'docs/decisions'))
  .filter(name => /^\d/.test(name))
  .sort()
  .map(name => {
    const title = /^# \d+: (.*)$/m.exec(readFileSync(join(home, 'docs/decisions', name), 'utf8'));
    return page(title ? title[1] : name, `/decisions/${name.replace('.md', '')}`);
  });

export default defineConfig({
  title: 'Varve',
  description: 'A durable, ordered store and cache for the JVM',
  lang: 'en',
  base: process.env.VARVE_SITE_BASE ?? '/',
  srcDir: process.env.VARVE_SITE_SOURCES,
  outDir: process.env.VARVE_SITE_TARGET,
  cleanUrls: false,
  ignoreDeadLinks: [/^\/api\//],
  // Types of Java in the pages are text, and no tags.
  markdown: {html: false, theme: {light: 'github-light', dark: 'github-dark'}},
  themeConfig: {
    search: {provider: 'local'},
    outline: [2, 3],
    nav: [
      page('Start', '/start'),
      page('Tasks', '/tasks'),
      page('Guides', '/tables'),
      ...(api ? [{text: 'API', items: readdirSync(process.env.VARVE_SITE_API_DIR).sort().map(
        module => ({text: module, link: `/api/${module}/index.html`, target: '_self'}))}] : []),
      {text: version, items: [page('Changes', '/changelog'), page('Support', '/support'), page('Security', '/security')]},
    ],
    sidebar: {
      '/decisions/': [{text: 'Decisions', link: '/decisions/', items: decisions}],
      '/': [
        {text: 'First', items: [
          page('What it is', '/overview'), page('The first ten minutes', '/start'), page('Tasks', '/tasks'),
          page('From another store', '/moving')]},
        {text: 'Guides', items: [
          page('Tables', '/tables'), page('Queries', '/queries'), page('Items', '/items'), page('Caches', '/cache'),
          page('Durability', '/durability'), page('Backup and restore', '/backup')]},
        {text: 'Servers', items: [
          page('A node and a cluster', '/cluster'), page('For those who leave Redis', '/redis'),
          page('A store of Infinispan', '/infinispan')]},
        {text: 'Operation', items: [
          page('The command', '/commands'), page('Tuning', '/tuning'), page('Observability', '/observability'),
          page('Benchmarks', '/benchmarks')]},
        {text: 'Inside', collapsed: true, items: [
          page('Architecture', '/architecture'), page('Files, byte by byte', '/format'), page('Tests', '/testing'),
          page('Words', '/glossary'), page('Decisions', '/decisions/'), page('Contributing', '/contributing')]},
      ],
    },
    docFooter: {prev: false, next: false},
  },
});
