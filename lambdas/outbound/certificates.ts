import {
  ACMClient,
  type CertificateDetail,
  DeleteCertificateCommand,
  DescribeCertificateCommand,
  ListCertificatesCommand,
  ListTagsForCertificateCommand,
  RequestCertificateCommand,
  type Tag,
} from '@aws-sdk/client-acm';
import { type Made, madeFor, orUndefined, tagsFor, within } from './made-for-domains.ts';

// The certificates of domains, in AWS Certificate Manager. The service touches only those that have its tags.

let client: ACMClient | undefined;
const acm = (): ACMClient => {
  client ??= new ACMClient({ maxAttempts: 1 });
  return client;
};

const notFound = 'ResourceNotFoundException';

/**
 * Requests a certificate for a host, validated by DNS.
 *
 * @param made whose attempt is the token: "if you call RequestCertificate multiple times with the same idempotency
 *   token within one hour, ACM recognizes that you are requesting only one certificate"
 *   (https://docs.aws.amazon.com/acm/latest/APIReference/API_RequestCertificate.html).
 * @returns its ARN.
 */
export async function requestCertificate(host: string, made: Made & { readonly attempt: string }): Promise<string> {
  const { CertificateArn } = await acm().send(
    new RequestCertificateCommand({
      DomainName: host,
      ValidationMethod: 'DNS',
      IdempotencyToken: made.attempt,
      Tags: Object.entries(tagsFor(made)).map(([Key, Value]) => ({ Key, Value })),
    }),
    within(),
  );
  if (CertificateArn === undefined) throw new Error('ACM did not return the ARN of the certificate');
  return CertificateArn;
}

/**
 * A certificate as ACM describes it; undefined if there is none. "There is a delay of several seconds before you can
 * retrieve information about the new certificate", so a new one may be missing.
 */
export async function describeCertificate(CertificateArn: string): Promise<CertificateDetail | undefined> {
  const found = await orUndefined(notFound, acm().send(new DescribeCertificateCommand({ CertificateArn }), within()));
  return found?.Certificate;
}

/** A certificate that the service has made. */
export type OwnCertificate = { readonly arn: string; readonly host: string; readonly made: Made };

/** The most certificates that one call of ACM lists. */
const certificatesPerCall = 1_000;

/** The certificates that the service has requested for a host. Their tags are read one by one. */
export async function ownCertificatesFor(host: string): Promise<OwnCertificate[]> {
  const own: OwnCertificate[] = [];
  let token: string | undefined;
  do {
    const page = await listCertificates(token, certificatesPerCall);
    for (const { arn } of page.found.filter((one) => one.host === host)) {
      const made = await madeOf(arn);
      if (made) own.push({ arn, host, made });
    }
    token = page.next;
  } while (token !== undefined);
  return own;
}

/** A page of all certificates that the service has requested. @param after the `next` of the page before */
export async function ownCertificates(after: string | undefined): Promise<{ own: OwnCertificate[]; next: string | undefined }> {
  const { found, next } = await listCertificates(after, 50);
  const own: OwnCertificate[] = [];
  for (const { arn, host } of found) {
    const made = await madeOf(arn);
    if (made) own.push({ arn, host, made });
  }
  return { own, next };
}

async function listCertificates(token: string | undefined, MaxItems: number) {
  const command = new ListCertificatesCommand({ MaxItems, ...(token !== undefined && { NextToken: token }) });
  const { CertificateSummaryList = [], NextToken } = await acm().send(command, within());
  const found = CertificateSummaryList.map(({ CertificateArn = '', DomainName = '' }) => ({
    arn: CertificateArn,
    host: DomainName,
  }));
  return { found, next: NextToken };
}

/** What a certificate was made for; undefined if the service did not make it, or it is gone. */
async function madeOf(CertificateArn: string): Promise<Made | undefined> {
  const found = await orUndefined(notFound, acm().send(new ListTagsForCertificateCommand({ CertificateArn }), within()));
  return found && madeFor(Object.fromEntries((found.Tags ?? []).map(({ Key, Value }: Tag) => [Key, Value])));
}

/**
 * Deletes a certificate of the service; no-op if it is gone. A policy refuses it for all others.
 *
 * @returns false if something uses it: "You cannot delete an ACM certificate that is being used by another Amazon Web
 *   Services service" (https://docs.aws.amazon.com/acm/latest/APIReference/API_DeleteCertificate.html).
 */
export async function deleteCertificate(CertificateArn: string): Promise<boolean> {
  try {
    await orUndefined(notFound, acm().send(new DeleteCertificateCommand({ CertificateArn }), within()));
    return true;
  } catch (error) {
    if ((error as Error).name === 'ResourceInUseException') return false;
    throw error;
  }
}
