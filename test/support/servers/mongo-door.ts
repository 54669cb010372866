/**
 * The door of a MongoDB server: it asks for a password (SCRAM-SHA-256, RFC 5802) and, with TLS, for a client
 * certificate. Behind the door is an empty database that takes commands and keeps nothing. The real server of the tests
 * (mongo.ts) may know neither users nor certificates.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { BSON } from 'mongodb';

export type MongoDoor = { port: number; close(): Promise<void> };
type Document = Record<string, unknown>;
type Exchange = { opening: string; nonce: string };
type User = { user: string; password: string };

const HEADER_BYTES = 16;
const OP_MSG = 2013;
const OP_QUERY = 2004;
const OP_REPLY = 1;
const ITERATIONS = 4096;
const salt = randomBytes(16);

export async function openMongoDoor(known: User, tls?: TlsOptions): Promise<MongoDoor> {
  const sockets = new Set<Socket>();
  const take = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket, known);
  };
  const server = tls ? createTlsServer(tls, take) : createServer(take);
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

function serve(socket: Socket, known: User): void {
  const answer = createAnswers(known);
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 4 && pending.length >= pending.readInt32LE(0)) {
      const length = pending.readInt32LE(0);
      const id = pending.readInt32LE(4);
      const code = pending.readInt32LE(12);
      const body = pending.subarray(HEADER_BYTES, length);
      pending = pending.subarray(length);
      // An old-fashioned query comes once, to say hello: flags, "admin.$cmd" with its end, two numbers, the command.
      const command = code === OP_QUERY ? body.subarray(body.indexOf(0, 4) + 9) : body.subarray(5);
      const found = BSON.deserialize(command.subarray(0, command.readInt32LE(0))) as Document;
      socket.write(message(id, code === OP_QUERY, BSON.serialize(answer(found))));
    }
  });
}

function message(id: number, toQuery: boolean, document: Uint8Array): Buffer {
  const lead = Buffer.alloc(toQuery ? 20 : 5);
  if (toQuery) lead.writeInt32LE(1, 16);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + lead.length + document.length, 0);
  header.writeInt32LE(id, 8);
  header.writeInt32LE(toQuery ? OP_REPLY : OP_MSG, 12);
  return Buffer.concat([header, lead, document]);
}

const hello = {
  ok: 1,
  helloOk: true,
  ismaster: true,
  isWritablePrimary: true,
  minWireVersion: 0,
  maxWireVersion: 21,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  saslSupportedMechs: ['SCRAM-SHA-256'],
};
const failed = { ok: 0, errmsg: 'Authentication failed.', code: 18, codeName: 'AuthenticationFailed' };

/** The answers to one connection. */
function createAnswers(known: User): (command: Document) => Document {
  let exchange: Exchange | null = null;
  let isIn = false;
  return (command) => {
    const [name = ''] = Object.keys(command);
    if (name === 'hello' || name === 'isMaster' || name === 'ismaster') return hello;
    if (name === 'saslStart') {
      exchange = begin(textOf(command.payload));
      const payload = `r=${exchange.nonce},s=${salt.toString('base64')},i=${ITERATIONS}`;
      return { ok: 1, conversationId: 1, done: false, payload: new BSON.Binary(Buffer.from(payload)) };
    }
    if (name === 'saslContinue') {
      const proof = exchange && proven(exchange, textOf(command.payload), known);
      if (!proof) return failed;
      isIn = true;
      return { ok: 1, conversationId: 1, done: true, payload: new BSON.Binary(Buffer.from(`v=${proof}`)) };
    }
    if (!isIn) return { ok: 0, errmsg: `Command ${name} requires authentication`, code: 13, codeName: 'Unauthorized' };
    return name === 'listCollections' ? { ok: 1, cursor: { id: 0n, ns: 'shop.$cmd', firstBatch: [] } } : { ok: 1 };
  };
}

function textOf(payload: unknown): string {
  return Buffer.from((payload as BSON.Binary).buffer).toString('utf8');
}

function begin(first: string): Exchange {
  const opening = first.replace(/^n,,/, '');
  return { opening, nonce: `${/r=([^,]+)/.exec(opening)![1]}${randomBytes(18).toString('base64')}` };
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The server's signature where the proof is right and belongs to the known user, else null. */
function proven({ opening, nonce }: Exchange, last: string, { user, password }: User): string | null {
  const [, withoutProof = '', proof = ''] = /^(.*),p=(.*)$/.exec(last) ?? [];
  const challenge = `r=${nonce},s=${salt.toString('base64')},i=${ITERATIONS}`;
  const conversation = `${opening},${challenge},${withoutProof}`;
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const stored = createHash('sha256').update(hmac(salted, 'Client Key')).digest();
  const signature = hmac(stored, conversation);
  const clientKey = Buffer.from(proof, 'base64').map((byte, index) => byte ^ signature[index]!);
  const isRight = timingSafeEqual(createHash('sha256').update(clientKey).digest(), stored);
  if (!isRight || !opening.startsWith(`n=${user},`) || !withoutProof.includes(`r=${nonce}`)) return null;
  return hmac(hmac(salted, 'Server Key'), conversation).toString('base64');
}
