/**
 * Availability rules: the divisions that are hidden from buyers or closed to them, and those that time and sales open
 * for good.
 */
import type { Command } from '@parterre/shared/protocol/commands';
import type { AvailabilityRules } from '@parterre/shared/protocol/records';
import type { ReferencePlace } from './chart.ts';
import { done, type Prediction, placeOf, unchanged, type World } from './world.ts';

type Rule = AvailabilityRules[string];

function stateUnder({ mode, revealedAt }: Rule): 'open' | 'closed' | 'hidden' {
  if (mode === 'closed') return 'closed';
  return mode !== 'hidden' && revealedAt !== undefined ? 'open' : 'hidden';
}

function scopesThatAre(world: World, state: 'closed' | 'hidden'): string[] {
  const byRule = Object.entries(world.rules).filter(([, rule]) => stateUnder(rule) === state);
  const byState = Object.entries(world.sectionStates).filter(([, each]) => each === state);
  return [...new Set([...byRule, ...byState].map(([scope]) => scope))].sort();
}

/** Hidden wins over closed, and either over open. */
export function shownAvailability(world: World): object {
  const hidden = scopesThatAre(world, 'hidden');
  const closed = scopesThatAre(world, 'closed').filter((scope) => !hidden.includes(scope));
  return { rules: structuredClone(world.rules), hidden, closed, version: world.rulesVersion };
}

/** Whether none of the place's divisions is hidden or closed. */
export function isForBuyers(world: World, { scopes }: ReferencePlace): boolean {
  const off = [...scopesThatAre(world, 'hidden'), ...scopesThatAre(world, 'closed')];
  return !scopes.some((scope) => off.includes(scope));
}

/** Whether one of the place's divisions is hidden. */
export function isHiddenFromBuyers(world: World, label: string): boolean {
  return placeOf(world, label).scopes.some((scope) => scopesThatAre(world, 'hidden').includes(scope));
}

export function availability(world: World): Prediction {
  return unchanged(shownAvailability(world));
}

export function setAvailability(world: World, command: Command & { type: 'set-availability' }): Prediction {
  const { callId, rules: drafts, version } = command;
  const isUnknown = Object.keys(drafts).some((scope) => !world.chart.scopes.includes(scope));
  const isStale = version !== undefined && version !== world.rulesVersion;
  if (isUnknown || isStale) {
    const codes = [...(isUnknown ? ['invalid_request'] : []), ...(isStale ? ['conflict'] : [])];
    return { ok: false, refused: codes.map((code) => ({ code, reason: code })) };
  }
  const before = world.rules;
  world.rules = {};
  for (const [scope, draft] of Object.entries(drafts)) {
    const known = before[scope];
    const isSame =
      known?.mode === draft.mode && known.revealAt === draft.revealAt && known.thresholdPct === draft.thresholdPct;
    const revealedAt = isSame ? known.revealedAt : undefined;
    world.rules[scope] = revealedAt === undefined ? { ...draft } : { ...draft, revealedAt };
  }
  world.rulesVersion++;
  openByTime(world);
  openBySales(world);
  // A repetition is answered with the present rules.
  world.calls.push({ callId, labels: null, as: 'rules', answer: null });
  return done(shownAvailability(world));
}

export function openByTime(world: World): void {
  for (const rule of Object.values(world.rules)) {
    if (rule.mode === 'timed' && rule.revealedAt === undefined && rule.revealAt! <= world.now)
      rule.revealedAt = world.now;
  }
}

/** A threshold is a share of all units that no hidden or threshold rule covers. */
export function openBySales(world: World): void {
  const ruled = Object.keys(world.rules).filter((scope) => ['hidden', 'threshold'].includes(world.rules[scope]!.mode));
  const counted = world.chart.places.filter(({ scopes }) => !scopes.some((scope) => ruled.includes(scope)));
  const booked = counted.filter(({ label }) => world.seats[label]!.status === 'booked').length;
  if (counted.length === 0) return;
  for (const rule of Object.values(world.rules)) {
    const isReached = rule.mode === 'threshold' && booked / counted.length >= rule.thresholdPct! / 100;
    if (isReached && rule.revealedAt === undefined) rule.revealedAt = world.now;
  }
}

/** Drops the rules of divisions that the chart lacks, which makes a new version of the rules. */
export function dropRules(world: World): void {
  const kept = Object.entries(world.rules).filter(([scope]) => world.chart.scopes.includes(scope));
  if (kept.length < Object.keys(world.rules).length) world.rulesVersion++;
  world.rules = Object.fromEntries(kept);
}
