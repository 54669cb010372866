/** A picture of each template in the real picker: docs/images/template-*.png. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { templates } from '../../shared/src/charts/templates/templates.ts';
import { createApi } from '../launch/api.ts';
import type { Demo } from '../launch/demo.ts';
import { demoPageOf } from '../launch/welcome.ts';
import { untilLive } from './open-map.ts';

const viewport = { width: 1200, height: 750 };

export async function takeTemplates(browser: Browser, demo: Demo, folder: string): Promise<void> {
  const api = createApi(demo.url);
  const token = demo.keys.secretTest;
  for (const { id } of templates) {
    const { meta } = await api.make<{ meta: { id: string } }>(`/v1/templates/${id}/instantiate`, token, {});
    await api.make(`/v1/charts/${meta.id}/publish`, token, {});
    const event = { chartId: meta.id, name: 'An evening', slug: `picture-${id}` };
    await api.make('/v1/events', token, event);
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
    await page.goto(demoPageOf({ ...demo, eventKey: event.slug }));
    await untilLive(page);
    const path = join(folder, `template-${id}.png`);
    await page.screenshot({ path });
    console.log(`wrote ${path}`);
    await page.close();
  }
}
