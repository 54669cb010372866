/** Whether a reader has the version that an ETag names (RFC 9110, If-None-Match). Pure. */

/** `ifNoneMatch` is the whole header: a list of tags, weak ones included, or `*`. */
export function hasEtag(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',').some((each) => {
    const tag = each.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}
