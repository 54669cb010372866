/** The demo page shows the https pictures of a chart, as the designer in which they were placed does. */
import { expect, test } from 'vitest';
import { describeInBrowser, faultsOf, PATIENCE_MS } from './box-office.ts';

/** One transparent pixel. */
const picture = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

describeInBrowser('a chart with pictures on the demo page', { timeout: 120_000 }, (office) => {
  test('loads pictures of other hosts, which learn no address of the page', async () => {
    const doc = {
      version: 1,
      name: 'Gallery',
      venueType: 'SIMPLE',
      focalPoint: { x: 0, y: 0 },
      categories: [{ key: 'stalls', label: 'Stalls', color: '#336699', price: 20 }],
      backgroundImage: { url: 'https://pictures.example/plan.gif', x: 0, y: 0, width: 200, height: 100 },
      objects: [
        {
          type: 'row',
          id: 'r1',
          label: 'A',
          origin: { x: 10, y: 80 },
          rotation: 0,
          curve: 0,
          seatCount: 6,
          seatSpacing: 20,
          categoryKey: 'stalls',
        },
        {
          type: 'decorImage',
          id: 'logo',
          url: 'https://pictures.example/logo.gif',
          center: { x: 60, y: 20 },
          width: 60,
          height: 30,
        },
      ],
    };
    const event = await office.makeEvent({ doc });
    const page = await office.newPage();
    const faults = faultsOf(page);
    const asked: { name: string; referrer: string | undefined }[] = [];
    await page.route('https://pictures.example/**', async (route) => {
      const request = route.request();
      asked.push({ name: new URL(request.url()).pathname, referrer: (await request.allHeaders()).referer });
      await route.fulfill({ contentType: 'image/gif', body: picture });
    });
    await page.goto(office.addressOf(event));
    await expect
      .poll(() => asked.map(({ name }) => name).sort(), { timeout: PATIENCE_MS })
      .toEqual(['/logo.gif', '/plan.gif']);
    expect(asked.map(({ referrer }) => referrer)).toEqual([undefined, undefined]);
    expect(faults).toEqual([]);
    await page.close();
  });
});
