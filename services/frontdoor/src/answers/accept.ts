/** What an Accept header takes (RFC 9110, 12.5.1), as far as anybody here asks. Pure. */

/** Named as such: that anything will do is what programs say that do not care. */
export function takesHtml(accept: string): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
