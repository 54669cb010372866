/** One call that has to succeed, for the benchmark's preparations. */
export async function post<T>(url: string, body: unknown, token = 'none'): Promise<T> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${answer}`);
  return JSON.parse(answer) as T;
}
