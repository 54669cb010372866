/**
 * `npx parterre copies STREAM N`: sets how many servers keep a stream, a bucket (`KV_…`) or an object store (`OBJ_…`).
 * NATS copies in the background. The command waits for the copies, and tells which servers have to catch up.
 *
 * States: asked → changed → copied: the exit code is 0; or not copied after `copiedMs`: the exit code is 1, and NATS
 * goes on copying. Failure at each await: the stream has no leader, or does not exist → `Refused` with the reason,
 * within seconds; the servers are too few → `Refused`, and the copies stay as they are; NATS is lost behind the change
 * → the same command may be given again.
 */
import { JetStreamApiCodes, JetStreamApiError, type StreamInfo } from '@nats-io/jetstream';
import { Refused, wordsOf } from '../backup/refused.ts';
import { factOf, type Looking } from './gather.ts';
import { copiesWords, wholeCopies } from './rules/copies.ts';

const copiesMost = 5;
const copiedMs = 60_000;
const lookMs = 500;
const sayEveryMs = 5_000;

export async function setCopies(
  looking: Looking,
  stream: string,
  copies: string,
): Promise<{ facts: Record<string, unknown>; isBad: boolean }> {
  const wanted = Number(copies);
  if (!/^\d$/.test(copies) || wanted < 1 || wanted > copiesMost) throw new Refused('Copies are a number from 1 to 5.');
  const { config } = await infoOf(looking, stream);
  const before = config.num_replicas;
  try {
    await looking.manager.streams.update(stream, { ...config, num_replicas: wanted });
  } catch (error) {
    throw new Refused(`${stream} keeps its copies (${before}): ${wordsOf(error)}.`);
  }
  const upToDate = await untilCopied(looking, stream, wanted);
  return { facts: { stream, before, copies: wanted, upToDate }, isBad: upToDate < wanted };
}

/** The copies that are up to date when all are, or after `copiedMs`. */
async function untilCopied(looking: Looking, stream: string, wanted: number): Promise<number> {
  const startedAt = performance.now();
  let saidAt = startedAt;
  for (;;) {
    const info = await looking.manager.streams.info(stream).catch(() => null);
    const fact = info && { ...factOf(info), copiesWanted: wanted };
    const whole = fact === null ? 0 : wholeCopies(fact);
    const now = performance.now();
    if (whole >= wanted) return wanted;
    const isOver = now - startedAt >= copiedMs;
    if (isOver || now - saidAt >= sayEveryMs) {
      saidAt = now;
      looking.say(`${stream} ${fact === null ? 'does not answer now' : `has ${copiesWords(fact)}`}`);
    }
    if (isOver) {
      looking.say('Start the missing NATS server again: NATS goes on copying.');
      return whole;
    }
    await new Promise((resolve) => void setTimeout(resolve, lookMs));
  }
}

async function infoOf({ manager }: Looking, stream: string): Promise<StreamInfo> {
  try {
    return await manager.streams.info(stream);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) {
      throw new Refused(`There is no stream ${stream}. \`npx parterre doctor\` names those with too few copies.`);
    }
    throw new Refused(
      `${stream} does not answer: it has no leader while most of its servers are away. ` +
        'Start the missing NATS server again, then give this command again.',
    );
  }
}
