/** The part of the Accept header (RFC 9110, 12.5.1) that the front door uses. Pure. */

/** Whether text/html is named explicitly. Programs that take any type do not name it. */
export function takesHtml(accept: string): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
