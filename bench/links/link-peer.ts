/** The other side of the benchmark of links: it answers each message with a new message of the same length. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Channel, connectTo, overPort, overRings, overWaitedRings, type WorkerSide } from './channels.ts';

async function channelHere(): Promise<Channel> {
  if (!parentPort) return connectTo(process.argv[2]!);
  const { way, toWorker, fromWorker } = workerData as WorkerSide;
  if (way === 'ring-wait') return overWaitedRings(fromWorker, toWorker);
  if (way === 'ring-port') return overRings(parentPort, fromWorker, toWorker);
  return overPort(parentPort, way === 'port-transfer');
}

const channel = await channelHere();
channel.hear((message) => channel.send(new Uint8Array(message.length).fill(message[0]!)));
process.on('message', () => process.send!(process.cpuUsage()));
// The loop of a worker that waits by Atomics would end.
setInterval(() => {}, 1 << 30);
