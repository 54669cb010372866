/** The thread that reads a chart file, as the server will read it, before anything is saved. */
import { importChart } from '@parterre/shared/charts/imports/imports';
import { config } from 'zod';
import type { ReadAnswer, ReadRequest } from './reader.ts';

// The policy of the page forbids code from texts, which would be faster.
config({ jitless: true });

/** The types of a page have the window in this place. */
const thread = self as unknown as {
  onmessage: (event: MessageEvent<ReadRequest>) => void;
  postMessage(answer: ReadAnswer): void;
};

thread.onmessage = ({ data }) => {
  const { bytes, format, encoding } = data;
  const outcome = importChart(new Uint8Array(bytes), { format, name: null, encoding });
  thread.postMessage(
    outcome.kind === 'imported'
      ? { kind: 'read', document: outcome.document, report: outcome.report }
      : { kind: 'failed', failure: outcome.fault },
  );
};
