/**
 * Opens the room of selection rules, which an event may have for the holds of buyers. A choice seat by seat is refused
 * if it breaks a rule; best-available searches within the limits (limited-search.ts). With `highlightOnly` nothing is
 * refused, and the answer tells the broken rules. Servers and operators pass.
 */
import { nameOfLabel, placeTextsIn } from '@parterre/shared/charts/place-names';
import { categoryOf, isArea, labelsOf, neighboursOf, objectOf } from '@parterre/shared/charts/plan';
import type { Caller } from '@parterre/shared/protocol/commands';
import type { Line } from '@parterre/shared/protocol/records';
import { maskOf } from '../reach/reach.ts';
import { type Hold, heldLines, quantityOfLines, type ReadState, unitsOfLines } from '../state/state.ts';
import { brokenBy, numbersBroken, type Problem } from './broken-rules.ts';
import { orphansOf } from './orphans.ts';

/**
 * The refusal of these lines, null if they keep the event's rules, or if the rules refuse nothing. `replaced` is the
 * hold that gives its units back.
 */
export function rulesBroken(
  state: ReadState,
  caller: Caller,
  lines: readonly Line[],
  replaced?: Readonly<Hold>,
): ReturnType<typeof brokenBy> | null {
  const { selectionRules } = state.config;
  if (selectionRules === undefined || caller.source !== 'buyer' || selectionRules.highlightOnly) return null;
  const problems = problemsOf(state, caller, lines, replaced);
  const texts = placeTextsIn(caller.locale);
  return problems.length === 0 ? null : brokenBy(problems, (label) => nameOfLabel(state.plan, label, texts));
}

/**
 * The rules that these lines break, of an event whose rules refuse nothing. They are a field of the answer. A
 * repetition names the hold itself as `replaced`: single seats beside it are single already, and are not told again.
 */
export function rulesTold(
  state: ReadState,
  caller: Caller,
  lines: readonly Line[],
  replaced?: Readonly<Hold>,
): { brokenRules?: Problem[] } {
  if (state.config.selectionRules?.highlightOnly !== true || caller.source !== 'buyer') return {};
  const brokenRules = problemsOf(state, caller, lines, replaced);
  return brokenRules.length === 0 ? {} : { brokenRules };
}

function problemsOf(
  state: ReadState,
  caller: Caller,
  lines: readonly Line[],
  replaced: Readonly<Hold> | undefined,
): Problem[] {
  const { preventOrphans, categoryLimits = {}, tierLimits = {}, consecutive, ...rules } = state.config.selectionRules!;
  const labels = () => labelsOf(state.plan, unitsOfLines(lines));
  return [
    ...(preventOrphans ? orphansAmong(state, caller, lines, replaced) : []),
    ...Object.entries(categoryLimits).flatMap(([categoryKey, max]) => {
      const over = excessOf(state, lines, max, ({ unit }) => categoryOf(state.plan, unit).key === categoryKey);
      return over ? [{ rule: 'category_limit' as const, categoryKey, ...over }] : [];
    }),
    ...Object.entries(tierLimits).flatMap(([id, max]) => {
      const over = excessOf(state, lines, max, ({ tierId }) => tierId === id);
      return over ? [{ rule: 'tier_limit' as const, tierId: id, ...over }] : [];
    }),
    ...numbersBroken(rules, quantityOfLines(lines), labels),
    ...(consecutive && !areConsecutive(state, lines) ? [{ rule: 'not_consecutive' as const, labels: labels() }] : []),
  ];
}

/** The refusal of seats that the event has chosen apart, where its rules want neighbours. */
export function partedBroken(state: ReadState, caller: Caller, lines: readonly Line[]) {
  const { selectionRules } = state.config;
  if (!selectionRules?.consecutive || selectionRules.highlightOnly || caller.source !== 'buyer') return null;
  if (areConsecutive(state, lines)) return null;
  return brokenBy([{ rule: 'not_consecutive', labels: [] }], String);
}

/** Whether the seats of these lines are one run of neighbours. Places of areas and whole tables are not looked at. */
function areConsecutive({ plan }: ReadState, lines: readonly Line[]): boolean {
  const seats = new Set(unitsOfLines(lines).filter((unit) => !isArea(objectOf(plan, unit))));
  const [first] = seats;
  if (first === undefined) return true;
  const reached = [first];
  seats.delete(first);
  for (const unit of reached) {
    for (const beside of neighboursOf(plan, unit)) if (seats.delete(beside)) reached.push(beside);
  }
  return seats.size === 0;
}

function orphansAmong(
  state: ReadState,
  caller: Caller,
  lines: readonly Line[],
  replaced: Readonly<Hold> | undefined,
): Problem[] {
  // The lines exist, so the caller has a reach.
  const reach = maskOf(state, caller);
  const back = new Set(replaced ? unitsOfLines(heldLines(state, replaced)) : []);
  const taken = new Set(lines.map(({ unit }) => unit));
  const orphans = orphansOf(state, { taken, back, mask: reach.ok ? reach.value : null });
  return orphans.length === 0 ? [] : [{ rule: 'orphan_seat', labels: labelsOf(state.plan, orphans) }];
}

function excessOf({ plan }: ReadState, lines: readonly Line[], max: number, counts: (line: Line) => boolean) {
  const counted = lines.filter(counts);
  const asked = quantityOfLines(counted);
  return asked > max ? { labels: labelsOf(plan, unitsOfLines(counted)), max, asked } : null;
}
