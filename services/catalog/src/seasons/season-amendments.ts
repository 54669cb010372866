/**
 * Occurrences of a season, and their amendments. An amendment is decided by one write of the season
 * (finish-amendment.ts carries it on). `reschedule` and `replace` keep the seats, so contracts stay as they are.
 * `cancel_exception` marks the occurrence for the operator, and changes neither its event nor a booking.
 */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { Amendment, AmendmentDraft, Occurrence, OccurrenceFacts } from '@parterre/shared/protocol/catalog/seasons';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Issue, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { derivedId, newId } from '@parterre/shared/protocol/ids';
import { eventsByKey } from '../projections/event-records.ts';
import { seasonEntriesShownMax } from '../store/rules/bounds.ts';
import type { AmendmentRecord, SeasonDocument } from '../store/rules/season-records.ts';
import { seasonAmendments } from '../store/season-collections.ts';
import type { Store } from '../store/store.ts';
import { amendmentOf, finishAmendment } from './finish-amendment.ts';
import { listSha256 } from './rules/list-hash.ts';
import { actorKindOf, checkAtRest, checkStructure, noted } from './rules/season-state.ts';
import { changeSeason, findSeason, type SeasonPorts, type SeasonTarget } from './season-access.ts';

export async function listOccurrences(
  ports: SeasonPorts,
  input: SeasonTarget,
): Promise<Outcome<{ occurrences: Occurrence[] }>> {
  const found = await findSettled(ports, input);
  if (!found.ok) return found;
  const { eventKeys } = found.value;
  const known = await eventsByKey(ports.store, eventKeys);
  const latest = new Map<string, Occurrence['latestAmendment']>();
  for (const { eventKey, amendmentId, kind, classification } of await newest(ports.store, input.seasonKey)) {
    if (!latest.has(eventKey)) latest.set(eventKey, { amendmentId, kind, classification });
  }
  return done({
    occurrences: eventKeys.flatMap((key, at) => {
      const event = known.get(key);
      return event ? [{ event, position: at + 1, latestAmendment: latest.get(key) ?? null }] : [];
    }),
  });
}

export async function listAmendments(
  ports: SeasonPorts,
  input: SeasonTarget,
): Promise<Outcome<{ amendments: Amendment[]; truncated: boolean }>> {
  const found = await findSettled(ports, input);
  if (!found.ok) return found;
  const amendments = await newest(ports.store, input.seasonKey);
  const truncated = amendments.length > seasonEntriesShownMax;
  return done({ amendments: amendments.slice(0, seasonEntriesShownMax).map(amendmentOf), truncated });
}

export async function readAmendment(
  ports: SeasonPorts,
  input: CatalogInput<'seasons.amendment'>,
): Promise<Outcome<{ amendment: Amendment }>> {
  const found = await findSettled(ports, input);
  if (!found.ok) return found;
  const amendment = await ports.store.get(seasonAmendments, input.amendmentId);
  if (amendment?.value.seasonKey === input.seasonKey) return done({ amendment: amendmentOf(amendment.value) });
  return refuse('not_found', 'The season has no such amendment. Check its id.');
}

export async function amendSeason(
  ports: SeasonPorts,
  { scope, seasonKey, draft, callId = newId('call') }: CatalogInput<'seasons.amend'>,
): Promise<Outcome<{ amendment: Amendment }>> {
  const { store, clock } = ports;
  const amendmentId = derivedId('sam', seasonKey, callId);
  const written = await changeSeason(ports, { scope, seasonKey }, callId, async (season) => {
    const now = clock.now();
    const allowed = checkAtRest(season);
    if (!allowed.ok) return allowed;
    const active = checkStructure(season, 'active');
    if (!active.ok) return active;
    const named = season.eventKeys.filter((key) => key === draft.eventKey);
    const event = (await eventsByKey(store, named)).get(draft.eventKey);
    const after = amended(event, draft);
    if (!event || !after.ok) return after.ok ? noOccurrence : after;
    const revision = season.amendments + 1;
    const isException = draft.kind === 'cancel_exception';
    const amending: AmendmentRecord = {
      seasonKey,
      amendmentId,
      revision,
      eventKey: draft.eventKey,
      kind: draft.kind,
      classification: isException ? 'exception' : 'identity_preserving',
      planActivationId: soldPlan(season),
      occurrenceSetSha256: listSha256(season.eventKeys),
      before: factsOf(event),
      after: after.value,
      state: isException ? 'exception' : 'applied',
      createdAt: now,
    };
    const data = {
      amendmentId,
      eventKey: draft.eventKey,
      kind: draft.kind,
      before: amending.before,
      after: after.value,
    };
    const action = 'season.occurrence.amended' as const;
    const note = { callId, action, actorKind: actorKindOf(scope), details: data, at: now };
    const notes = [{ ...note, occurrence: { eventName: action, data } }];
    return done(noted(season, { amending, amendments: revision }, notes, now));
  });
  return written.ok ? readAmendment(ports, { scope, seasonKey, amendmentId }) : written;
}

const noOccurrence = refuse('invalid_request', 'The event is no occurrence of the season.', {
  details: { issues: [{ path: 'eventKey', message: 'Must be an occurrence of the season.' }] },
});

/** The occurrence as the amendment leaves it. `startsAt` moves `endsAt` by as much. */
function amended(event: EventRecord | undefined, { kind, startsAt, name }: AmendmentDraft): Outcome<OccurrenceFacts> {
  if (!event) return noOccurrence;
  const issues: Issue[] = [];
  if (kind === 'reschedule' && startsAt === undefined) {
    issues.push({ path: 'startsAt', message: 'Must be sent to reschedule an occurrence.' });
  }
  if (kind === 'replace' && name === undefined) {
    issues.push({ path: 'name', message: 'Must be sent to replace an occurrence.' });
  }
  if (issues.length > 0) {
    return refuse('invalid_request', 'The amendment lacks a field of its kind. The issues name it.', {
      details: { issues },
    });
  }
  const before = factsOf(event);
  if (kind === 'cancel_exception') return done({ ...before, cancelled: true });
  const moved = startsAt === undefined || before.startsAt === null ? 0 : startsAt - before.startsAt;
  const endsAt = before.endsAt === null ? null : before.endsAt + moved;
  return done({ name: name ?? before.name, startsAt: startsAt ?? before.startsAt, endsAt });
}

function factsOf({ name, startsAt, endsAt }: EventRecord): OccurrenceFacts {
  return { name, startsAt, endsAt };
}

/** The activation of the plan that was published last, if it is sold. */
function soldPlan({ plans }: SeasonDocument): string | null {
  const sold = plans.filter(({ publicationState }) => publicationState === 'published');
  sold.sort((one, other) => other.publishedRevision! - one.publishedRevision!);
  return sold[0]?.activationId ?? null;
}

/** One more than is shown. */
async function newest(store: Store, seasonKey: string): Promise<AmendmentRecord[]> {
  const query = { index: 'bySeason', equal: [seasonKey], descending: true, limit: seasonEntriesShownMax + 1 };
  return (await store.page(seasonAmendments, query)).documents.map(({ value }) => value);
}

/** The season, once its last amendment is shown and listed. */
async function findSettled(ports: SeasonPorts, input: SeasonTarget): Promise<Outcome<SeasonDocument>> {
  const found = await findSeason(ports.store, input);
  if (!found.ok) return found;
  await finishAmendment(ports, found.value.value.amending);
  return done(found.value.value);
}
