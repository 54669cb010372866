/** Refusals of seasons that need several calls: how a test provokes each. */
import { type Circumstance, spentByFreshKey } from './circumstances.ts';
import { send } from './send.ts';

const SEASON = 'GET /v1/seasons/{key}';

export const seasonCircumstances: Circumstance[] = [
  { signature: SEASON, status: 429, code: 'rate_limited', provoke: spentByFreshKey(601) },
  {
    signature: 'POST /v1/seasons',
    status: 422,
    code: 'workspace_not_found_or_disabled',
    async provoke(shop, create) {
      const { token } = shop;
      const post = async (path: string, body: object = {}) => (await shop.call('POST', path, { token, body })).body;
      const { workspace } = await post('/v1/workspaces', { name: 'Closing' });
      const { meta } = await post(`/v1/charts/${shop.chart.id}/duplicate`, { workspaceId: workspace.id });
      await post(`/v1/charts/${meta.id}/publish`);
      const made = [await post('/v1/events', { chartId: meta.id }), await post('/v1/events', { chartId: meta.id })];
      const eventKeys = made.map(({ meta: event }) => event.key);
      await shop.call('PATCH', `/v1/workspaces/${workspace.id}`, { token, body: { status: 'disabled' } });
      return send(shop, create, { body: { name: 'Late', eventKeys } });
    },
  },
];
