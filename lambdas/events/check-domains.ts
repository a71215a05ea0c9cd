import type { Context } from 'aws-lambda';
import { timeLeft, withinInvocation } from '../deadline.ts';
import type { CheckFailure, Domain } from '../domain/domain.ts';
import { setting } from '../env.ts';
import { lookUpOwnership, lookUpTarget } from '../outbound/dns.ts';
import { provenDomains } from '../store/domains.ts';

/** How many domains are looked up at once. */
const inFlight = 20;

/** What is kept back of an invocation's time, in milliseconds: look-ups that were begun last that long at most. */
const lookUpMs = 6_000;

/**
 * Runs by a schedule: looks whether each domain still is its workspace's and leads here, and says where that is not so. It changes
 * nothing, since a DNS that is out of order for an hour must not cost anybody their links.
 */
export const handler = (_event: unknown, context: Context): Promise<{ checked: number; failed: number }> =>
  withinInvocation(context, async () => {
    const domains = provenDomains();
    let checked = 0;
    let failed = 0;
    let isCut = false;
    const worker = async () => {
      for (;;) {
        if (timeLeft() < lookUpMs) {
          isCut = true;
          return;
        }
        const { value: domain, done } = await domains.next();
        if (done || !domain) return;
        const failures = (await checksOf(domain)).filter((failure) => failure !== undefined);
        checked++;
        if (failures.length > 0) failed++;
        for (const { code, message: detail } of failures) {
          console.warn({
            message: 'a domain fails its check',
            domain: domain.host,
            workspaceId: domain.workspaceId,
            code,
            detail,
          });
        }
      }
    };
    await Promise.all(Array.from({ length: inFlight }, worker));
    if (isCut) console.warn({ message: 'not every domain was checked in time', checked });
    return { checked, failed };
  });

/** Where the operator's word was the proof there is nothing in the DNS to hold a domain to, nor where it is what makes one serve. */
const checksOf = async ({ host, token, status }: Domain): Promise<CheckFailure[]> =>
  token === null
    ? []
    : Promise.all([
        lookUpOwnership(host, token),
        status === 'ACTIVE' && setting('DOMAIN_ACTIVATION') === 'dns' ? lookUpTarget(host, setting('DOMAIN_TARGET')) : undefined,
      ]);
