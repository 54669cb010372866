/** A journal as its owner writes it: an epoch record, then commits, each with the link of the message before it. */
import type { JetStreamClient } from '@nats-io/jetstream';
import { type Link, linkOf, textOfLink } from '@parterre/shared/protocol/journal/links';
import { encodeEpochRecord } from '@parterre/shared/protocol/journal/messages';
import { subjects } from '@parterre/shared/protocol/subjects';
import { type Change, commitMessage, type StoredMessage } from './stored-messages.ts';

export class LinkedJournal {
  readonly messages: StoredMessage[] = [];
  readonly #partition: number;
  #link: Link;

  /** `before`: the messages of a journal that this one goes on with, or the identity of a new stream. */
  constructor(partition: number, before: string | readonly StoredMessage[]) {
    this.#partition = partition;
    if (typeof before === 'string') {
      this.#link = linkOf(before);
      const epoch = { epoch: 1, owner: 'me', at: 1, low: 0, stream: before, link: this.#link };
      this.#add({ seq: 1, subject: subjects.epoch(partition), data: encodeEpochRecord(epoch) });
    } else {
      this.#link = linkOf(before.at(-1)!.data);
      this.messages.push(...before);
    }
  }

  /** The link of the last message, as a position has it. */
  get link(): string {
    return textOfLink(this.#link);
  }

  commit(...changes: Change[]): StoredMessage {
    const message = commitMessage(this.messages.length + 1, changes, this.#partition, this.#link);
    this.#add(message);
    return message;
  }

  #add(message: StoredMessage): void {
    this.messages.push(message);
    this.#link = linkOf(message.data);
  }
}

export async function append(client: JetStreamClient, messages: readonly StoredMessage[]): Promise<void> {
  for (const { subject, data } of messages) await client.publish(subject, data);
}
