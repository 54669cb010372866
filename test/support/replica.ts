/**
 * A replica of an event on a manual clock. The test gives the shards' answers and reads the frames that viewers got.
 */

import { compilePlan } from '@parterre/shared/charts/compile';
import type { EventView } from '@parterre/shared/protocol/answers';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import { packStatuses } from '@parterre/shared/protocol/packed-statuses';
import type { UnitStatus } from '@parterre/shared/protocol/records';
import { expect } from 'vitest';
import { Replica, type ReplicaPorts } from '../../services/frontdoor/src/feeds/replica.ts';
import { Shelf } from '../../services/frontdoor/src/feeds/shelf.ts';
import type { Batch, Crowd } from '../../services/frontdoor/src/feeds/teller.ts';
import { TellingTurns } from '../../services/frontdoor/src/feeds/telling-turns.ts';
import { buyerAudience, publicAudience, serverAudience } from '../../services/frontdoor/src/pictures/rules/audience.ts';
import { chart, row } from './charts.ts';
import { ManualClock } from './manual-clock.ts';

const plan = compilePlan(chart([row({ seatCount: 4 })]), 'hash');
export const otherPlan = compilePlan(chart([row({ seatCount: 2 })]), 'other');
export const label = (unit: number) => plan.labels.at(unit);
export const publicCrowd: Crowd = { audience: publicAudience, wire: 'text' };
/** Viewers who may buy from one channel only. */
export const promoters: Crowd = {
  audience: buyerAudience({ channelIds: ['chn'], includePublic: false }),
  wire: 'text',
};
export const servers: Crowd = { audience: serverAudience, wire: 'text' };
type Frame = {
  type: string;
  snapshotVersion: number;
  seats?: Record<string, string>;
  changes?: { label: string; status: string }[];
  resumed?: boolean;
  stale?: boolean;
};

export const lostRecords = refuse('journal_lost_records', 'lost');

export function setUp() {
  const clock = new ManualClock();
  const published: Frame[] = [];
  const toPromoters: Frame[] = [];
  const toServers: Frame[] = [];
  const told = new Map([
    [publicCrowd.audience, published],
    [promoters.audience, toPromoters],
    [serverAudience, toServers],
  ]);
  const latest = { version: 10, isKnown: true, isHalted: false, asked: 0 };
  const publishing = { takesMs: 0 };
  const batches: Batch[] = [publicCrowd, promoters, servers].map((crowd) => ({
    ...crowd,
    size: 1,
    heard: { version: 0, at: 0, presence: null, stale: false },
  }));
  const views: ((view: Outcome<EventView>) => void)[] = [];
  const ports: ReplicaPorts = {
    clock,
    turns: new TellingTurns(clock),
    viewOf: () => new Promise((resolve) => views.push(resolve)),
    async versionOf() {
      latest.asked++;
      if (latest.isHalted) return lostRecords;
      return latest.isKnown ? done(latest.version) : refuse('shard_unavailable', 'not now', { retryable: true });
    },
    planOf: async (hash) => (hash === 'other' ? otherPlan : plan),
    publish: (batch, frame) => {
      clock.pass(publishing.takesMs);
      told.get(batch.audience)!.push(JSON.parse(frame as string));
    },
    batches: () => batches,
    onEventStatus: () => {},
    onNews: () => {},
    onFault: (error) => {
      throw error;
    },
  };
  const replica = new Replica('gala', ports, new Shelf(1024 * 1024).of('gala'));
  const view = (version: number, ...statuses: number[]): Outcome<EventView> =>
    done({
      version,
      updatedAt: 1,
      planHash: statuses.length === 2 ? 'other' : 'hash',
      status: 'active',
      salesPaused: false,
      unitCount: statuses.length,
      statuses: packStatuses(Uint8Array.from(statuses)),
    });
  return {
    clock,
    replica,
    published,
    toPromoters,
    toServers,
    publishing,
    latest,
    views,
    view,
    /** Catches up to version 10 with every unit free. No frame counts yet. */
    async start() {
      const ready = replica.catchUp();
      views.shift()!(view(10, 0, 0, 0, 0));
      expect((await ready).ok).toBe(true);
      published.length = 0;
      toPromoters.length = 0;
      toServers.length = 0;
    },
    /** The first frame of a viewer that joins after every earlier change was sent. */
    first(resumeFrom: number | null, crowd: Crowd = publicCrowd): Frame {
      clock.advance(50);
      const [frame, ...more] = replica.firstFrames(crowd, resumeFrom);
      expect(more).toEqual([]);
      return JSON.parse(frame as string);
    },
  };
}

export const change = (from: number, to: number, ...changed: [unit: number, status: UnitStatus][]): FeedChange => ({
  from,
  to,
  at: to,
  units: changed.map(([unit]) => unit),
  statuses: changed.map(([, status]) => status),
});

export const settled = () => new Promise((resolve) => setImmediate(resolve));
