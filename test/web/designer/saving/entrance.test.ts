/** The entrance opens one designer. Requests of the page around wait for it. */
import { expect, test } from 'vitest';
import type { PageAsks } from '../../../../web/designer/embed/messages.ts';
import { Entrance } from '../../../../web/designer/session/entrance.ts';

/** Each opening ends when the test says so. */
function door() {
  const heard: PageAsks[] = [];
  const place = { hear: (what: PageAsks) => void heard.push(what) };
  const openings: ((isOpen: boolean) => void)[] = [];
  const [taken, answers]: [string[], [number, boolean][]] = [[], []];
  const entrance = new Entrance<typeof place>({
    open: () => new Promise((resolve) => openings.push((isOpen) => resolve(isOpen ? place : null))),
    take: (token) => void taken.push(token),
    answer: (asked, opened) => void answers.push([asked, opened !== null]),
  });
  const end = async (isOpen: boolean) => {
    openings.at(-1)!(isOpen);
    await new Promise<void>((done) => void setImmediate(done));
  };
  return { entrance, heard, taken, answers, end, opened: () => openings.length };
}

const token = (id: number): PageAsks => ({ type: 'token', token: `token-${id}`, id });

test('a token that arrives during an opening goes to the place that opens, and opens no second one', async () => {
  const { entrance, heard, taken, answers, end, opened } = door();
  void entrance.open();
  entrance.hear(token(1));
  entrance.hear({ type: 'save', id: 2 });
  void entrance.open();
  expect([opened(), heard]).toEqual([1, []]);
  await end(true);
  entrance.hear(token(3));
  void entrance.open();
  expect(heard).toEqual([token(1), { type: 'save', id: 2 }, token(3)]);
  expect([opened(), taken, answers]).toEqual([1, [], []]);
});

test('of two tokens for a page without a session the first opens, and the place hears the second', async () => {
  const { entrance, heard, taken, answers, end, opened } = door();
  entrance.hear(token(1));
  entrance.hear(token(2));
  await end(true);
  expect([opened(), taken, answers, heard]).toEqual([1, ['token-1'], [[1, true]], [token(2)]]);
});

test('a token that waited for a failed opening opens again, and what else waited is refused', async () => {
  const { entrance, heard, taken, answers, end, opened } = door();
  void entrance.open();
  for (const what of [{ type: 'save', id: 1 }, { type: 'focus' }, token(2)] as const) entrance.hear(what);
  await end(false);
  expect([opened(), taken, answers]).toEqual([2, ['token-2'], [[1, false]]]);
  await end(false);
  entrance.hear(token(3));
  await end(true);
  expect([opened(), answers, heard]).toEqual([
    3,
    [
      [1, false],
      [2, false],
      [3, true],
    ],
    [],
  ]);
});

test('more requests than can wait are refused at once', async () => {
  const { entrance, heard, answers, end } = door();
  void entrance.open();
  for (let id = 1; id <= 101; id++) entrance.hear(token(id));
  expect(answers).toEqual([[101, false]]);
  await end(true);
  expect(heard).toHaveLength(100);
});
