/**
 * The designer in the middle of work: docs/images/designer.png. A theatre from a template, with a few rows selected
 * and the categories on the panel.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { createApi } from '../launch/api.ts';
import type { Demo } from '../launch/demo.ts';
import { settleMs } from './open-map.ts';

const viewport = { width: 1440, height: 900 };
const sizes = { rows: 12, seatsPerRow: 22, balconyRows: 5 };

export async function takeDesigner(browser: Browser, { url, keys }: Demo, folder: string): Promise<void> {
  const api = createApi(url);
  const token = keys.secretTest;
  const body = { name: 'Theatre on the quay', sizes };
  type MadeChart = { meta: { id: string; workspaceId: string } };
  const { meta } = await api.make<MadeChart>('/v1/templates/theatre/instantiate', token, body);
  const asked = { workspaceId: meta.workspaceId, chartId: meta.id, authority: 'publish', allowedOrigin: url };
  type Opened = { session: { designerUrl: string } };
  const { session } = await api.make<Opened>('/v1/designer/sessions', token, asked);
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
  await page.goto(session.designerUrl);
  await page.locator('.map canvas').first().waitFor();
  await page.evaluate(selectRows);
  await page.getByRole('tab', { name: 'Categories' }).click();
  await page.mouse.move(viewport.width / 2, viewport.height - 1);
  await pause(settleMs);
  const path = join(folder, 'designer.png');
  await page.screenshot({ path });
  console.log(`wrote ${path}`);
  await page.close();
}

/** Runs in the page, of whose types scripts know nothing. The first wing of the stalls. */
const selectRows = `(() => {
  const { editor } = document.querySelector('#designer');
  const rows = editor.document.objects.filter(({ type }) => type === 'row').slice(0, 4);
  editor.select({ objects: new Set(rows.map(({ id }) => id)), seats: new Map() });
})()`;
