/**
 * docs/embedding.md as printed: the picker on a shop's page, on another origin and under the printed policy, as a
 * script and as the npm package in a fresh Vite application.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApi } from '../../scripts/launch/api.ts';
import { root } from '../../scripts/launch/root.ts';
import { describeInBrowser } from './box-office.ts';
import { namedCall, openPicker } from './picker.ts';

const run = promisify(execFile);

const types: Record<string, string> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' };

describeInBrowser('a page of a shop', { timeout: 180_000 }, (office) => {
  let shop: Server;
  let folder = '';
  let origin = '';
  let key = '';
  let blocks: { language: string; text: string }[] = [];
  let policy = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parterre-shop-'));
    shop = createServer(async ({ url = '/' }, response) => {
      const path = new URL(url, 'http://shop').pathname;
      const body = await readFile(join(folder, 'site', path)).catch(() => null);
      const headers = { 'Content-Type': types[extname(path)] ?? 'text/plain', 'Content-Security-Policy': policy };
      response.writeHead(body ? 200 : 404, headers).end(body ?? '');
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    origin = `http://localhost:${(shop.address() as AddressInfo).port}`;
    const keys = `/v1/admin/organisations/${office.parterre.demo.organisation}/keys`;
    const body = { kind: 'publishable', mode: 'test', origins: [origin] };
    key = (await createApi(office.parterre.url).make<{ secret: string }>(keys, office.parterre.rootToken, body)).secret;
    const page = await readFile(join(root, 'docs/embedding.md'), 'utf8');
    blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
      language: language!,
      text: forThisServer(text!),
    }));
    policy = /Content-Security-Policy: (.*)/.exec(printed('http'))![1]!;
    await mkdir(join(folder, 'site'));
  });

  afterAll(async () => {
    shop?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('has the picker as a script, and hears of a hold', async () => {
    const files = { 'index.html': printed('html'), 'shop.css': printed('css'), 'shop.js': printed('js') };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'site', name), text);
    await holdsOn(`${origin}/index.html`, 'A-1');
  });

  test('asks for the sale and the files before the picker has come, where the page has the early script', async () => {
    const early = printed('html', 'parterre-early.js');
    const whole = printed('html').replace('    <script type="module" src="http', (script) => early + script);
    await writeFile(join(folder, 'site', 'early.html'), whole);
    const page = await office.newPage();
    const asked: string[] = [];
    let answer = () => {};
    const opening = ['bootstrap', 'chart file', 'statuses', 'subscribe-tickets'];
    const isOpening = new Promise<void>((resolve) => {
      answer = resolve;
    });
    page.on('request', (request) => {
      // Another origin asks for leave first.
      if (request.method() === 'OPTIONS') return;
      asked.push(namedCall(new URL(request.url()).pathname));
      if (opening.every((each) => asked.includes(each)) && asked.some((each) => /drawing-/.test(each))) answer();
    });
    await page.route('**/demo/parterre.js', async (route) => {
      await isOpening;
      await route.continue();
    });
    const buyer = await openPicker({ newPage: async () => page }, `${origin}/early.html`);
    const sent = asked.filter((each) => opening.includes(each)).sort();
    expect([sent, buyer.faults]).toEqual([opening, []]);
    await page.close();
  });

  test('has the picker as a package: without a framework, in React and in Vue, with types', async () => {
    const app = await freshApplication();
    const site = join(folder, 'site');
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    await run(process.execPath, [vite, 'build', '--outDir', site, '--logLevel', 'warn'], { cwd: app });
    await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', app], { cwd: app });
    for (const [index, name] of ['plain', 'react', 'vue'].entries())
      await holdsOn(`${origin}/${name}.html`, `B-${index + 1}`);
    const page = await office.newPage();
    await page.goto(`${origin}/late.html`);
    const opened = () => page.evaluate(`[...document.querySelectorAll('parterre-map')].map(({ map }) => map !== null)`);
    await expect.poll(opened).toEqual([false, false]);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect.poll(opened).toEqual([true, true]);
    await page.close();
  });

  test('is rendered on a server with the bare element', async () => {
    const app = join(folder, 'app');
    const { stdout } = await run(process.execPath, ['server.mjs'], { cwd: app });
    expect(JSON.parse(stdout)).toEqual([
      '<parterre-map event="e" base-url="https://seats.example" public-key="pk_1"></parterre-map>',
      '<parterre-map event="e" base-url="https://seats.example" public-key="pk_1"></parterre-map>',
    ]);
  });

  const printed = (language: string, words = ''): string =>
    blocks.find((each) => each.language === language && each.text.includes(words))!.text;

  const forThisServer = (text: string): string =>
    text
      .replaceAll('wss://seats.example', office.parterre.url.replace('http', 'ws'))
      .replaceAll('https://seats.example', office.parterre.url)
      .replaceAll('demo-night', office.parterre.demo.eventKey)
      .replaceAll('pk_live_…', key);

  async function holdsOn(address: string, label: string): Promise<void> {
    const buyer = await openPicker(office, address);
    await buyer.evaluate(`document.querySelector('parterre-map').map.toggle(['${label}'])`);
    await buyer.button('Hold it for me').click();
    await buyer.timer.waitFor();
    await expect.poll(() => buyer.evaluate('document.body.dataset.hold')).toMatch(/^hld_/);
    expect(buyer.faults).toEqual([]);
    await buyer.page.close();
  }

  /** With the package as `npm pack` makes it, and nothing of this repository. */
  async function freshApplication(): Promise<string> {
    const app = join(folder, 'app');
    await mkdir(app);
    const packed = await run('npm', ['pack', join(root, 'dist/packages/picker'), '--pack-destination', app, '--json'], {
      cwd: app,
    });
    const [{ filename }] = JSON.parse(packed.stdout);
    const shell = (name: string) =>
      `<!doctype html><title>Seats</title><div id="seats"></div><script type="module" src="/${name}"></script>`;
    const files = {
      'package.json': JSON.stringify({ name: 'shop', private: true, type: 'module' }),
      'vite.config.js': `export default { build: { rollupOptions: { input: ['plain.html', 'react.html', 'vue.html', 'late.html'] } } };`,
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          module: 'esnext',
          moduleResolution: 'bundler',
          target: 'es2023',
          lib: ['es2023', 'dom'],
          jsx: 'react-jsx',
          types: [],
        },
        include: ['typed.ts'],
      }),
      'plain.html': printed('html')
        .replace(/<script.*shop.js.*|<link .*/g, '')
        .replace(/src="[^"]*parterre.js"/, 'src="/plain.js"'),
      'react.html': shell('react.jsx'),
      'vue.html': shell('vue.js'),
      'late.html': shell('late.js'),
      'plain.js': printed('js', "import '@parterre/picker'"),
      'react.jsx': printed('jsx'),
      'vue.js': printed('js', 'createApp'),
      'typed.ts': typed,
      'late.js': withLateTokens,
      'server.mjs': onServer,
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(app, name), text);
    const packages = [`./${filename}`, 'react@19', 'react-dom@19', '@types/react@19', 'vue@3'];
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], {
      cwd: app,
    });
    return app;
  }
});

const typed = `
import { createMap, type Hold, ParterreMapElement } from '@parterre/picker';
import { ParterreMap as InReact } from '@parterre/picker/react';
import { ParterreMap as InVue } from '@parterre/picker/vue';
const element: ParterreMapElement = document.createElement('parterre-map');
const map = createMap(element, { event: 'e', access: { publicKey: 'pk' }, onHold: (hold: Hold) => hold.items[0]?.unitPrice });
// @ts-expect-error An access link opens no group.
createMap(element, { group: 'pg_1', access: { capability: 'acl_1' } });
map.toggle(['A-1']);
export { InReact, InVue };
`;

const withLateTokens = `
import { ParterreMap as InReact } from '@parterre/picker/react';
import { ParterreMap as InVue } from '@parterre/picker/vue';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createApp, h, ref } from 'vue';
const seats = document.getElementById('seats');
const [forReact, forVue] = ['div', 'div'].map((name) => seats.appendChild(document.createElement(name)));
const root = createRoot(forReact);
const draw = (token) => root.render(createElement(InReact, { event: 'e', token }));
const token = ref();
createApp({ setup: () => () => h(InVue, { event: 'e', token: token.value }) }).mount(forVue);
draw(undefined);
const button = seats.appendChild(document.createElement('button'));
button.textContent = 'Log in';
button.onclick = () => {
  token.value = async () => 'bse_none';
  draw(token.value);
};
`;

const onServer = `
import { ParterreMap as InReact } from '@parterre/picker/react';
import { ParterreMap as InVue } from '@parterre/picker/vue';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createSSRApp, h } from 'vue';
import { renderToString as renderVue } from 'vue/server-renderer';
const props = { event: 'e', baseUrl: 'https://seats.example', publicKey: 'pk_1' };
const vue = await renderVue(createSSRApp({ render: () => h(InVue, props) }));
console.log(JSON.stringify([renderToString(createElement(InReact, props)), vue]));
`;
