/** Steps of operators and of time: blocks, settings, the event's life, charts, reads, and the same call again. */
import type { Command } from '@parterre/shared/protocol/commands';
import fc from 'fast-check';
import { charts } from '../reference/chart.ts';
import { DAY, MINUTE, type World } from '../reference/world.ts';
import { anyNumber, byAreas, fresh, type Kind, kind, oneOf, recent, seatPicks, seatsOf, weighted } from './steps.ts';

/** Only a step behind the decision of its batch names labels that the chart has not: a chart may lose labels. */
function labelsOfStep({ chart }: World, labels: string[], isDecided: boolean): string[] {
  return isDecided ? labels : labels.filter((label) => chart.placeNamed.has(label));
}

/** The name of the block that a command makes or takes back. */
function nameOfBlock(command: Command): string | null {
  if (command.type === 'block') return command.callId;
  return command.type === 'undo-block' ? command.of.callId : null;
}

const blocks: Kind[] = [
  kind('block', 5, seatPicks, (world, seats) => ({
    type: 'block',
    callId: fresh(world, 'call'),
    labels: seatsOf(world, seats),
    releaseAt: null,
    reason: null,
  })),
  kind(
    'block until',
    5,
    fc.record({ seats: seatPicks, ms: weighted([0, 1], [1, 2], [5_000, 6], [30 * MINUTE, 4]) }),
    (world, { seats, ms }) => {
      const labels = ms === 1 ? byAreas(world, seatsOf(world, seats)) : seatsOf(world, seats);
      return { type: 'block', callId: fresh(world, 'call'), labels, releaseAt: world.now + ms, reason: 'later' };
    },
  ),
  kind('block nearly all', 1, fc.integer({ min: 0, max: 12 }), (world, left) => {
    const open = Object.values(world.seats).filter(({ status }) => status === 'free');
    const labels = open.map(({ label }) => label).slice(left);
    if (labels.length === 0) return null;
    return { type: 'block', callId: fresh(world, 'call'), labels, releaseAt: null, reason: null };
  }),
  kind('unblock', 5, seatPicks, (world, seats) => {
    const labels = seats.length === 1 ? byAreas(world, seatsOf(world, seats)) : seatsOf(world, seats);
    const blocked = Object.values(world.seats).find(({ status }) => status === 'blocked');
    return { type: 'unblock', callId: fresh(world, 'call'), labels: blocked ? [...labels, blocked.label] : labels };
  }),
  kind('block in a batch', 3, fc.record({ seats: seatPicks, n: anyNumber }), (world, { seats, n }) => {
    const only = n % 3 === 0 ? 'blocked' : 'free';
    const labels = labelsOfStep(world, seatsOf(world, seats), only === 'blocked');
    const blocked = Object.values(world.seats).filter(({ status }) => status === 'blocked');
    const named = blocked.length > 0 && n % 2 === 0 ? [...labels, blocked[0]!.label] : labels;
    const terms = { releaseAt: n % 5 === 0 ? world.now + MINUTE : null, reason: 'batch', fingerprint: 'batch' };
    if (named.length === 0) return null;
    const callId = fresh(world, 'call');
    return only === 'free'
      ? { type: 'block', callId, labels: named, ...terms, only }
      : { type: 'block', callId, labels: named, releaseAt: terms.releaseAt, reason: 'batch', only };
  }),
  kind('take a batch back', 3, anyNumber, (world, n, sent) => {
    const named = new Set(recent(world, sent).map(({ command }) => nameOfBlock(command)));
    const ofBatches = world.calls.filter(
      ({ callId, fingerprint, as }) => fingerprint === 'batch' && as === 'blocked' && named.has(callId),
    );
    const callId = n % 4 === 0 ? fresh(world, 'call') : oneOf(ofBatches, n)?.callId;
    if (callId === undefined) return null;
    return { type: 'undo-block', callId: fresh(world, 'call'), of: { callId, fingerprint: 'batch' } };
  }),
  kind('unblock in a batch', 2, fc.record({ seats: seatPicks, n: anyNumber }), (world, { seats, n }) => {
    const step = n % 2 === 0 ? 'check' : 'decided';
    const labels = labelsOfStep(world, seatsOf(world, seats), step === 'decided');
    if (labels.length === 0) return null;
    return { type: 'unblock', callId: fresh(world, 'call'), labels, step };
  }),
  kind('unblock all', 2, fc.constant(0), (world) => ({ type: 'unblock', callId: fresh(world, 'call'), labels: null })),
];

const settings: Kind[] = [
  kind(
    'set the hold window',
    2,
    weighted([null, 1], [10, 1], [2 * MINUTE, 3], [90 * MINUTE, 1]),
    (world, holdTtlMs) => ({ type: 'set-hold-ttl', callId: fresh(world, 'call'), holdTtlMs }),
  ),
  kind('set the currency', 2, weighted(['EUR', 1], ['USD', 1]), (world, currency) => ({
    type: 'configure',
    callId: fresh(world, 'call'),
    currency,
  })),
  kind(
    'set section states',
    3,
    fc.array(fc.tuple(anyNumber, weighted(['open', 1], ['closed', 2], ['hidden', 2])), { maxLength: 2 }),
    (world, picks) => {
      const states = picks.map(
        ([n, state]) =>
          [
            n % 31 === 0
              ? 'attic'
              : oneOf(
                  world.chart.scopes.filter((scope) => scope !== 'east'),
                  n,
                )!,
            state,
          ] as const,
      );
      return { type: 'configure', callId: fresh(world, 'call'), sectionStates: Object.fromEntries(states) };
    },
  ),
  kind(
    'set the times of the sale',
    4,
    fc.record({
      start: weighted([null, 5], [5_000, 3], [20 * MINUTE, 1], [undefined, 2]),
      end: weighted([null, 5], [8_000, 1], [30 * MINUTE, 2], [undefined, 2]),
    }),
    (world, { start, end }) => {
      const at = (ms: number | null) => (ms === null ? null : world.now + ms);
      const saleSettings = {
        ...(start !== undefined && { salesStartAt: at(start) }),
        ...(end !== undefined && { salesEndAt: at(end) }),
      };
      return { type: 'configure', callId: fresh(world, 'call'), saleSettings };
    },
  ),
  ...(['close', 'reopen', 'archive', 'unarchive'] as const).map((move) =>
    kind(move, { close: 1, reopen: 8, archive: 0.7, unarchive: 8 }[move], anyNumber, (world, n) => {
      // Mostly a move that is allowed and keeps the event active: a closed event allows few calls.
      const fits = { close: 'active', reopen: 'closed', archive: 'active', unarchive: 'archived' }[move];
      const mayResume = move === 'reopen' && world.salesPaused;
      if (world.status !== fits && !mayResume && n % 40 !== 0) return null;
      return { type: 'move', callId: fresh(world, 'call'), move };
    }),
  ),
];

const rulePick = fc.record({
  scope: anyNumber,
  mode: weighted(['hidden', 2], ['closed', 2], ['timed', 4], ['threshold', 6]),
  inMs: weighted([5_000, 4], [20 * MINUTE, 2], [0, 1]),
  pct: weighted([1, 2], [5, 4], [10, 3], [40, 2], [100, 1]),
});

const availabilities: Kind[] = [
  kind(
    'set availability',
    6,
    fc.record({
      picks: fc.array(rulePick, { maxLength: 3 }),
      keeps: weighted([true, 2], [false, 3]),
      behind: weighted([null, 4], [0, 5], [1, 1]),
    }),
    (world, { picks, keeps, behind }) => {
      const kept = keeps ? Object.entries(world.rules).map(([scope, { revealedAt: _, ...rule }]) => [scope, rule]) : [];
      const drawn = picks.map(({ scope, mode, inMs, pct }) => {
        const name = scope % 40 === 0 ? 'attic' : oneOf(world.chart.scopes, scope)!;
        const timed = mode === 'timed' && { revealAt: world.now + inMs };
        return [name, { mode, ...timed, ...(mode === 'threshold' && { thresholdPct: pct }) }];
      });
      const rules = Object.fromEntries([...kept, ...drawn]);
      const version = behind === null ? {} : { version: world.rulesVersion - behind };
      return { type: 'set-availability', callId: fresh(world, 'call'), rules, ...version };
    },
  ),
  kind('read availability', 1, fc.constant(0), () => ({ type: 'availability' })),
];

const hashes = Object.keys(charts);
const updates: Kind[] = [
  ...hashes.map((planHash) =>
    kind(
      `update to ${planHash}`,
      1.4,
      fc.record({ step: weighted([1, 8], [0, 1], [-1, 1]), n: anyNumber }),
      (world, { step, n }) => {
        const chartVersion = world.chartVersion + step;
        const named = [...Object.keys(world.rules), ...Object.keys(world.sectionStates)];
        // As a publish does, often to a chart that lacks named divisions.
        const isRefresh = n % 6 === 0 || (n % 4 !== 0 && named.some((id) => !charts[planHash]!.scopes.includes(id)));
        const more = isRefresh ? ({ onlyIfIdle: true } as const) : {};
        const acknowledged = {
          acknowledgeDroppedAssignments: true,
          acknowledgeMoved: n % 5 !== 0,
          reason: 'the hall was rebuilt',
        };
        const { chartId = 'cht_1' } = world;
        // A late publish of a chart that the event has left names that chart.
        const fromChart = world.chartId !== undefined && n % 11 === 0 ? 'cht_0' : chartId;
        const ofChart = n % 7 === 0 ? {} : { chartId: n % 9 === 0 ? 'cht_2' : chartId, fromChart };
        const call = { callId: fresh(world, 'call'), planHash, chartVersion, ...ofChart };
        return { type: 'update-chart', ...call, ...acknowledged, ...more };
      },
    ),
  ),
  kind('adjust the chart', 4, anyNumber, (world, n) => {
    const planHash = oneOf(hashes, n)!;
    const from = n % 20 === 0 ? 'another-plan' : world.chart.hash;
    return { type: 'adjust-chart', callId: fresh(world, 'call'), planHash, from };
  }),
];

const reads: Kind[] = [
  kind('count', 2, fc.constant(0), () => ({ type: 'count' })),
  kind('report', 2, fc.constant(0), () => ({ type: 'report' })),
];

const again: Kind = kind('the same call again', 9, anyNumber, (world, n, sent) => {
  return oneOf(recent(world, sent).slice(n % 3 === 0 ? 0 : -4), n)?.command ?? null;
});

export const eventKinds: readonly Kind[] = [...blocks, ...settings, ...availabilities, ...updates, ...reads, again];

/** The next time of the clock: a little later, at a deadline, just before or after one, or a day later. */
export type Passing = { how: 'a bit' | 'to a deadline' | 'a day'; n: number; off: -1 | 0 | 1 };

export const passing: fc.Arbitrary<Passing> = fc.record({
  how: weighted(['a bit', 12], ['to a deadline', 20], ['a day', 1]),
  n: anyNumber,
  off: weighted([-1, 1], [0, 2], [1, 1]),
});

export function passedTo(world: World, { how, n, off }: Passing): number {
  if (how === 'a bit') return world.now + 1 + (n % 3_000);
  if (how === 'a day') return world.now + DAY + (n % MINUTE);
  const ahead = deadlines(world).filter((at) => at + off > world.now);
  const next = oneOf(ahead.sort((a, b) => a - b).slice(0, 3), n);
  return next === undefined ? world.now + 1 : next + off;
}

function deadlines(world: World): number[] {
  const holds = world.holds.filter(({ status }) => status === 'active').map(({ expiresAt }) => expiresAt);
  const windows = world.releases.flatMap(({ startsAt, endsAt }) => [startsAt ?? [], endsAt ?? []].flat());
  const reveals = Object.values(world.rules).flatMap(({ revealAt, revealedAt }) =>
    revealedAt ? [] : (revealAt ?? []),
  );
  const { salesStartAt = [], salesEndAt = [] } = world.saleSettings;
  const sale = [
    salesStartAt,
    salesEndAt,
    Object.values(world.channels).flatMap((channel) => channel.salesStartAt ?? []),
  ];
  const reserved = world.reservations.flatMap(({ state, until }) => (state === 'active' ? until : []));
  return [
    ...holds,
    ...windows,
    ...reveals,
    ...sale.flat(),
    ...reserved,
    ...Object.values(world.seats).flatMap(({ freeAt }) => freeAt ?? []),
  ];
}
