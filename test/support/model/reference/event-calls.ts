/** Calls to the event as a whole: blocks, the hold TTL, moves, settings, changes of chart. */
import type { Command } from '@parterre/shared/protocol/commands';
import { dropRules, shownAvailability } from './availability.ts';
import { type Chart, charts } from './chart.ts';
import { free } from './endings.ts';
import { withSettings } from './sale-times.ts';
import { named, shortOf } from './selecting.ts';
import {
  type Claim,
  conflictOver,
  countsOf,
  freeSeat,
  MINUTE,
  note,
  noteLabels,
  once,
  type Prediction,
  type Refused,
  refused,
  type Seat,
  unchanged,
  type World,
} from './world.ts';

const locked: Refused = { code: 'season_event_locked', reason: 'season_event_locked' };

/** The first answer of an earlier call. */
export function repeated(world: World, callId: string, fingerprint?: string): Prediction | null {
  const known = world.calls.find((each) => each.callId === callId);
  if (known && known.fingerprint !== fingerprint) return refused('conflict', { reason: 'idempotency_key_reused' });
  if (known?.as === 'rules') return unchanged(shownAvailability(world));
  if (!known) return null;
  if (known.as === 'reservation.labels') {
    return unchanged({ reservation: { ...known.answer, labels: known.labels! } });
  }
  return unchanged(known.labels ? { ...known.answer, [known.as]: known.labels } : known.answer!);
}

export function block(world: World, command: Command & { type: 'block' }): Prediction {
  const { callId, labels, releaseAt, only, fingerprint } = command;
  const { areas } = world.chart;
  if (only === 'blocked') return reblock(world, command);
  const asked = named(world, labels, (area) => areas[area]!);
  const faults: Refused[] = 'refused' in asked ? asked.refused : [];
  if (releaseAt !== null && releaseAt <= world.now) faults.push({ code: 'invalid_request', reason: 'invalid_request' });
  if ('refused' in asked || faults.length > 0) return { ok: false, refused: faults };
  const isBlockable = (label: string): boolean => isByHand(world, label) || world.seats[label]!.status === 'free';
  const already = asked.labels.filter((label) => only === 'free' && isByHand(world, label));
  const inTheWay = asked.labels.filter((label) => !isBlockable(label));
  // For a named area, the conflict tells the number of its places left.
  const alone = inTheWay.filter((label) => !asked.areas.some((area) => areas[area]!.includes(label)));
  const left = (area: string): number => areas[area]!.filter(isBlockable).length;
  const short = asked.areas.filter((area) => left(area) < areas[area]!.length).map((area) => shortOf(area, left(area)));
  const isReserved = inTheWay.every((label) => world.seats[label]!.status === 'blocked');
  if (inTheWay.length > 0) return conflictOver(world, alone, isReserved ? 'seats_reserved' : 'conflict', short);
  const blocked = asked.labels.filter((label) => !already.includes(label));
  blockSeats(world, blocked, releaseAt);
  const told = noteLabels(world, callId, 'blocked', blocked, fingerprint);
  return told.ok && already.length > 0 ? { ...told, answer: { ...told.answer, already: already.length } } : told;
}

/** The new terms of seats that are still blocked: a step of a batch that is decided. Never refused. */
function reblock(world: World, { callId, labels, releaseAt }: Command & { type: 'block' }): Prediction {
  const still = leftOf(world, labels).filter((label) => isByHand(world, label));
  if (still.length === 0) return unchanged({ blocked: [] });
  blockSeats(world, still, releaseAt);
  return noteLabels(world, callId, 'blocked', still);
}

/** The named places that the chart still has. It may have lost others since a batch was decided. */
function leftOf({ seats, chart: { areas } }: World, labels: string[]): string[] {
  return once(labels.flatMap((label) => areas[label] ?? (seats[label] ? [label] : [])));
}

/** Frees the seats that a block of a batch has blocked. A block that the event has never seen is known from now on. */
export function undoBlock(world: World, { callId, of }: Command & { type: 'undo-block' }): Prediction {
  const known = world.calls.find((each) => each.callId === of.callId);
  const blocked = (known?.labels ?? []).filter((label) => isByHand(world, label));
  if (!known) noteLabels(world, of.callId, 'blocked', [], of.fingerprint);
  free(world, blocked);
  return noteLabels(world, callId, 'unblocked', blocked);
}

/** Whether the seat is blocked, and neither an offer nor a reservation has it. */
export function isByHand({ seats }: World, label: string): boolean {
  return seats[label]!.status === 'blocked' && seats[label]!.owner === null;
}

export function blockSeats(world: World, labels: string[], releaseAt: number | null): void {
  for (const label of labels) world.seats[label] = { label, status: 'blocked', owner: null, freeAt: releaseAt };
}

export function unblock(world: World, { callId, labels, step }: Command & { type: 'unblock' }): Prediction {
  const { status } = world;
  if (step === 'check' && status !== 'active' && status !== 'closed') return refused('invalid_event_state', { status });
  const all = labels ?? Object.keys(world.seats);
  const asked =
    step === 'decided' ? { labels: leftOf(world, all) } : named(world, all, (area) => world.chart.areas[area]!);
  if ('refused' in asked) return { ok: false, refused: asked.refused };
  const blocked = asked.labels.filter((label) => isByHand(world, label));
  if (step === 'check') return unchanged({ unblocked: blocked });
  free(world, blocked);
  return noteLabels(world, callId, 'unblocked', blocked);
}

export function setHoldTtl(world: World, { callId, holdTtlMs }: Command & { type: 'set-hold-ttl' }): Prediction {
  world.holdTtlMs = holdTtlMs === null ? null : Math.min(Math.max(holdTtlMs, MINUTE), 60 * MINUTE);
  return note(world, callId, { holdTtlMs: world.holdTtlMs });
}

export function move(world: World, { callId, move: step }: Command & { type: 'move' }): Prediction {
  const { status, salesPaused } = world;
  const isOpen = status === 'active' || status === 'closed';
  const turns: Record<string, [boolean, World['status'], boolean]> = {
    close: [status === 'active', 'closed', false],
    reopen: [status === 'closed' || (status === 'active' && salesPaused), 'active', false],
    archive: [isOpen, 'archived', false],
    unarchive: [status === 'archived', 'active', true],
    delete: [status !== 'deleted', 'deleted', false],
  };
  const [isLegal, next, isPausedThen] = turns[step]!;
  if (!isLegal) return refused('invalid_event_state', { status });
  if (world.lockId !== null && ['close', 'archive', 'delete'].includes(step)) return { ok: false, refused: [locked] };
  world.status = next;
  world.salesPaused = isPausedThen;
  // `version` comes from the journal: compare.ts fills it in.
  return note(world, callId, {
    status: next,
    salesPaused: isPausedThen,
    counts: countsOf(world),
    at: world.now,
    version: 0,
  });
}

export function configure(world: World, command: Command & { type: 'configure' }): Prediction {
  const { callId, currency, sectionStates, saleSettings = {} } = command;
  const settings = withSettings(world, saleSettings);
  const faults: Refused[] = [];
  if (settings === null || Object.keys(sectionStates ?? {}).some((id) => !world.chart.scopes.includes(id)))
    faults.push({ code: 'invalid_request', reason: 'invalid_request' });
  const isReserved = world.offers.some(({ status }) => status === 'reserved');
  const hasPrices = countsOf(world).held > 0 || world.bookings.length > 0 || isReserved;
  const isOther = currency !== undefined && currency !== world.currency;
  if (isOther && world.lockId !== null) faults.push(locked);
  else if (isOther && hasPrices) faults.push({ code: 'conflict', reason: 'event_has_sales' });
  if (faults.length > 0) return { ok: false, refused: faults };
  world.currency = currency ?? world.currency;
  world.sectionStates = sectionStates ?? world.sectionStates;
  world.saleSettings = settings ?? {};
  const isSet = Object.keys(world.saleSettings).length > 0;
  return note(world, callId, {
    currency: world.currency,
    sectionStates: world.sectionStates,
    ...(isSet && { saleSettings: world.saleSettings }),
    at: world.now,
  });
}

export function updateChart(world: World, command: Command & { type: 'update-chart' }): Prediction {
  const { callId, planHash, chartVersion, fromChart } = command;
  const { status, chartId = fromChart } = world;
  if (status !== 'active' && status !== 'closed') return refused('invalid_event_state', { status });
  // Two publishes may arrive in any order. An event never goes back to the older one. A publish (`onlyIfIdle`) that
  // changes nothing is no news for a locked event.
  if (chartId !== fromChart) return refused('conflict', { reason: 'chart_changed' });
  const chartAfter = command.chartId ?? chartId;
  const isNews = chartAfter !== chartId || chartVersion > world.chartVersion;
  if (world.lockId !== null && (isNews || !command.onlyIfIdle)) return { ok: false, refused: [locked] };
  if (!isNews) return unchanged(chartAnswer(world, false));
  const faults: Refused[] = [];
  const seats = Object.values(world.seats);
  if (command.onlyIfIdle && seats.some(({ status }) => status !== 'free'))
    faults.push({ code: 'conflict', reason: 'event_in_use' });
  const next = charts[planHash]!;
  const states = Object.keys(world.sectionStates).filter((scope) => world.sectionStates[scope] !== 'open');
  const dropped = once([...Object.keys(world.rules), ...states]).filter((scope) => !next.scopes.includes(scope));
  if (command.onlyIfIdle && dropped.length > 0) faults.push({ code: 'conflict', reason: 'scopes_would_drop' });
  const isGone = (label: string): boolean => !isSame(world.chart, next, label);
  if (command.onlyIfIdle && Object.keys(world.channelOf).length > 0)
    faults.push({ code: 'conflict', reason: 'private_allocations' });
  const renamed = chartAfter === undefined ? new Map<string, string>() : renumbered(world, next, isGone);
  const taken = new Set(renamed.values());
  const placeOf = (label: string): string | null =>
    renamed.get(label) ?? (isGone(label) || taken.has(label) ? null : label);
  const missing = seats
    .filter(({ owner, label }) => owner !== null && placeOf(label) === null)
    .map(({ label }) => label);
  if (missing.length > 0) {
    const code = 'seats_would_vanish';
    faults.push({ code, reason: code, missingLabels: missing, missingCount: missing.length });
  }
  if (faults.length > 0) return { ok: false, refused: faults };
  const moved = seats.filter(
    ({ status, label }) => status !== 'free' && isMoved(world.chart, label, next, placeOf(label)),
  );
  if (moved.length > 0 && !command.onlyIfIdle && !(command.acknowledgeMoved && command.reason)) {
    return refused('seats_would_move');
  }
  const more = {
    ...(dropped.length > 0 && { droppedScopes: dropped.sort() }),
    ...droppedAssignments(world, isGone),
  };
  const areSold = [...renamed.keys()].some((label) => world.seats[label]!.status === 'booked');
  moveTo(world, next, placeOf, isGone);
  world.chartVersion = chartVersion;
  if (chartAfter !== chartId || (renamed.size > 0 && !areSold)) world.chartId = chartAfter!;
  const told = { count: renamed.size, labels: [...renamed.keys()], to: [...renamed.values()] };
  return note(world, callId, { ...chartAnswer(world, true), ...more, ...(renamed.size > 0 && { renumbered: told }) });
}

/** The sold places of areas that get another number, with this number, in the order of the chart before. */
function renumbered(world: World, next: Chart, isGone: (label: string) => boolean): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const [area, labels] of Object.entries(world.chart.areas)) {
    const standing = (label: string): Seat | null =>
      labels.includes(label) && !isGone(label) ? world.seats[label]! : null;
    const isFree = (label: string): boolean => (standing(label)?.status ?? 'free') === 'free';
    const isBlock = (label: string): boolean => standing(label) !== null && isByHand(world, label);
    const numbers = next.areas[area] ?? [];
    const free = numbers.filter(isFree);
    const blocked = numbers.filter(isBlock);
    const channelAt = (label: string): string => (standing(label) && world.channelOf[label]) || '';
    const channels = once(free.map(channelAt));
    for (const label of labels) {
      if (world.seats[label]!.owner === null || !isGone(label)) continue;
      const wanted = [world.channelOf[label] ?? '', '', ...channels];
      const channel = wanted.find((each) => free.some((number) => channelAt(number) === each));
      const number = free.find((each) => channelAt(each) === channel) ?? blocked[0];
      if (number === undefined) continue;
      renamed.set(label, number);
      for (const list of [free, blocked]) if (list.includes(number)) list.splice(list.indexOf(number), 1);
    }
  }
  return renamed;
}

/** Moves the event to a plan of its own, of the same version of the chart. */
export function adjustChart(world: World, { callId, planHash, from }: Command & { type: 'adjust-chart' }): Prediction {
  if (world.chart.hash !== from) return refused('conflict', { reason: 'chart_changed' });
  if (planHash === from) return unchanged({ updated: false });
  if (world.lockId !== null) return { ok: false, refused: [locked] };
  const next = charts[planHash]!;
  const isGone = (label: string): boolean => !isSame(world.chart, next, label);
  const isOther = (label: string): boolean => {
    const was = world.chart.placeNamed.get(label)!;
    const is = next.placeNamed.get(label);
    const terms = (place: typeof was): string =>
      [place.category, place.soldAs, place.guestsMin, place.guestsMax].join();
    return isGone(label) || is === undefined || terms(was) !== terms(is);
  };
  const inTheWay = Object.values(world.seats).filter(({ label, owner, status }) =>
    owner === null ? status === 'blocked' && isGone(label) : isOther(label),
  );
  const labels = inTheWay.map(({ label }) => label);
  if (labels.length > 0) return conflictOver(world, labels, 'seats_in_use');
  if (Object.keys(world.channelOf).some(isGone)) return refused('assignments_would_drop');
  moveTo(world, next, (label) => (isGone(label) ? null : label), isGone);
  return note(world, callId, { updated: true, planHash });
}

/** Channels in the order of their first seat that the new chart lacks. */
function droppedAssignments({ chart, channelOf }: World, isGone: (label: string) => boolean) {
  const byChannel = new Map<string, string[]>();
  for (const { label } of chart.places) {
    const channelId = channelOf[label];
    if (channelId !== undefined && isGone(label))
      byChannel.set(channelId, [...(byChannel.get(channelId) ?? []), label]);
  }
  const told = Array.from(byChannel, ([channelId, labels]) => ({ channelId, count: labels.length, labels }));
  return told.length > 0 ? { droppedAssignments: told } : {};
}

/** Whether a seat is another seat on the next chart, or a seat of another section, category or kind. */
function isMoved(from: Chart, label: string, to: Chart, place: string | null): boolean {
  if (place === null) return false;
  const was = from.placeNamed.get(label)!;
  const is = to.placeNamed.get(place)!;
  const facts = ({ objectId, section, category, kinds }: typeof was): string =>
    [objectId, section, category, ...kinds].join();
  return facts(was) !== facts(is);
}

/** Whether the label is the same seat on both charts: it is sold in the same way, as one or as a place of its own. */
function isSame(from: Chart, to: Chart, label: string): boolean {
  const isWhole = (chart: Chart): boolean | undefined => {
    const place = chart.places.find((each) => each.label === label);
    return place && place.soldAs !== 'individual';
  };
  return isWhole(from) === isWhole(to);
}

/** `placeOf` gives the label on the next chart. Assignments to channels follow labels alone (`isGone`). */
function moveTo(
  world: World,
  next: Chart,
  placeOf: (label: string) => string | null,
  isGone: (label: string) => boolean,
): void {
  const keep = (labels: string[]): string[] => labels.map(placeOf).filter((label) => label !== null);
  const moved = <Named extends { label: string }>(some: Named[]): Named[] =>
    some.flatMap((each) => {
      const label = placeOf(each.label);
      return label === null ? [] : [{ ...each, label }];
    });
  const keepEach = (calls: Record<string, string[]>): Record<string, string[]> =>
    Object.fromEntries(Object.entries(calls).map(([callId, labels]) => [callId, keep(labels)]));
  const kept = Object.fromEntries(moved(Object.values(world.seats)).map((seat) => [seat.label, seat]));
  for (const hold of world.holds) {
    hold.claims = moved(hold.claims);
    hold.booked = moved(hold.booked);
    hold.released = keep(hold.released);
    hold.expired = keep(hold.expired);
    hold.releases = keepEach(hold.releases);
  }
  for (const booking of world.bookings) {
    booking.claims = moved(booking.claims) satisfies Claim[];
    booking.calls = keepEach(booking.calls);
    if (booking.chosen) booking.chosen.labels = keep(booking.chosen.labels);
  }
  for (const reservation of world.reservations) {
    reservation.labels = keep(reservation.labels);
    reservation.booked = reservation.booked.map(({ ref, labels }) => ({ ref, labels: keep(labels) }));
  }
  for (const offer of world.offers) offer.claims = moved(offer.claims);
  for (const listing of world.listings) listing.labels = keep(listing.labels);
  for (const call of world.calls) if (call.labels) call.labels = keep(call.labels);
  const assigned = Object.entries(world.channelOf);
  world.channelOf = Object.fromEntries(assigned.filter(([label]) => !isGone(label)));
  if (Object.keys(world.channelOf).length < assigned.length) world.allocationVersion++;
  world.seats = Object.fromEntries(next.places.map(({ label }) => [label, kept[label] ?? freeSeat(label)]));
  world.sectionStates = Object.fromEntries(
    Object.entries(world.sectionStates).filter(([id]) => next.scopes.includes(id)),
  );
  world.chart = next;
  dropRules(world);
}

function chartAnswer(world: World, updated: boolean): object {
  const { chart, chartVersion, now: at } = world;
  const { hash: planHash, places } = chart;
  return { updated, planHash, chartVersion, seatTotal: places.length, counts: countsOf(world), at };
}
