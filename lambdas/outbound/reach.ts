import { canonicalHost } from '../core/host/host.ts';
import { isLoopbackHost } from '../core/host/public-host.ts';
import { optionalSetting } from '../runtime/settings.ts';
import { publicReach, type Reach } from './public-request.ts';

/** Public addresses, at ports 80 and 443. */
const webReach: Reach = { ...publicReach, isOpen: (port) => ['', '80', '443'].includes(port) };

/** This machine. Names such as `localhost` are not looked up: https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
const loopbackReach: Reach = {
  lookup: async () => [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ],
  isAllowed: isLoopbackHost,
  isOpen: () => true,
};

const onLaptop = (host: string, otherwise: Reach): Reach =>
  isLoopbackHost(host) && optionalSetting('WEBHOOK_LOOPBACK') === 'allowed' ? loopbackReach : otherwise;

/**
 * What a webhook at this host may reach. The setting allows loopback on a laptop, and changes nothing for other hosts.
 */
export const webhookReach = (host: string): Reach => onLaptop(host, webReach);

/** What a page at this host may reach, with the same exception. */
export const pageReach = (host: string): Reach => onLaptop(host, publicReach);

/**
 * What may be reached for a URL of an OpenID provider: public addresses by https, at the scheme's own port or the
 * issuer's. The same exception applies, and is the only one for http.
 *
 * @returns undefined if the URL may not be reached at all.
 */
export const providerReach = (issuer: string) => {
  const issuerPort = new URL(issuer).port;
  const reach: Reach = { ...publicReach, isOpen: (port) => port === '' || port === issuerPort };
  return ({ protocol, hostname }: URL): Reach | undefined => {
    const chosen = onLaptop(canonicalHost(hostname), reach);
    return protocol === 'https:' || chosen === loopbackReach ? chosen : undefined;
  };
};
