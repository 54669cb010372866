/** The thread that checks the document gets each object once, and has the whole document at each check. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bowl } from '../../../../scripts/generate-charts.mjs';
import { type CheckingRequest, Receiver, Sender } from '../../../../web/designer/checking/messages.ts';
import { chart, row } from '../../../support/charts.ts';
import { changedBy, drawnVenue, someSteps } from '../drawn.ts';

/** As the browser copies messages. */
const copied = (message: CheckingRequest): CheckingRequest => structuredClone(message);

/** Sends all messages, or the first few alone. */
function sent(sender: Sender, receiver: Receiver, document: ChartDocument, most = Infinity): ChartDocument | null {
  let count = 0;
  for (const message of sender.messages(document, 2)) {
    const asked = copied(message);
    if (asked.type === 'check') return receiver.document(asked);
    receiver.add(asked);
    if (++count >= most) return null;
  }
  return null;
}

test('the thread has the document of each check, whatever was changed, undone or interrupted before', () => {
  const walk = fc.array(fc.tuple(someSteps(), fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined })), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(drawnVenue(), walk, (first, steps) => {
      const sender = new Sender();
      const receiver = new Receiver();
      let document = first;
      expect(sent(sender, receiver, document)).toEqual(document);
      for (const [changes, interrupted] of steps) {
        const before = document;
        document = changedBy(document, changes);
        sent(sender, receiver, document, interrupted);
        expect(sent(sender, receiver, document)).toEqual(document);
        expect(sent(sender, receiver, before)).toEqual(before);
      }
    }),
  );
});

test('an edit sends the changed objects alone', () => {
  const sender = new Sender();
  const receiver = new Receiver();
  const document = bowl();
  sent(sender, receiver, document);
  const edited = { ...document, objects: document.objects.with(3, row({ id: 'other', label: 'Other' })) };
  const messages = [...sender.messages(edited, 2)];
  expect(messages.flatMap((each) => (each.type === 'objects' ? each.objects : []))).toHaveLength(1);
  expect(messages.at(-1)).toMatchObject({ type: 'check', bare: { objects: [] } });
});

test('a document without objects is checked too', () => {
  expect(sent(new Sender(), new Receiver(), chart([]))).toEqual(chart([]));
});
