/**
 * Whether a page may frame a destination, as far as that is known without a request. `ask` means that a request must
 * tell; undefined, that it is unknown and no request may be sent.
 *
 * Requests go only to the scheme's own port, 80 or 443, so that the service cannot be used to scan ports.
 */
export function framingUnasked(framed: URL, page: URL): boolean | undefined | 'ask' {
  if (page.protocol === 'https:' && framed.protocol === 'http:') return false;
  // A content security policy cannot name such a host: https://www.w3.org/TR/CSP3/#grammardef-host-part
  if (/[[_]/.test(framed.hostname)) return false;
  return framed.port === '' ? 'ask' : undefined;
}

/** The response headers that say who may frame it, each with all its values. */
export type FramingHeaders = { readonly xFrameOptions: readonly string[]; readonly contentSecurityPolicy: readonly string[] };

/**
 * Whether a page may frame a response with these headers, as browsers decide. If an enforced policy has
 * `frame-ancestors`, `X-Frame-Options` is ignored.
 *
 * @param framed the URL of the response.
 * @param page the page that would frame it.
 * @see https://www.w3.org/TR/CSP3/#directive-frame-ancestors
 * @see https://html.spec.whatwg.org/multipage/document-lifecycle.html#the-x-frame-options-header
 */
export function allowsFraming({ xFrameOptions, contentSecurityPolicy }: FramingHeaders, framed: URL, page: URL): boolean {
  const lists = contentSecurityPolicy.flatMap((value) => value.split(',')).flatMap(frameAncestors);
  if (lists.length > 0) return lists.every((sources) => sources.some((source) => matches(source, framed, page)));
  const options = new Set(xFrameOptions.flatMap((value) => value.split(',')).map((option) => option.trim().toLowerCase()));
  // Contradicting options refuse everybody; unknown values alone refuse nobody.
  if (options.size > 1) return !['deny', 'sameorigin', 'allowall'].some((option) => options.has(option));
  if (options.has('deny')) return false;
  return !options.has('sameorigin') || framed.origin === page.origin;
}

/** The sources of a policy's first `frame-ancestors`, in a list of their own; an empty list if it has none. */
function frameAncestors(policy: string): string[][] {
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/));
  const found = directives.find(([name]) => name?.toLowerCase() === 'frame-ancestors');
  return found ? [found.slice(1)] : [];
}

const hostSource = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::(\d+|\*))?(?:\/.*)?$/i;

/** Whether a source expression matches the page (https://www.w3.org/TR/CSP3/#match-url-to-source-expression). */
function matches(source: string, framed: URL, page: URL): boolean {
  if (source === '*') return true;
  if (source.toLowerCase() === "'self'") return page.origin === framed.origin;
  if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return isScheme(source.toLowerCase(), page);
  const [, scheme, host, port] = hostSource.exec(source) ?? [];
  if (host === undefined) return false;
  return (
    isScheme(scheme ? `${scheme.toLowerCase()}:` : framed.protocol, page) &&
    isHost(host.toLowerCase(), page) &&
    isPort(port, page)
  );
}

/** `http:` also matches `https:`. */
const isScheme = (scheme: string, { protocol }: URL): boolean =>
  scheme === protocol || (scheme === 'http:' && protocol === 'https:');

const isHost = (host: string, { hostname }: URL): boolean =>
  host === '*' || (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : host === hostname);

/** A URL's `port` is empty if it is the scheme's default. */
const isPort = (port: string | undefined, page: URL): boolean =>
  port === '*' || (port ?? '') === page.port || (page.port === '' && port === (page.protocol === 'https:' ? '443' : '80'));
