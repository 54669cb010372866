/** The thread that checks the document: the server's own rules for publishing, and what they let pass. */
import { publishIssues } from '@parterre/shared/charts/publish-issues';
import { config } from 'zod';
import { type Checked, type CheckingRequest, Receiver } from './messages.ts';
import { warningsOf } from './warnings.ts';

// The policy of the page's files forbids code from texts, which would be faster.
config({ jitless: true });

const receiver = new Receiver();
/** The types of a page have the window in this place. */
const thread = self as unknown as {
  onmessage: (event: MessageEvent<CheckingRequest>) => void;
  postMessage(checked: Checked): void;
};

thread.onmessage = ({ data }) => {
  if (data.type === 'objects') receiver.add(data);
  else {
    const document = receiver.document(data);
    thread.postMessage({ issues: publishIssues(document), warnings: warningsOf(document) });
  }
};
