/** A DNS server on loopback with answers from the test: enough of RFC 1035 for one question about one address. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const HEADER_BYTES = 12;

export type NameServer = {
  /** `address:port`. */
  address: string;
  /** The name of each question. IPv4 and IPv6 are two questions. */
  asked: string[];
  close(): void;
};

/**
 * `answer` returns the addresses of a name, [] where the name does not exist (NXDOMAIN), and null for no reply at all.
 */
export async function startNameServer(answer: (name: string) => string[] | null): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (question, from) => {
    const { name, type, end } = read(question);
    asked.push(name);
    const addresses = answer(name);
    if (addresses === null) return;
    const records = addresses.filter((address) => (isIPv6(address) ? TYPE_AAAA : TYPE_A) === type).map(record);
    const header = Buffer.from(question.subarray(0, HEADER_BYTES));
    // Flags: a response, recursion available; 0x8183 is NXDOMAIN.
    header.writeUInt16BE(addresses.length === 0 ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, question.subarray(HEADER_BYTES, end), ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
}

function read(question: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = question[at]!; length > 0; length = question[at]!) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: question.readUInt16BE(at + 1), end: at + 5 };
}

/** A resource record for the name in the question, with TTL 0. */
function record(address: string): Buffer {
  const data = isIPv6(address) ? bytesOfV6(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(isIPv6(address) ? TYPE_AAAA : TYPE_A, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function bytesOfV6(address: string): Buffer {
  const [left = '', right] = address.split('::');
  const words = (text: string): string[] => text.split(':').filter(Boolean);
  const before = words(left);
  const after = words(right ?? '');
  const all = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  const bytes = Buffer.alloc(16);
  for (const [index, word] of all.entries()) bytes.writeUInt16BE(Number.parseInt(word, 16), index * 2);
  return bytes;
}
