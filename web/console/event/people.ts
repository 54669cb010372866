/**
 * The words for who has done something. The server tells the emails of colleagues to owners alone: other roles read
 * their ids.
 *
 * States: unread → reading → read. Emails that cannot be read leave the ids. An answer after the end is dropped.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import type { Ports } from '../view.ts';

type UserPage = { users: readonly { id: string; email: string }[]; nextCursor?: string };

export class People {
  readonly #ports: Ports;
  readonly #left = new AbortController();
  readonly #emails = new Map<string, string>();
  #isRead = false;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  close(): void {
    this.#left.abort();
  }

  /** `actor` is the id of a user, a key or a session; null for a buyer and for the event itself. */
  wordsFor(source: string, actor: string | null): string {
    const { who, words } = this.#ports;
    const { text } = words;
    if (actor === who.user.id) return text('bookings.by.you', { email: who.user.email });
    if (source === 'timer') return text('bookings.by.timer');
    if (source === 'buyer') return text('bookings.by.buyer');
    if (source !== 'operator') return text('bookings.by.server', { id: actor ?? '' });
    if (!this.#isRead && roleHas(who.user.role, 'administer')) void this.#read();
    return this.#emails.get(actor ?? '') ?? text('bookings.by.operator', { id: actor ?? '' });
  }

  async #read(): Promise<void> {
    this.#isRead = true;
    for (let cursor: string | undefined; ; ) {
      const query = new URLSearchParams({ limit: '200', ...(cursor !== undefined && { cursor }) });
      const answer = await this.#ports.server.get<UserPage>(`dashboard/users?${query}`, this.#left.signal);
      if (!answer.ok || this.#left.signal.aborted) return;
      for (const { id, email } of answer.value.users) this.#emails.set(id, email);
      this.#ports.changed();
      cursor = answer.value.nextCursor;
      if (cursor === undefined) return;
    }
  }
}
