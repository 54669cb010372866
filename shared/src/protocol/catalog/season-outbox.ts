/** The outbox of seasons: their own webhook occurrences, with the names, the way to the notifier, and rehearsals. */
import type { Mode } from '../records.ts';
import type { OfSeason, SeasonRecord } from './seasons.ts';

/** An occurrence of the season itself. `deliveredAt`: the first 2xx of any receiver. */
export type OutboxOccurrence = {
  occurrenceId: string;
  eventName: string;
  /** Of the payload's JSON text, as hex. */
  payloadSha256: string;
  payload: Record<string, unknown>;
  createdAt: number;
  deliveredAt: number | null;
  replayedAt: number | null;
  replayCount: number;
};

/**
 * The season, or the paused subscription, of an occurrence or delivery, with the facts by which subscriptions match.
 * They never change.
 */
export type SeasonReach = { key: string; workspaceId: string | null; environment: string | null };

/** An occurrence that the notifier is to post to every subscription that hears of it. */
export type DueOccurrence = {
  occurrenceId: string;
  season: SeasonReach;
  organisationId: string;
  mode: Mode;
  eventName: string;
  /** The time of the occurrence, or of its last replay. */
  at: number;
  /** The number of replays so far. Each posts anew. */
  replayCount: number;
  /** The JSON text of the payload. */
  body: string;
};

/** Attempts to deliver occurrences of one season. */
export type OutboxAttempts = { attempts: number; successfulAttempts: number; failedAttempts: number };

/** A hold, its booking and its cancellation, whose occurrences one subscription has received. */
export type Rehearsal = {
  holdOperationId: string;
  bookActionId: string;
  cancelActionId: string;
  subscriptionId: string;
  /** Of hold, booking and cancellation, in this order. */
  occurrenceIds: string[];
  payloadSha256: string[];
};

/** operation → [input, output]; see `SeasonOperations`. */
export type SeasonOutboxOperations = {
  'seasons.outbox': [OfSeason, { outbox: OutboxOccurrence[]; undelivered: number; truncated: boolean }];
  'seasons.outbox-numbers': [
    OfSeason,
    { undelivered: number; delivered: number; lastEventName: string | null } & OutboxAttempts,
  ];
  'seasons.replay': [OfSeason & { occurrenceId: string }, { occurrence: OutboxOccurrence }];
  /** Refused with `rehearsal_incomplete`. */
  'seasons.rehearse': [OfSeason, { season: SeasonRecord; rehearsal: Rehearsal }];
  /**
   * For the notifier: occurrences that are due, in no order. They are the caller's for `outboxLeaseMs`, and due again
   * after this time unless they are settled.
   */
  'seasons.take-due': [Record<string, never>, { due: DueOccurrence[] }];
  /** For the notifier: every delivery of the occurrence, up to this replay, is settled or queued. */
  'seasons.settle-due': [Pick<DueOccurrence, 'occurrenceId' | 'replayCount'>, { ok: true }];
};
