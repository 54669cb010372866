/**
 * Drafts of the demo. A visitor without an account gets a chart of their own and a designer session to it, then an
 * event on sale. Everything is made under one key: a test key of a workspace that holds nothing but drawings. The
 * browser never sees this key.
 *
 * Bounds: a budget for each address; `demoDraftsMax` drafts at once; the bytes of a save, the places and the published
 * versions of a draft. The session may edit and not publish, since a published version stays for ever: only a sale
 * publishes. The launcher deletes old drafts (scripts/launch/drawings.ts).
 *
 * States of a draft: drawn → published → on sale, in two steps of one call. A failure after the publish leaves a
 * published chart; the next call goes on, since an unchanged chart is not published again. The event is named after the
 * version, so a repeated call finds the event that it made.
 */

import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import {
  demoDraftBytesMax,
  demoDraftSeatsMax,
  demoDraftSeconds,
  demoDraftsMax,
  demoDraftVersionsMax,
  publishDeadlineMs,
} from '@parterre/shared/protocol/limits';
import { z } from 'zod';
import { budgets, type Request, type ServerPrincipal, scopeOf } from '../admission/admission.ts';
import { demoPageUrl, designerUrl, framerQuery, nothingHere, originOf, secretOnce } from '../answers/answers.ts';
import { type DemoKeys, packDocument } from '../caches/caches.ts';
import { standIn } from '../openapi/openapi.ts';
import type { Ports } from './calls/ports.ts';
import { type Call, openRoute, type WithPath } from './calls/route.ts';
import { drawNamed, listTemplates, listTemplatesAnswer, sizes } from './charts.ts';
import { createEvent } from './events.ts';
import { epochMs, idOf, name, optional } from './records.ts';

const where = 'Only where the operator runs a demo with drawing visitors; elsewhere the answer is 404. ';

const listDraftTemplates = openRoute(
  'GET /demo/drafts',
  {
    budget: budgets.publicFiles,
    answer: listTemplatesAnswer,
    description: {
      operationId: 'listDraftTemplates',
      tag: 'Buyers',
      summary: 'The templates from which a visitor of the demo may draw',
      description: `${where}The templates of \`GET /v1/templates\`.`,
      refusals: ['not_found'],
      examples: [{ summary: 'All templates' }],
    },
  },
  async ({ ports }) => ((await ports.demoKeys()) ? done(listTemplates()) : nothingHere),
);

const startDraftAnswer = z.object({
  chartId: idOf('cht'),
  token: z.string().describe("A designer session's token, for this chart alone."),
  designerUrl: z.string(),
  expiresAt: epochMs,
});

const startDraftBody = z.object({
  template: optional(z.string().nullable().describe('The id of a template. Without it the draft is empty.')),
  sizes: optional(sizes),
  name: optional(name),
});

const foreignPage = refuse('forbidden', 'A drawing starts on the page of the demo itself. Open /demo/draw.html there.');

const tooMany = refuse('overloaded', 'The demo has as many drawings as it takes. Try again in a while.', {
  retryable: true,
});

type Demo = { owner: ServerPrincipal; workspaceId: string; keys: DemoKeys };

const startDraftRoute = openRoute(
  'POST /demo/drafts',
  {
    budget: budgets.demoDrafts,
    answer: startDraftAnswer,
    body: startDraftBody,
    bodyOptional: true,
    status: 201,
    description: {
      operationId: 'startDraft',
      tag: 'Buyers',
      summary: 'Draw a chart in the demo, without an account',
      description: `${where}The answer opens the designer for one chart. The demo deletes the drawing after a while. A page of another origin is refused.`,
      refusals: ['not_found', 'overloaded', 'invalid_request', 'forbidden'],
      examples: [
        { summary: 'From a template', body: { template: 'cabaret', sizes: { tables: 12 }, name: 'My club' } },
        { summary: 'Empty' },
        { summary: 'An unknown template', body: { template: 'moon-base' }, answers: 'not_found' },
        { summary: 'Bad sizes', body: { template: 'club', sizes: { capacity: 1 } }, answers: 'invalid_request' },
      ],
    },
  },
  startDraft,
);

async function startDraft({ ports, request, body }: Call<'none', z.infer<typeof startDraftBody>>) {
  // Pages of others must not fill the demo by their visitors' browsers.
  if (request.origin !== '' && request.origin !== originOf(request)) return foreignPage;
  const demo = await demoOf(ports);
  if (!demo.ok) return demo;
  const { owner, workspaceId } = demo.value;
  const { template, sizes, name } = body;
  const drawn = template ? drawNamed(template, sizes, name) : null;
  if (drawn?.ok === false) return drawn;
  const scope = scopeOf(owner);
  const known = await ports.catalog('charts.list', { scope, page: { limit: demoDraftsMax } });
  if (!known.ok) return known;
  if (known.value.charts.length >= demoDraftsMax) return tooMany;
  const made = await ports.catalog('charts.create', {
    scope,
    name: drawn ? drawn.value.name : (name ?? 'My venue'),
    workspaceId,
    ...(drawn && { doc: await packDocument(drawn.value) }),
  });
  if (!made.ok) return made;
  const chartId = made.value.meta.id;
  const allowedOrigin = originOf(request);
  const session = await ports.catalog('designer-sessions.create', {
    scope,
    workspaceId,
    chartId,
    allowedOrigin,
    page: allowedOrigin,
    authority: 'edit' as const,
    safe: null,
    isOwnPage: true,
    saveBytesMax: demoDraftBytesMax,
    expiresInSeconds: demoDraftSeconds,
    // The visitor has chosen a template, or none, before.
    features: JSON.stringify({ templates: false }),
  });
  if (!session.ok) {
    await ports.catalog('charts.delete', { scope, chartId });
    return session;
  }
  const { token } = session.value;
  const { expiresAt } = session.value.session;
  const url = designerUrl(request, framerQuery(ports.framerKeys, allowedOrigin), token);
  return secretOnce({ chartId, token, designerUrl: url, expiresAt });
}

/** The owner of the drawings. Nothing is here without a key, or with a key that could do more than draw. */
async function demoOf(ports: Ports): Promise<Outcome<Demo>> {
  const keys = await ports.demoKeys();
  if (!keys) return nothingHere;
  const asking = { method: 'POST', authorization: `Bearer ${keys.secret}`, cookie: '', csrfToken: '' };
  const found = await ports.principals.server({ ...asking, address: () => 'demo' });
  if (!found.ok) return found.refusal.code === 'unauthorized' ? nothingHere : found;
  const owner = found.value;
  if (owner.kind !== 'secret' || owner.mode !== 'test' || owner.workspaceId === null) return nothingHere;
  return done({ owner, workspaceId: owner.workspaceId, keys });
}

const sellDraftAnswer = z.object({
  eventKey: z.string(),
  url: z.string().describe('The seat map of the event in the demo page.'),
});

const TOKEN_LENGTH_MAX = 200;

const sellDraftBody = z.object({
  token: z
    .string()
    .startsWith('dse_', 'Must be the token of the draft (dse_…).')
    .max(TOKEN_LENGTH_MAX)
    .describe('The token of the draft, so that only its visitor sells it.'),
});

const soldOften = refuse(
  'conflict',
  `The demo puts ${demoDraftVersionsMax} versions of a drawing on sale. Start another drawing.`,
  { reason: 'draft_sold_often' },
);

const outrun = new Set(['stale_chart', 'published_meanwhile']);

const PUBLISH_TRIES_MAX = 3;

const sellDraftRoute = openRoute(
  'POST /demo/drafts/{id}/sale',
  {
    budget: budgets.demoSales,
    answer: sellDraftAnswer,
    body: sellDraftBody,
    status: 201,
    deadlineMs: publishDeadlineMs,
    description: {
      operationId: 'sellDraft',
      tag: 'Buyers',
      summary: 'Publish a drawing of the demo, and put it on sale',
      description: `${where}The same drawing again is the same event; a changed drawing is a new event.`,
      refusals: ['not_found', 'unauthorized', 'chart_not_found', 'invalid_chart', 'conflict'],
      examples: [
        { summary: 'Put it on sale', path: { id: standIn.demoDraft }, body: { token: standIn.demoDraftToken } },
        {
          summary: 'With an unknown token',
          path: { id: standIn.demoDraft },
          body: { token: 'dse_unknown' },
          answers: 'unauthorized',
        },
        {
          summary: 'Of another visitor',
          path: { id: standIn.chart },
          body: { token: standIn.demoDraftToken },
          answers: 'chart_not_found',
        },
      ],
    },
  },
  sellDraft,
);

async function sellDraft(call: Call<'none', z.infer<typeof sellDraftBody>> & WithPath<'id'>) {
  const { ports, request, body, path } = call;
  const demo = await demoOf(ports);
  if (!demo.ok) return demo;
  const { owner, keys } = demo.value;
  const chartId = path.id;
  const own = await mayEdit(ports, request, body.token, chartId);
  if (!own.ok) return own;
  const scope = scopeOf(owner);
  const published = await publishDraft(ports, scope, chartId);
  if (!published.ok) return published;
  const { meta, version } = published.value;
  const callId = sha256(`draft ${chartId} ${version.planHash}`);
  const event = await createEvent(call, owner, { chartId, name: meta.name }, callId);
  if (!event.ok) return event;
  const { key: eventKey } = event.value;
  return done({ eventKey, url: demoPageUrl(request, eventKey, keys.publishable) });
}

/** The page that holds the token sends it in the body, so no other page of the browser can send it. */
async function mayEdit(ports: Ports, request: Request, token: string, chartId: string): Promise<Outcome<null>> {
  const asking = { method: 'POST', authorization: `Bearer ${token}`, cookie: '', csrfToken: '' };
  const found = await ports.principals.editor({ ...asking, address: request.address, origin: originOf(request) });
  if (!found.ok) return found;
  const isOwn = found.value.kind === 'designer' && found.value.chartId === chartId;
  return isOwn ? done(null) : refuse('chart_not_found', 'This token is for another chart.');
}

/**
 * Publishes the very draft whose bounds were checked. After a save in between, and after a second call at the same
 * moment, such as a double click, everything is checked again.
 */
async function publishDraft(ports: Ports, scope: ReturnType<typeof scopeOf>, chartId: string) {
  for (let tries = 1; ; tries++) {
    // A token for a chart outside of the demo's workspace finds no chart here.
    const known = await ports.catalog('charts.meta', { scope, chartId });
    if (!known.ok) return known;
    const { seatTotal, updatedAt, publishedAt, publishedVersion } = known.value.meta;
    if (seatTotal > demoDraftSeatsMax) return tooLarge(seatTotal);
    const isChanged = publishedAt === null || updatedAt > publishedAt;
    if (isChanged && (publishedVersion ?? 0) >= demoDraftVersionsMax) return soldOften;
    const asked = { scope, chartId, askedAt: ports.clock.now(), expectedUpdatedAt: updatedAt };
    const published = await ports.catalog('charts.publish', asked);
    const isOutrun = !published.ok && outrun.has(published.refusal.reason ?? '');
    if (!isOutrun || tries === PUBLISH_TRIES_MAX) return published;
  }
}

function tooLarge(seatTotal: number): Outcome<never> {
  const message = `The demo sells at most ${demoDraftSeatsMax} places, and this drawing has ${seatTotal}.`;
  return refuse('invalid_chart', message, { details: { issues: [{ path: 'objects', message }] } });
}

export const draftsRoutes = [listDraftTemplates, startDraftRoute, sellDraftRoute];
