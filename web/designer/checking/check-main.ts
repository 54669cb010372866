/** The thread that checks the document: the server's own rules for publishing, and what they let pass. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { draftSeatTotal } from '@parterre/shared/charts/places';
import { publishIssues } from '@parterre/shared/charts/publish-issues';
import { unitsPerChartMax } from '@parterre/shared/protocol/limits';
import { config } from 'zod';
import { lostTierLabels } from '../labelling/tier-labels.ts';
import { type Checked, type CheckingRequest, Receiver, type Warning } from './messages.ts';

// The policy of the page's files forbids code from texts, which would be faster.
config({ jitless: true });

/** Labels that a warning names. */
const NAMED_MAX = 5;

const receiver = new Receiver();
/** The types of a page have the window in this place. */
const thread = self as unknown as {
  onmessage: (event: MessageEvent<CheckingRequest>) => void;
  postMessage(checked: Checked): void;
};

thread.onmessage = ({ data }) => {
  if (data.type === 'objects') receiver.add(data);
  else thread.postMessage(checkedBy(receiver.document(data)));
};

function checkedBy(document: ChartDocument): Checked {
  const issues = publishIssues(document);
  const isTooLarge = draftSeatTotal(document) > unitsPerChartMax;
  return { issues, warnings: isTooLarge ? [] : warningsOf(document) };
}

function warningsOf(document: ChartDocument): Warning[] {
  return lostTierLabels(document).map(({ category, tier, labels }) => ({
    category: category.label,
    tier: tier.name,
    labels: labels.slice(0, NAMED_MAX),
    more: Math.max(labels.length - NAMED_MAX, 0),
  }));
}
