/**
 * Commands of the catalog to the actors of events: the catalog goes on with the work of front doors. Such commands are
 * rare, so each has a message and an inbox of its own. A front door's dispatcher has the fast way.
 *
 * States of a command: asked → answered, or asked again. It is asked again after `moved`, after a silence of
 * `silenceMs`, when nobody listens for its partition, and when its event had no journal yet and was created meanwhile.
 * Every copy has the same names, so a second copy has no second effect (I5). Only the answer of the last copy counts:
 * an earlier copy may be refused although a later copy succeeds, and a success is found again by its name.
 *
 * On failure, at each await: the store cannot be read → it throws, and nothing was asked; the layout is not there yet,
 * the link is closed, or no answer comes → asked again until the deadline, then refused with `shard_unavailable`.
 */

import type { Caller, Command, Reply, ReplyPart } from '@parterre/shared/protocol/commands';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { retryPauseMs } from '@parterre/shared/protocol/limits';
import { ReplyParts } from '@parterre/shared/protocol/reply-parts';
import { subjects } from '@parterre/shared/protocol/subjects';
import { decode, encode } from '@parterre/shared/protocol/wire';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import { hearing, type NatsConnection, newInbox } from '@parterre/shared/runtime/nats';
import type { Placement } from '@parterre/shared/runtime/placement';
import { tracing } from '@parterre/shared/runtime/tracing';
import { unheard } from '@parterre/shared/runtime/unheard';
import { configOf } from '../events/rules/event-draft.ts';
import { readRecord } from '../projections/event-records.ts';
import { events } from '../store/collections.ts';
import type { AskEvent } from '../store/operations.ts';
import type { Store } from '../store/store.ts';

export type AskPorts = {
  nats: NatsConnection;
  store: Store;
  clock: Clock;
  /** Null while the deployment has no layout. */
  placement: () => Placement | null;
};

const silenceMs = 2_000;
/** The status code of NATS' "no responders" message. */
const noResponders = 503;
const byTimer: Caller = { source: 'timer', actor: null, accessSource: 'public' };
const late = unheard('shard_unavailable', 'The inventory of this event', 'harmless');

export function createAskEvent(ports: AskPorts): AskEvent {
  const { store, clock } = ports;
  let lastId = 0;

  /** One copy: its answer, or null where it must be asked again. */
  async function askOnce(eventKey: string, command: Command, caller: Caller, waitMs: number): Promise<Reply | null> {
    const place = ports.placement();
    const event = await store.get(events, eventKey);
    if (!event) return { id: 0, kind: 'refused', refusal: unknownEvent.refusal };
    if (!place || ports.nats.isClosed()) return null;
    const partition = place({ key: eventKey, region: event.value.region });
    const id = ++lastId;
    const trace = tracing?.current()?.traceparent;
    const payload = encode([{ id, eventKey, caller, command, ...(trace !== undefined && { trace }) }]);
    return firstReply(ports, subjects.commands(partition), payload, id, waitMs);
  }

  /** Makes the inventory of an event that the journal does not have yet. */
  async function create(eventKey: string, deadlineAt: number): Promise<Outcome<unknown>> {
    const event = await store.get(events, eventKey);
    if (!event) return unknownEvent;
    const config = configOf(await readRecord(store, event));
    return ask(eventKey, { type: 'create', config }, byTimer, deadlineAt);
  }

  async function ask(eventKey: string, command: Command, caller: Caller, deadlineAt: number): Promise<Outcome<never>> {
    for (let left = deadlineAt - clock.elapsed(); left > 0; left = deadlineAt - clock.elapsed()) {
      const reply = await askOnce(eventKey, command, caller, Math.min(left, silenceMs));
      switch (reply?.kind) {
        case 'ok':
          return done(reply.value as never);
        case 'refused':
          return { ok: false, refusal: reply.refusal };
        case 'absent': {
          const created = await create(eventKey, deadlineAt);
          if (!created.ok) return created;
          break;
        }
        default:
          await pause(clock, retryPauseMs);
      }
    }
    return late;
  }

  return ask as AskEvent;
}

const unknownEvent = refuse('not_found', 'There is no such event. Check its key.');

/** Sends a batch of one command. Null after `waitMs`, or when no shard listens. Rejects for an unreadable reply. */
export function firstReply(
  { nats, clock }: Pick<AskPorts, 'nats' | 'clock'>,
  subject: string,
  payload: Uint8Array,
  id: number,
  waitMs: number,
): Promise<Reply | null> {
  const parts = new ReplyParts();
  // A shard sends the answers to one caller as one message. The last token of the address does not name the caller.
  const inbox = `${newInbox(nats)}.1`;
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      cancel();
      answers.unsubscribe();
      settle();
    };
    const onReplies = (bytes: Uint8Array): void => {
      const told = decode<Reply[] | ReplyPart>(bytes);
      if ('bytes' in told) {
        const whole = parts.add(told);
        if (whole) onReplies(whole);
        return;
      }
      const reply = told.find((each) => each.id === id);
      if (reply) end(() => resolve(reply.kind === 'moved' ? null : reply));
    };
    const answers = nats.subscribe(inbox, {
      callback: hearing(({ data, headers }) => {
        if (data.length === 0 && headers?.code === noResponders) {
          end(() => resolve(null));
          return;
        }
        try {
          onReplies(data);
        } catch (error) {
          end(() => reject(new Fault(`read the reply of a shard on ${subject}`, error)));
        }
      }),
    });
    const cancel = clock.after(waitMs, () => end(() => resolve(null)));
    nats.publish(subject, payload, { reply: inbox });
  });
}
