/**
 * The other end of nats-echo.ts: echoes messages, with the answers of one turn of the event loop in one message.
 * Argument: the NATS server's address.
 */
import { connect } from '@nats-io/transport-node';
import { decode, encode } from '@parterre/shared/protocol/wire';

const nats = await connect({ servers: process.argv[2]! });
const answers = new Map<string, { id: number; value: unknown }[]>();

function flush() {
  for (const [replyTo, values] of answers) nats.publish(replyTo, encode(values));
  answers.clear();
}

nats.subscribe('echo', {
  callback(error, message) {
    if (error) throw error;
    if (answers.size === 0) setImmediate(flush);
    const values = answers.get(message.reply!) ?? [];
    answers.set(message.reply!, values);
    for (const { id, body } of decode<{ id: number; body: unknown }[]>(message.data))
      values.push({ id, value: { holdId: 'echo', echo: body } });
  },
});
await nats.flush();
process.send!({ ready: true });

process.on('disconnect', () => process.exit(0));
