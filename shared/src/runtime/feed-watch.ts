/**
 * Tells an owner which events front doors watch. The owner publishes the changes of these events alone.
 *
 * A front door that begins to watch listens to the event's feed, then asks the owner for the view. While a replica has
 * viewers, and after each use of a replica without viewers, the front door asks for the event's version. So every use
 * of a replica is near a question. Both questions are commands, and so they find the owner by themselves.
 *
 * States of an event at its owner: watched → unwatched, `feedWatchedMs` after the last question → watched, at the next
 * question. An event whose actor is new is watched: a former owner, or the actor's former life, may have heard the
 * questions.
 *
 * - Between view and first change: the question is noted before it waits in the mailbox. Every group that is cut later
 *   is published, and the view has every group that was cut before.
 * - A question is lost: the next comes after `feedCheckMs`. The event becomes unwatched only if all of them are lost
 *   for `feedWatchedMs`.
 * - A watched event is unwatched by mistake: the next answer to a question names a newer version than the replica's,
 *   and the replica asks for the view. A reader that expects the version of an answer asks at once (I7).
 * - A front door ends: its events are published for `feedWatchedMs` more.
 *
 * Front doors of every version ask these questions, so old front doors get their changes. Questions of other callers
 * look the same, and only cost the messages.
 */
import type { Command } from '../protocol/commands.ts';
import { SECOND_MS } from './units.ts';

/** The pause between two questions for a replica in use. */
export const feedCheckMs = 10 * SECOND_MS;
/** A front door keeps a replica without viewers for this time after its last use. */
export const replicaIdleMs = 60 * SECOND_MS;
/**
 * A replica without viewers lives for at most `replicaIdleMs` + `feedCheckMs` after its last question. The rest is for
 * lost questions and late timers.
 */
export const feedWatchedMs = 90 * SECOND_MS;

/** Whether a front door that watches the event sends such a command. */
export function showsWatcher({ type }: Command): boolean {
  return type === 'count' || type === 'view';
}
