/** Lists of the server, page by page, and the search through the audit. */
import { expect, test } from 'vitest';
import { type Entry, entriesFound } from '../../../web/console/frame/audit-entries.ts';
import { Listing, type PageOf } from '../../../web/console/frame/listing.ts';
import type { Result } from '../../../web/src/sale/calls.ts';

type AskedPage = { cursor: string | undefined; answer(result: Result<PageOf<string>>): void };

function listOf(): { list: Listing<string>; asked: AskedPage[] } {
  const asked: AskedPage[] = [];
  const list = new Listing<string>(
    (cursor) => new Promise((resolve) => asked.push({ cursor, answer: resolve })),
    () => {},
  );
  return { list, asked };
}

const page = (items: string[], next?: string): Result<PageOf<string>> => ({ ok: true, value: { items, next } });
const refused: Result<never> = { ok: false, status: 0, problem: { code: 'no_answer' } };
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a list reads on behind its last page, and again where a page failed', async () => {
  const { list, asked } = listOf();
  asked[0]!.answer(page(['a'], 'next'));
  await settled();
  expect([list.state, list.items]).toEqual(['shown', ['a']]);
  void list.more();
  asked[1]!.answer(refused);
  await settled();
  expect([list.state, list.items]).toEqual(['failed', ['a']]);
  void list.more();
  expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, 'next', 'next']);
  asked[2]!.answer(page(['b']));
  await settled();
  expect([list.state, list.items]).toEqual(['shown', ['a', 'b']]);
});

test('a page that comes after a newer beginning is dropped, and so is one after the list was left', async () => {
  const { list, asked } = listOf();
  list.reread();
  asked[1]!.answer(page(['new']));
  await settled();
  asked[0]!.answer(page(['old']));
  await settled();
  expect(list.items).toEqual(['new']);
  list.reread();
  list.close();
  asked[2]!.answer(page([]));
  await settled();
  expect(list.items).toEqual(['new']);
});

test('the audit finds entries by every word of person, address, thing and facts', () => {
  const entry = (action: string, email: string, facts: Record<string, unknown>): Entry => {
    const by = { kind: 'user', id: 'usr_1', address: '10.0.0.7', requestId: 'req_1', email };
    return { id: action, at: 1, action, by, subject: 'key_1', outcome: 'done', facts };
  };
  const entries = [entry('key.create', 'ada@x.example', { prefix: 'sk_live_ab' }), entry('login', 'bob@x.example', {})];
  expect(entriesFound(entries, 'ADA sk_live', '')).toEqual([entries[0]]);
  expect(entriesFound(entries, '10.0.0.7', 'login')).toEqual([entries[1]]);
  expect(entriesFound(entries, 'ada login', '')).toEqual([]);
});
