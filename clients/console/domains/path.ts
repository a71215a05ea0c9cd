import type { Domain } from '../service/types.ts';

type DnsRecord = Domain['records'][number];
type Certificate = NonNullable<Domain['certificate']>;

/** A step of a managed domain after its ownership. @property isNext whether it is the current one */
export type PathStep = {
  readonly name: 'certificate' | 'name' | 'traffic' | 'active';
  readonly isDone: boolean;
  readonly isNext: boolean;
  readonly title: string;
  readonly record?: DnsRecord | undefined;
};

type ManagedDomain = Pick<Domain, 'domain'> & { readonly certificate: Certificate };

/**
 * What a managed domain needs after its ownership is proven, in order. The records show how far a failed or waiting
 * certificate is.
 */
export function pathOf({ domain, certificate }: ManagedDomain): readonly PathStep[] {
  const { status, records, wasReached } = certificate;
  const traffic = records.find(({ name }) => name === domain);
  const validation = records.find((record) => record !== traffic);
  // A domain with visitors is also WAITING now and then, until AWS reports its certificate's state again.
  const isStill = status === 'WAITING' && wasReached && traffic !== undefined;
  const isServing = status === 'ACTIVE' || status === 'EXPIRING' || isStill;
  const isIssued = isServing || status === 'ISSUED' || traffic !== undefined;
  const steps = [
    {
      name: 'certificate',
      isDone: isIssued && status !== 'EXPIRING',
      title: certificateTitle(status, isIssued, validation !== undefined),
      record: validation,
    },
    {
      name: 'name',
      isDone: traffic !== undefined || isServing,
      title:
        traffic !== undefined || isServing
          ? 'The service is ready for the domain'
          : 'The service is setting up the domain: nothing for you to do',
    },
    {
      name: 'traffic',
      isDone: isServing,
      title: isServing ? 'Visitors are sent here' : traffic ? 'Send visitors here. Add this DNS record:' : 'Send visitors here',
      record: traffic,
    },
    { name: 'active', isDone: isServing, title: 'Links work' },
  ] as const;
  const next = status === 'PENDING_OWNERSHIP' ? undefined : steps.find(({ isDone }) => !isDone);
  return steps.map((step) => ({ ...step, isNext: step === next }));
}

function certificateTitle(status: Certificate['status'], isIssued: boolean, isRecordKnown: boolean): string {
  if (status === 'EXPIRING' && isRecordKnown) return 'Renew the certificate for HTTPS. Add this DNS record again:';
  if (isIssued) return 'HTTPS works: the domain has a certificate';
  if (isRecordKnown) return 'Set up HTTPS. Add this DNS record for the certificate:';
  if (status === 'PENDING_OWNERSHIP') return 'Set up HTTPS';
  return 'Set up HTTPS. The certificate is being requested; nothing to do yet';
}

/** Advice for a state that is not a step: what it means, and what to do. */
export function adviceOf({ status }: Pick<Certificate, 'status'>): string | undefined {
  switch (status) {
    case 'EXPIRING':
      return 'Links work now, but browsers will refuse them once the certificate ends. Add its DNS record again, and keep it.';
    case 'WAITING':
      return 'There is nothing for you to do: the service tries again by itself.';
    case 'FAILED':
      return 'When you have fixed that, press Check now.';
    default:
      return undefined;
  }
}
