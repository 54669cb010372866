/**
 * The cost of the transport alone: uWebSockets.js sends the bodies of one turn of the event loop as one NATS message to
 * a process that echoes them (nats-echo-worker.ts), and the answers of one turn come back as one message. It lacks:
 * authentication, schemas, seats, a journal, durability, and any handling of a dead worker. Argument: the NATS server's
 * address.
 */
import { App, type HttpResponse, type us_listen_socket, us_socket_local_port } from 'uWebSockets.js';
import { connect, createInbox } from '@nats-io/transport-node';
import { decode, encode } from '@parterre/shared/protocol/wire';

const nats = await connect({ servers: process.argv[2]! });
const inbox = createInbox();
const waiting = new Map<number, HttpResponse>();
let lastId = 0;
let batch: { id: number; body: unknown }[] = [];

nats.subscribe(inbox, {
  callback(error, message) {
    if (error) throw error;
    for (const { id, value } of decode<{ id: number; value: unknown }[]>(message.data)) {
      const response = waiting.get(id);
      waiting.delete(id);
      if (!response) continue;
      const answer = JSON.stringify(value);
      response.cork(() => response.writeHeader('Content-Type', 'application/json').end(answer));
    }
  },
});

function flush() {
  nats.publish('echo', encode(batch), { reply: inbox });
  batch = [];
}

App()
  .post('/*', (response) => {
    const id = ++lastId;
    let body = Buffer.alloc(0);
    waiting.set(id, response);
    response.onAborted(() => waiting.delete(id));
    response.onData((chunk, isLast) => {
      body = Buffer.concat([body, Buffer.from(chunk)]);
      if (!isLast) return;
      if (batch.length === 0) setImmediate(flush);
      batch.push({ id, body: JSON.parse(body.toString()) });
    });
  })
  .listen('127.0.0.1', 0, (socket) => {
    process.send!({ port: us_socket_local_port(socket as us_listen_socket) });
  });

process.on('disconnect', () => process.exit(0));
