/**
 * The frames of `parterre.v1.bin`. They have the content of the text frames, each as a msgpack map whose `t` names the
 * kind. A unit is named by its number in the chart that the audience gets. A snapshot has 2 bits for each unit, a delta
 * pairs of number and status. Pure.
 */
import { packStatuses } from '@parterre/shared/protocol/packed-statuses';
import { encodeKept } from '@parterre/shared/protocol/wire';
import { unitsId } from '../../pictures/pictures.ts';
import type { Encoder } from './frame.ts';

export const binaryFrames: Encoder = {
  pong: encodeKept({ t: 'o' }),
  hidden: ({ hidden, closed }) => encodeKept({ t: 'h', hidden, closed }),
  allocation: (version) => encodeKept({ t: 'a', a: version }),
  presence: (presence) => encodeKept({ t: 'p', ...presence }),
  activity: (entries) => encodeKept({ t: 'l', entries }),
  snapshot(picture, version, audience) {
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
    });
  },
  delta(picture, version, audience, changes, resumed) {
    const ga = picture.freePlaces(audience, changes.areas(audience));
    const gross = picture.bookedValueFor(audience);
    const rest = {
      ...(Object.keys(ga).length === 0 ? {} : { ga }),
      ...(gross === null ? {} : { bookedValue: { gross } }),
      ...(resumed ? { resumed } : {}),
    };
    return encodeKept({ t: 'd', v: version, c: changes.pairs(audience), ...rest });
  },
};
