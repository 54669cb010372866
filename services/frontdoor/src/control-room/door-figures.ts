/**
 * Adds up what each front door counts in its own memory: the refusals of an event, and the budgets near their bound.
 * A front door that is asked for a control room asks the others on core NATS, and each answers with its own figures. No
 * control room waits for the answers, except the first of an event, which waits `FIRST_WAIT_MS`: later ones have the
 * answers to the question before, which are a few seconds old.
 *
 * States of another front door's figures: unknown → told → forgotten, `TOLD_KEPT_MS` after they were told (its front
 * door ended or was cut off, or nobody asks for the event any more). Figures of an unknown form, and more than
 * `DOORS_MAX` or `FIGURES_MAX`, are not taken. A NATS whose users lack the right
 * (deploy/nats-users.conf) leaves the question unanswered, and the control room has the figures of one front door.
 */
import { wallEventsMax } from '@parterre/shared/protocol/limits';
import type { Mode } from '@parterre/shared/protocol/records';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import { z } from 'zod';
import type { RefusalCount } from './refusal-tallies.ts';

/**
 * A budget that is at least half used: `used` of `limit` until `endsAt` (epoch ms). `key` is the id of a key; null for
 * a user or a session of a console. `mode` null: of both modes.
 */
export type BudgetUse = {
  budget: string;
  key: string | null;
  mode: Mode | null;
  workspaceId: string | null;
  used: number;
  limit: number;
  endsAt: number;
};

/** The figures of one front door. `since` (epoch ms): `refusals` has all refusals since then. */
export type DoorFigures = { door: string; since: number; refusals: RefusalCount[]; budgets: BudgetUse[] };

/** The question, and the answer to it. */
export type FiguresAsked = { eventKey: string; organisationId: string };
export type FiguresTold = DoorFigures & { eventKey: string };

export type DoorFiguresPorts = {
  clock: Clock;
  /** This front door's own figures. */
  own(asked: FiguresAsked): DoorFigures;
  /** Sends the question to all front doors. */
  ask(asked: FiguresAsked): void;
};

const ASK_EVERY_MS = SECOND_MS;
const FIRST_WAIT_MS = 150;
const TOLD_KEPT_MS = 10 * SECOND_MS;
/** Front doors, and the refusals and budgets of one, whose figures are kept. */
const DOORS_MAX = 1_024;
const FIGURES_MAX = 1_000;

type FollowedEvent = { askedAt: number; told: Map<string, { figures: DoorFigures; at: number }> };

export class DoorsFigures {
  readonly #ports: DoorFiguresPorts;
  readonly #events = new Map<string, FollowedEvent>();

  constructor(ports: DoorFiguresPorts) {
    this.#ports = ports;
  }

  async of(asked: FiguresAsked): Promise<{ doors: number; since: number } & Omit<DoorFigures, 'door' | 'since'>> {
    const { clock } = this.#ports;
    const known = this.#events.get(asked.eventKey);
    const event = known ?? this.#open(asked.eventKey);
    if (clock.elapsed() - event.askedAt >= ASK_EVERY_MS) {
      event.askedAt = clock.elapsed();
      this.#ports.ask(asked);
    }
    if (!known) await pause(clock, FIRST_WAIT_MS);
    return sumOf([this.#ports.own(asked), ...this.#toldOf(event)]);
  }

  /** Takes the answer of any front door. This front door's own answer comes back too and is ignored. */
  hear({ eventKey, ...figures }: FiguresTold, ownDoor: string): void {
    if (figures.door === ownDoor) return;
    const event = this.#events.get(eventKey);
    if (!event || (!event.told.has(figures.door) && event.told.size >= DOORS_MAX)) return;
    event.told.set(figures.door, { figures: readFigures(figures), at: this.#ports.clock.elapsed() });
  }

  #open(eventKey: string): FollowedEvent {
    if (this.#events.size >= wallEventsMax) this.#events.delete(this.#events.keys().next().value!);
    const event = { askedAt: Number.NEGATIVE_INFINITY, told: new Map() };
    this.#events.set(eventKey, event);
    return event;
  }

  #toldOf({ told }: FollowedEvent): DoorFigures[] {
    const now = this.#ports.clock.elapsed();
    for (const [door, { at }] of told) if (now - at > TOLD_KEPT_MS) told.delete(door);
    return [...told.values()].map(({ figures }) => figures);
  }
}

const told = z.object({
  door: z.string(),
  since: z.number(),
  refusals: z
    .array(z.object({ code: z.string(), reason: z.string().nullable(), count: z.number(), lately: z.number() }))
    .max(FIGURES_MAX),
  budgets: z
    .array(
      z.object({
        budget: z.string(),
        key: z.string().nullable(),
        mode: z.enum(['live', 'test']).nullable(),
        workspaceId: z.string().nullable(),
        used: z.number(),
        limit: z.number(),
        endsAt: z.number(),
      }),
    )
    .max(FIGURES_MAX),
}) satisfies z.ZodType<DoorFigures>;

/** Throws for figures of another form: a front door of another release, or somebody else who speaks on NATS. */
function readFigures(figures: unknown): DoorFigures {
  return told.parse(figures);
}

/** Refusals add up. A budget that several front doors know is as used as the front door says that knows most. */
function sumOf(doors: readonly DoorFigures[]) {
  const refusals = new Map<string, RefusalCount>();
  const budgets = new Map<string, BudgetUse>();
  for (const door of doors) {
    for (const { count, lately, ...named } of door.refusals) {
      const sum = refusals.get(`${named.code} ${named.reason}`) ?? { ...named, count: 0, lately: 0 };
      sum.count += count;
      sum.lately += lately;
      refusals.set(`${named.code} ${named.reason}`, sum);
    }
    for (const use of door.budgets) {
      const name = `${use.budget} ${use.key}`;
      const known = budgets.get(name);
      if (!known || known.used / known.limit < use.used / use.limit) budgets.set(name, use);
    }
  }
  return {
    doors: doors.length,
    since: Math.max(...doors.map(({ since }) => since)),
    refusals: [...refusals.values()].sort((one, other) => other.count - one.count),
    budgets: [...budgets.values()].sort((one, other) => other.used / other.limit - one.used / one.limit),
  };
}
