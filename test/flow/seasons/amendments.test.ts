import type { AmendmentDraft } from '@parterre/shared/protocol/catalog/seasons';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { events } from '../../../services/catalog/src/store/collections.ts';
import { seasonAmendments, seasonOutbox } from '../../../services/catalog/src/store/season-collections.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { type SeasonShop, seasonShop } from './season-shop.ts';

let database: TestDatabase;
let shop: SeasonShop;
let eventKeys: string[];
let seasonKey: string;
const startsAt = 1_800_000_100_000;

beforeEach(async () => {
  database = await embeddedDatabase([]);
  shop = await seasonShop(await database.connect());
  const timed = { startsAt, endsAt: startsAt + 7_200_000, name: 'Aida' };
  eventKeys = [await shop.event(timed), await shop.event(timed)];
  seasonKey = (await shop.active(eventKeys)).key;
});
afterEach(() => database.remove());

const target = () => ({ scope: shop.scope, seasonKey });
const amend = async (draft: Partial<AmendmentDraft>, callId?: string) => {
  const whole = { eventKey: eventKeys[0]!, kind: 'reschedule' as const, ...draft };
  const input = { ...target(), draft: whole, ...(callId !== undefined && { callId }) };
  return (await shop.catalog.ask('seasons.amend', input)).amendment;
};
const occurrences = async () => (await shop.catalog.ask('seasons.occurrences', target())).occurrences;

describe('an amendment', () => {
  test('that reschedules passes the lock, moves the end by as much, and keeps the season’s revision', async () => {
    const { season } = await shop.catalog.ask('seasons.get', target());
    const amendment = await amend({ startsAt: startsAt + 86_400_000 });
    expect(amendment).toMatchObject({
      amendmentId: expect.stringMatching(/^sam_/),
      revision: 1,
      eventKey: eventKeys[0],
      kind: 'reschedule',
      classification: 'identity_preserving',
      state: 'applied',
      planActivationId: null,
      before: { name: 'Aida', startsAt, endsAt: startsAt + 7_200_000 },
      after: { name: 'Aida', startsAt: startsAt + 86_400_000, endsAt: startsAt + 93_600_000 },
    });
    const [first, second] = await occurrences();
    expect(first).toMatchObject({
      position: 1,
      event: { startsAt: startsAt + 86_400_000, endsAt: startsAt + 93_600_000 },
      latestAmendment: { amendmentId: amendment.amendmentId, kind: 'reschedule' },
    });
    expect(second).toMatchObject({ position: 2, event: { startsAt }, latestAmendment: null });
    expect((await shop.catalog.ask('seasons.get', target())).season.revision).toBe(season.revision);
    expect((await shop.catalog.ask('seasons.amendments', target())).amendments).toEqual([amendment]);
    const read = { ...target(), amendmentId: amendment.amendmentId };
    expect((await shop.catalog.ask('seasons.amendment', read)).amendment).toEqual(amendment);
  });

  test('of a named call is made once', async () => {
    const first = await amend({ startsAt: startsAt + 1_000 }, 'call-1');
    expect(await amend({ startsAt: startsAt + 1_000 }, 'call-1')).toEqual(first);
    expect((await shop.catalog.ask('seasons.amendments', target())).amendments).toHaveLength(1);
  });

  test('that replaces gives another name, and an exception changes no event', async () => {
    await amend({ kind: 'replace', name: 'Tosca' });
    const exception = await amend({ kind: 'cancel_exception' });
    expect(exception).toMatchObject({ classification: 'exception', state: 'exception', revision: 2 });
    const [first] = await occurrences();
    expect(first).toMatchObject({ event: { name: 'Tosca', startsAt }, latestAmendment: { kind: 'cancel_exception' } });
  });

  test.each([
    [{ kind: 'reschedule' }, 'startsAt'],
    [{ kind: 'replace' }, 'name'],
    [{ eventKey: 'nobody', startsAt: 1 }, 'eventKey'],
  ] as [Partial<AmendmentDraft>, string][])('that lacks a fact is refused (%j)', async (draft, path) => {
    const whole = { eventKey: eventKeys[0]!, kind: 'reschedule' as const, ...draft };
    const refusal = await shop.catalog.refusal('seasons.amend', { ...target(), draft: whole });
    expect(refusal).toMatchObject({ code: 'invalid_request', details: { issues: [{ path }] } });
  });

  test('needs an active season', async () => {
    const draft = await shop.draft(eventKeys);
    const input = { scope: shop.scope, seasonKey: draft.key, draft: { eventKey: eventKeys[0]!, kind: 'replace' } };
    const refusal = await shop.catalog.refusal('seasons.amend', {
      ...input,
      draft: { ...input.draft, name: 'X' } as never,
    });
    expect(refusal.code).toBe('invalid_season_state');
  });

  test('whose process died behind its decision is shown by the next read', async () => {
    const { store } = shop.catalog;
    const amendment = await amend({ startsAt: startsAt + 1_000 });
    const kept = (await store.get(seasonAmendments, amendment.amendmentId))!;
    await store.delete(seasonAmendments, kept.id, kept.version);
    const event = (await store.get(events, eventKeys[0]!))!;
    const { amended: _, ...before } = event.value;
    await store.replace(events, event.id, event.version, { ...before, startsAt });
    const [first] = await occurrences();
    expect(first).toMatchObject({ event: { startsAt: startsAt + 1_000 }, latestAmendment: { kind: 'reschedule' } });
  });

  test('that is carried on late does not replace a later one', async () => {
    const { store } = shop.catalog;
    await amend({ kind: 'replace', name: 'Tosca' });
    const event = (await store.get(events, eventKeys[0]!))!;
    await store.replace(events, event.id, event.version, {
      ...event.value,
      name: 'Later',
      amended: { [seasonKey]: 2 },
    });
    const { documents } = await store.page(seasonAmendments, { index: 'bySeason', equal: [seasonKey], limit: 1 });
    await store.delete(seasonAmendments, documents[0]!.id, documents[0]!.version);
    expect((await occurrences())[0]).toMatchObject({ event: { name: 'Later' } });
  });
});

describe('the outbox', () => {
  const outbox = async () => (await shop.catalog.ask('seasons.outbox', target())).outbox;

  test('has each occurrence with its payload and hash, newest first', async () => {
    await amend({ kind: 'replace', name: 'Tosca' });
    const [amended, activated] = await outbox();
    expect(activated).toMatchObject({ eventName: 'season.activated', deliveredAt: null, replayCount: 0 });
    expect(amended).toMatchObject({
      eventName: 'season.occurrence.amended',
      payloadSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      payload: { event: 'season.occurrence.amended', seasonKey, livemode: false, data: { eventKey: eventKeys[0] } },
    });
    expect(amended!.payload.occurrenceId).toBe(amended!.occurrenceId);
  });

  test('puts an occurrence out again under its own id', async () => {
    const [first] = await outbox();
    const input = { ...target(), occurrenceId: first!.occurrenceId };
    const { occurrence } = await shop.catalog.ask('seasons.replay', input);
    expect(occurrence).toEqual({ ...first, replayedAt: shop.catalog.clock.time, replayCount: 1 });
    expect(await outbox()).toEqual([occurrence]);
    const unknown = { ...target(), occurrenceId: 'occ_0' };
    expect((await shop.catalog.refusal('seasons.replay', unknown)).code).toBe('not_found');
  });

  test('has the notes of a change whose process died before they had documents', async () => {
    const { store } = shop.catalog;
    const [first] = await outbox();
    const kept = (await store.get(seasonOutbox, first!.occurrenceId))!;
    await store.delete(seasonOutbox, kept.id, kept.version);
    expect(await outbox()).toEqual([first]);
  });

  test('and the audit take the notes of other rooms, each once', async () => {
    const at = shop.catalog.clock.time;
    const note = { callId: 'book-1', action: 'season.booking.booked' as const, actorKind: 'server', details: {}, at };
    const input = { seasonKey, note: { ...note, occurrence: { eventName: note.action, data: { bookingRef: 'o-1' } } } };
    await shop.catalog.ask('seasons.note', input);
    await shop.catalog.ask('seasons.note', input);
    const named = (await outbox()).filter(({ eventName }) => eventName === 'season.booking.booked');
    expect(named).toHaveLength(1);
    const { audit } = await shop.catalog.ask('seasons.audit', target());
    expect(new Set(audit.map(({ id }) => id)).size).toBe(audit.length);
    expect(audit.filter(({ action }) => action === 'season.booking.booked')).toHaveLength(1);
  });
});
