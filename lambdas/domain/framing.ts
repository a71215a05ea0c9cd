/**
 * Whether a page may frame a destination, as far as that is known without asking it; undefined where it is not to be asked.
 *
 * Only the port of its scheme is asked, 80 or 443: what else listens at an address is nobody's business.
 */
export function framingUnasked(framed: URL, page: URL): boolean | undefined | 'ask' {
  if (page.protocol === 'https:' && framed.protocol === 'http:') return false;
  // A policy cannot name such a host: https://www.w3.org/TR/CSP3/#grammardef-host-part
  if (/[[_]/.test(framed.hostname)) return false;
  return framed.port === '' ? 'ask' : undefined;
}

/** The headers of an answer that say who may frame it, each with all its values. */
export type FramingHeaders = { readonly xFrameOptions: readonly string[]; readonly contentSecurityPolicy: readonly string[] };

/**
 * Whether a page may frame what was answered with these headers, as browsers decide it. Where an enforced policy has `frame-ancestors`,
 * `X-Frame-Options` counts for nothing.
 *
 * @param framed where the answer came from.
 * @param page the page that would frame it.
 * @see https://www.w3.org/TR/CSP3/#directive-frame-ancestors
 * @see https://html.spec.whatwg.org/multipage/document-lifecycle.html#the-x-frame-options-header
 */
export function allowsFraming({ xFrameOptions, contentSecurityPolicy }: FramingHeaders, framed: URL, page: URL): boolean {
  const lists = contentSecurityPolicy.flatMap((value) => value.split(',')).flatMap(frameAncestors);
  if (lists.length > 0) return lists.every((sources) => sources.some((source) => matches(source, framed, page)));
  const options = new Set(xFrameOptions.flatMap((value) => value.split(',')).map((option) => option.trim().toLowerCase()));
  // Several that contradict each other refuse everybody; what is no option is passed over.
  if (options.size > 1) return !['deny', 'sameorigin', 'allowall'].some((option) => options.has(option));
  if (options.has('deny')) return false;
  return !options.has('sameorigin') || framed.origin === page.origin;
}

/** The sources of a policy's first `frame-ancestors`; nothing where it has none. */
function frameAncestors(policy: string): string[][] {
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/));
  const found = directives.find(([name]) => name?.toLowerCase() === 'frame-ancestors');
  return found ? [found.slice(1)] : [];
}

const hostSource = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::(\d+|\*))?(?:\/.*)?$/i;

/** Whether a source expression names the page (https://www.w3.org/TR/CSP3/#match-url-to-source-expression). */
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

/** `http:` stands for `https:` too. */
const isScheme = (scheme: string, { protocol }: URL): boolean =>
  scheme === protocol || (scheme === 'http:' && protocol === 'https:');

const isHost = (host: string, { hostname }: URL): boolean =>
  host === '*' || (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : host === hostname);

/** A URL has no port where it is its scheme's own. */
const isPort = (port: string | undefined, page: URL): boolean =>
  port === '*' || (port ?? '') === page.port || (page.port === '' && port === (page.protocol === 'https:' ? '443' : '80'));
