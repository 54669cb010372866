/** Whether a reader has what an ETag names (RFC 9110, If-None-Match). Pure. */

/** `ifNoneMatch` is the header as it came: a list of tags, weak ones among them, or `*`. */
export function hasEtag(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',').some((each) => {
    const tag = each.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}
