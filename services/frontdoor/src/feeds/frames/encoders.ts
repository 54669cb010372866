/** The encoders of frames, by wire. */

import { packStatuses } from '@parterre/shared/protocol/packed-statuses';
import { encodeKept } from '@parterre/shared/protocol/wire';
import { type Audience, jsonWithSeats, objectsOf, type Picture, unitsId } from '../../pictures/pictures.ts';
import type { Encoder, Wire } from './frame.ts';

const protocol = 1;

/** The text frames: JSON with `type` and `protocol`. Pure. */
const textFrames: Encoder = {
  pong: JSON.stringify({ type: 'pong', protocol }),
  hidden: ({ hidden, closed }) => JSON.stringify({ type: 'hidden', protocol, hidden, closed }),
  allocation: (allocationVersion) => JSON.stringify({ type: 'allocation', protocol, allocationVersion }),
  presence: (presence) => JSON.stringify({ type: 'presence', protocol, ...presence }),
  activity: (entries) => JSON.stringify({ type: 'activity', protocol, entries }),
  snapshot(picture, snapshotVersion, audience, stale) {
    const head = { type: 'snapshot', protocol, snapshotVersion, ...(stale && { stale }) };
    return snapshotJson(head, picture, audience);
  },
  delta(picture, snapshotVersion, audience, changes, resumed) {
    const ga = picture.freePlaces(audience, changes.areas(audience));
    const bookedValue = picture.bookedValueFor(audience);
    const rest = {
      ...(Object.keys(ga).length === 0 ? {} : { ga }),
      ...(bookedValue === null ? {} : { bookedValue }),
      ...(resumed ? { resumed: true } : {}),
    };
    const tail = JSON.stringify(rest).slice(1);
    const head = `{"type":"delta","protocol":${protocol},"snapshotVersion":${snapshotVersion}`;
    return `${head},"changes":[${changes.text(audience)}]${tail === '}' ? '' : ','}${tail}`;
  },
};

function snapshotJson(head: object, picture: Picture, audience: Audience): string {
  const objects = objectsOf(picture.plan, picture.shownTo(audience), audience, true);
  const { hidden, closed } = picture.scopes;
  return jsonWithSeats(
    { ...head, default: objects.default, hidden, closed, ga: picture.freePlaces(audience) },
    objects,
  );
}

/**
 * The frames of `parterre.v1.bin`. They have the content of the text frames, each as a msgpack map whose `t` names the
 * kind. A unit is named by its number in the chart that the audience gets. A snapshot has 2 bits for each unit, a delta
 * pairs of number and status. Pure.
 */
const binaryFrames: Encoder = {
  pong: encodeKept({ t: 'o' }),
  hidden: ({ hidden, closed }) => encodeKept({ t: 'h', hidden, closed }),
  allocation: (version) => encodeKept({ t: 'a', a: version }),
  presence: (presence) => encodeKept({ t: 'p', ...presence }),
  activity: (entries) => encodeKept({ t: 'l', entries }),
  snapshot(picture, version, audience, stale) {
    const { hidden, closed } = picture.scopes;
    const { index, count } = picture.numbering(audience.words);
    const shown = picture.shownTo(audience);
    const listed = index === null ? shown : shown.filter((_, unit) => index[unit] !== -1);
    return encodeKept({
      t: 's',
      v: version,
      u: unitsId(picture, audience.words),
      n: count,
      s: packStatuses(listed),
      hidden,
      closed,
      ga: picture.freePlaces(audience),
      ...(stale && { stale }),
    });
  },
  delta(picture, version, audience, changes, resumed) {
    const ga = picture.freePlaces(audience, changes.areas(audience));
    const bookedValue = picture.bookedValueFor(audience);
    const rest = {
      ...(Object.keys(ga).length === 0 ? {} : { ga }),
      ...(bookedValue === null ? {} : { bookedValue }),
      ...(resumed ? { resumed } : {}),
    };
    return encodeKept({ t: 'd', v: version, c: changes.pairs(audience), ...rest });
  },
};

export const encoders: Record<Wire, Encoder> = { text: textFrames, binary: binaryFrames };
