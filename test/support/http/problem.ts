/** A response that a test got over HTTP, or from a handler in this process. */
type Answered = {
  readonly status: number;
  readonly headers: Headers | Readonly<Record<string, string | number | boolean>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape.
  readonly body: any;
};

/** Expects a complete problem document (RFC 9457) with that status and code. */
export function expectProblem({ status, headers, body }: Answered, wanted: number, code: string): void {
  const text = JSON.stringify(body);
  if (status !== wanted || body?.code !== code) throw new Error(`not ${wanted} ${code}: ${status} ${text}`);
  const fields = new Headers(headers as Record<string, string>);
  const complete =
    fields.get('content-type') === 'application/problem+json' &&
    fields.get('cache-control') === 'no-store' &&
    fields.get('x-content-type-options') === 'nosniff' &&
    body.type === `urn:problem:links:${code}` &&
    body.status === wanted &&
    [body.title, body.detail, body.requestId].every((one) => typeof one === 'string' && one !== '');
  if (!complete) throw new Error(`not a complete problem document: ${JSON.stringify([...fields])} ${text}`);
}
