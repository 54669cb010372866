/** The text frames: JSON with `type` and `protocol`. Pure. */
import { type Audience, jsonWithSeats, objectsOf, type Picture } from '../../pictures/pictures.ts';
import type { Encoder } from './frame.ts';

const protocol = 1;

export const textFrames: Encoder = {
  pong: JSON.stringify({ type: 'pong', protocol }),
  hidden: ({ hidden, closed }) => JSON.stringify({ type: 'hidden', protocol, hidden, closed }),
  allocation: (allocationVersion) => JSON.stringify({ type: 'allocation', protocol, allocationVersion }),
  presence: (presence) => JSON.stringify({ type: 'presence', protocol, ...presence }),
  activity: (entries) => JSON.stringify({ type: 'activity', protocol, entries }),
  snapshot(picture, snapshotVersion, audience) {
    return snapshotJson({ type: 'snapshot', protocol, snapshotVersion }, picture, audience);
  },
  delta(picture, snapshotVersion, audience, changes, resumed) {
    const ga = picture.freePlaces(audience, changes.areas(audience));
    const gross = picture.bookedValueFor(audience);
    const rest = {
      ...(Object.keys(ga).length === 0 ? {} : { ga }),
      ...(gross === null ? {} : { bookedValue: { gross } }),
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
