/**
 * One keep-alive connection of the load generator. It costs little, because the generator shares the cores with the
 * contender: a plain socket read into one buffer, and an answer found by its Content-Length.
 */
import { connect } from 'node:net';

export type Client = {
  send(text: string): void;
  end(): void;
  /** Head and body as received. */
  onAnswer: (answer: string) => void;
  ended: Promise<void>;
};

const answerBytesMax = 64 * 1024;

export function connectClient(port: number): Promise<Client> {
  return new Promise((resolve, reject) => {
    let pending = '';
    const read = (bytes: number, buffer: Uint8Array): boolean => {
      pending += (buffer as Buffer).toString('latin1', 0, bytes);
      const size = sizeOfAnswer(pending);
      if (pending.length < size) return true;
      const answer = pending;
      pending = '';
      try {
        if (answer.length > size) throw new Error(`more than one answer: ${answer}`);
        client.onAnswer(answer);
      } catch (error) {
        socket.destroy(error as Error);
      }
      return true;
    };
    const onread = { buffer: Buffer.allocUnsafe(answerBytesMax), callback: read };
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    const ended = new Promise<void>((done, failed) => {
      socket.once('close', (hadError) => hadError || done());
      socket.once('error', failed);
    });
    // A waiting request gets the error of the end. Before the connection is open, no request waits.
    ended.catch(() => {});
    const client: Client = {
      send: (text) => void socket.write(text, 'latin1'),
      end: () => void socket.destroy(),
      onAnswer: () => {},
      ended,
    };
    socket.once('connect', () => resolve(client));
    socket.once('error', reject);
  });
}

const lengthHeader = 'Content-Length: ';

/**
 * Characters of head and body; infinite while the head is incomplete. All servers here write the header in this form.
 */
function sizeOfAnswer(text: string): number {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return Number.POSITIVE_INFINITY;
  const at = text.indexOf(lengthHeader);
  if (at < 0 || at > headEnd) throw new Error(`an answer without a Content-Length: ${text}`);
  return headEnd + 4 + Number.parseInt(text.slice(at + lengthHeader.length, at + lengthHeader.length + 10), 10);
}
