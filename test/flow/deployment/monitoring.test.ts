/** Prometheus takes the files of deploy/, and each alert has a page, a test and metrics that exist. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../../scripts/launch/root.ts';
import { promtool } from '../../support/servers/promtool.ts';

type Alert = { alert: string; expr: string; labels: { severity: string }; annotations: Record<string, string> };
type Panel = { title: string; gridPos: Record<'x' | 'y' | 'w' | 'h', number>; targets: { expr: string }[] };

const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const alerts: Alert[] = parse(text('deploy/alerts.yaml')).groups.flatMap(({ rules }: { rules: Alert[] }) => rules);
const dashboards = readdirSync(join(root, 'deploy/grafana')).map((file): { file: string; panels: Panel[] } => ({
  file,
  panels: JSON.parse(text(`deploy/grafana/${file}`)).panels,
}));
const queries = dashboards.flatMap(({ panels }) =>
  panels.flatMap(({ targets, title }) => targets.map(({ expr }) => ({ title, expr }))),
);

/** launch.test.ts compares the families of this page with those that services serve. */
const described = new Set(text('docs/metrics.md').match(/\w+/g));

/** The families that a text names. A histogram has three series. */
function familiesIn(source: string): string[] {
  const names = source.match(/\b(?:frontdoor|inventory|notifier|parterre|nodejs|process)_\w+/g) ?? [];
  return names.map((name) => name.replace(/_seconds_(bucket|count|sum)$/, '_seconds'));
}

test('promtool accepts the scrape file and the rules, and every alert fires in its unit test and not before', async () => {
  const config = await promtool(['check', 'config', join(root, 'deploy/prometheus.yaml')]);
  expect(config).toMatchObject({ code: 0, said: expect.stringContaining(`SUCCESS: ${alerts.length} rules found`) });
  const tested = await promtool(['test', 'rules', join(root, 'deploy/alerts.test.yaml')]);
  expect(tested).toMatchObject({ code: 0, said: expect.stringContaining('SUCCESS') });
  const { tests } = parse(text('deploy/alerts.test.yaml'));
  expect(tests.map(({ name }: { name: string }) => name)).toEqual(alerts.map(({ alert }) => alert));
});

test('Prometheus reads the query of every panel', async () => {
  const rules = queries.map(({ expr }, number) => ({ record: `panel_${number}`, expr }));
  const folder = mkdtempSync(join(tmpdir(), 'parterre-test-panels-'));
  try {
    const file = join(folder, 'panels.yaml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    const checked = await promtool(['check', 'rules', file]);
    expect(checked).toMatchObject({ code: 0, said: expect.stringContaining(`SUCCESS: ${rules.length} rules found`) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each([
  ...alerts.map(({ alert, expr }) => [alert, expr]),
  ...queries.map(({ title, expr }) => [title, expr]),
  ...readdirSync(join(root, 'docs/runbooks')).map((page) => [page, text(`docs/runbooks/${page}`)]),
  ...['operations', 'lost-records', 'deployment', 'going-live'].map((page) => [page, text(`docs/${page}.md`)]),
])('%s names metrics of docs/metrics.md alone', (_, source) => {
  expect(familiesIn(source!).filter((name) => name !== 'notifier_' && !described.has(name))).toEqual([]);
});

test('every alert has a severity, a page, and a row in the list of pages', () => {
  const rows = [...text('docs/runbooks/README.md').matchAll(/^\| `(\w+)` \| (\w+) \| \[.*\]\((.*)\) \|$/gm)];
  const listed = rows.map(([, alert, severity, page]) => [alert, severity, `docs/runbooks/${page}`]);
  expect(listed).toEqual(alerts.map(({ alert, labels, annotations }) => [alert, labels.severity, annotations.runbook]));
  expect(new Set(alerts.map(({ labels }) => labels.severity))).toEqual(new Set(['critical', 'warning', 'info']));
  const pages = readdirSync(join(root, 'docs/runbooks')).filter((page) => page !== 'README.md');
  expect(new Set(listed.map(([, , page]) => page))).toEqual(new Set(pages.map((page) => `docs/runbooks/${page}`)));
});

test.each(dashboards)('the panels of $file lie beside each other', ({ panels }) => {
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
    expect(x + w).toBeLessThanOrEqual(24);
    return Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)}/${y + Math.floor(cell / w)}`);
  });
  expect(new Set(cells).size).toBe(cells.length);
});
