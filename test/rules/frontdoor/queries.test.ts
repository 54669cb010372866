/** The queries of routes: they are read by a schema, and the description shows the same parameters. */
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { describe, expect, it } from 'vitest';
import { readQuery } from '../../../services/frontdoor/src/admission/reading.ts';
import type { Request, Row } from '../../../services/frontdoor/src/admission/route.ts';
import { endOfLinkQuery } from '../../../services/frontdoor/src/api/access.ts';
import { eventRoute, openRoute } from '../../../services/frontdoor/src/api/calls/route.ts';
import { channelsQuery } from '../../../services/frontdoor/src/api/channels.ts';
import { controlRoomQuery } from '../../../services/frontdoor/src/api/console.ts';
import { eventsQuery } from '../../../services/frontdoor/src/api/events.ts';
import { blockSeatsAnswer } from '../../../services/frontdoor/src/api/inventory.ts';
import { emptyBody, unitLabel } from '../../../services/frontdoor/src/api/records.ts';
import { bookingsQuery, logQuery } from '../../../services/frontdoor/src/api/reports.ts';
import { deliveriesQuery } from '../../../services/frontdoor/src/api/webhooks.ts';
import type { Description } from '../../../services/frontdoor/src/openapi/description.ts';
import { shownParameters } from '../../../services/frontdoor/src/openapi/parameter.ts';

const description: Description = {
  operationId: 'ask',
  tag: 'Health',
  summary: 'A route of a test',
  description: 'It does nothing.',
  examples: [{ summary: 'A call' }],
};
const free = { budget: { none: 'A route of a test.' }, description };

function read(query: NonNullable<Row['query']>, text: string): Outcome<unknown> {
  const route = openRoute('GET /q', { answer: emptyBody, query, ...free }, () => done({}));
  return readQuery(route, { query: new URLSearchParams(text) } as Request);
}

describe('a query', () => {
  it.each([
    ['', 100],
    ['limit=7', 7],
    ['limit=7.9', 7],
    ['limit=0', 1],
    ['limit=-3', 1],
    ['limit=1000', 200],
    ['limit=', 100],
    ['limit=many', 100],
    ['limit=5&limit=6', 5],
  ])('clamps its limit and refuses none: %s', (text, limit) => {
    expect(read(eventsQuery, text)).toEqual(done({ limit, counts: true }));
  });

  it('keeps filters as they are sent, and an empty cursor counts as absent', () => {
    const asked = read(eventsQuery, 'externalRef=&workspaceId=ws_1&cursor=&counts=0&unknown=1');
    expect(asked).toEqual(done({ limit: 100, externalRef: '', workspaceId: 'ws_1', counts: false }));
  });

  it.each([
    ['before=12', 12],
    ['before=0', 0],
    ['before=-1', undefined],
    ['before=then', undefined],
  ])('starts over where it cannot read the entry to begin before: %s', (text, before) => {
    expect(read(logQuery, text)).toEqual(done({ limit: 50, ...(before !== undefined && { before }) }));
  });

  it.each([
    ['', 15],
    ['window=1', 5],
    ['window=30', 30],
    ['window=600', 60],
  ])('clamps its window: %s', (text, window) => {
    expect(read(controlRoomQuery, text)).toEqual(done({ window }));
  });

  it('takes only 1 for a yes', () => {
    expect(read(channelsQuery, 'includeArchived=1')).toEqual(done({ includeArchived: true }));
    expect(read(channelsQuery, 'includeArchived=true')).toEqual(done({ includeArchived: false }));
  });

  it('leaves the limit of deliveries to the catalog', () => {
    expect(read(deliveriesQuery, 'limit=5000&status=')).toEqual(done({ limit: 5000 }));
    expect(read(deliveriesQuery, '')).toEqual(done({ limit: null }));
  });

  it('is refused for a word that is not on the list, with the list', () => {
    expect(read(bookingsQuery, 'state=paid')).toEqual({
      ok: false,
      refusal: {
        code: 'invalid_request',
        message: 'There is no such state of a booking.',
        details: { issues: [{ path: 'state', message: 'Must be one of booked, partially_cancelled, cancelled.' }] },
      },
    });
  });

  it('is refused for a reason that is too long', () => {
    expect(read(endOfLinkQuery, 'endActiveSessions=true&reason=Over')).toEqual(
      done({ endActiveSessions: true, reason: 'Over' }),
    );
    expect(read(endOfLinkQuery, `reason=${'x'.repeat(501)}`)).toMatchObject({
      refusal: { code: 'invalid_request', message: 'A reason has at most 500 characters.' },
    });
  });

  it('shows every parameter in the description', () => {
    expect(shownParameters(eventsQuery).map(([name]) => name)).toEqual(Object.keys(eventsQuery.shape));
    expect(() => shownParameters(emptyBody.extend({ hidden: unitLabel }))).toThrow(/hidden/);
  });
});

it('does not compile a handler whose answer is not the answer of its route', () => {
  const answer = blockSeatsAnswer;
  eventRoute('GET /v1/events/{key}/right', { answer, ...free }, () =>
    done({ ok: true, blocked: ['A-1'] as readonly string[] }),
  );
  // @ts-expect-error -- `blocked` is missing
  eventRoute('GET /v1/events/{key}/wrong', { answer, ...free }, () => done({ ok: true }));
});

it('does not compile a route that neither has a budget nor says why', () => {
  const uncounted = { answer: emptyBody, description };
  // @ts-expect-error -- `budget` is missing
  expect(() => eventRoute('GET /v1/events/{key}/uncounted', uncounted, () => done({}))).toThrow();
});

it('does not compile a route without a description', () => {
  // @ts-expect-error -- `description` is missing
  openRoute('GET /one', { answer: null, status: 302, budget: free.budget }, () => Promise.reject());
});

it('names the parameters of its path, and no others', () => {
  const route = eventRoute('GET /v1/events/{key}/holds/{holdId}', { answer: emptyBody, ...free }, ({ path }) => {
    // @ts-expect-error -- the path has no such parameter
    return path.key === path.sectionId ? done({}) : done({});
  });
  expect(route.parameters).toEqual(['key', 'holdId']);
});
