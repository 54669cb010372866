/**
 * The deployment secret: the same at every front door, and the same after a restart. `PARTERRE_SECRET` sets it. For a
 * deployment without the setting, NATS keeps a secret in the KV bucket CLUSTER, beside the layout. Shards make it: a
 * front door, which talks to strangers, has no right to write to the bucket.
 *
 * States: absent → kept; no service changes a kept secret. A shard that starts creates the secret where it is absent.
 * One of several concurrent creations succeeds. A failure at a shard's awaits is thrown: the process ends and is
 * started again. Front doors wait: they read again and again until the secret is there, also after failures, and log a
 * line now and then. The leader of the bucket's stream answers all reads, so a new secret is never missed.
 */
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { type KV, Kvm } from '@nats-io/kv';
import { Fault } from '../protocol/errors.ts';
import { randomText } from '../protocol/ids.ts';
import { names } from '../protocol/subjects.ts';
import type { NatsConnection } from './nats.ts';
import { type LayoutPorts, untilFound } from './standing-layout.ts';

const SECRET = 'secret';
const SECRET_LENGTH = 48;
const KEY_BYTES = 32;

/** The kept secret, made where it is absent. The bucket exists since the layout was settled. */
export async function settleSecret(nats: NatsConnection): Promise<string> {
  const bucket = await open(nats);
  const kept = await read(bucket);
  if (kept) return kept;
  const made = randomText(SECRET_LENGTH);
  try {
    await bucket.create(SECRET, made);
    return made;
  } catch (error) {
    const others = await read(bucket);
    if (others) return others;
    throw new Fault('keep the secret of the deployment', error);
  }
}

/** Waits for the secret without a time limit. */
export function awaitSecret({ nats, clock, log }: LayoutPorts): Promise<string> {
  const words =
    'still without a deployment secret: restart an inventory-shard, which makes one, or set PARTERRE_SECRET';
  return untilFound({ clock, log }, words, async () => read(await open(nats)));
}

function open(nats: NatsConnection): Promise<KV> {
  return new Kvm(nats).open(names.clusterBucket);
}

async function read(bucket: KV): Promise<string | null> {
  const entry = await bucket.get(SECRET);
  return entry?.operation === 'PUT' ? entry.string() : null;
}

/**
 * The key of one use of the secret, by HKDF (RFC 5869): a text that was signed for one use means nothing for another.
 */
export function keyFor(
  use: 'sign-ins' | 'tickets' | 'hold ids' | 'links' | 'designer framers' | 'visitor addresses',
  secret: string,
): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `parterre ${use}`, KEY_BYTES)));
}
