/** The other side of the benchmark of links: it answers each message with a new message of the same length. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Channel, connectTo, overPort, overRings, type WorkerSide } from './channels.ts';

async function channelHere(): Promise<Channel> {
  if (!parentPort) return connectTo(process.argv[2]!);
  const { way, toWorker, fromWorker } = workerData as WorkerSide;
  if (way === 'ring') return overRings(parentPort, fromWorker, toWorker);
  return overPort(parentPort, way === 'transfer');
}

const channel = await channelHere();
channel.hear((message) => channel.send(new Uint8Array(message.length).fill(message[0]!)));
process.on('message', () => process.send!(process.cpuUsage()));
