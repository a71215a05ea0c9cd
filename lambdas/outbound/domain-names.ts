import {
  ApiGatewayV2Client,
  CreateApiMappingCommand,
  CreateDomainNameCommand,
  DeleteApiMappingCommand,
  DeleteDomainNameCommand,
  GetApiMappingsCommand,
  GetDomainNameCommand,
  GetDomainNamesCommand,
  UpdateDomainNameCommand,
} from '@aws-sdk/client-apigatewayv2';
import { setting } from '../runtime/settings.ts';
import { type Made, madeFor, orUndefined, tagsFor, within } from './made-for-domains.ts';

// The custom domain names of domains, in API Gateway. The service touches only those that have its tags.
// https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames.html

let client: ApiGatewayV2Client | undefined;
const gateway = (): ApiGatewayV2Client => {
  client ??= new ApiGatewayV2Client({ maxAttempts: 1 });
  return client;
};

const notFound = 'NotFoundException';
/** The stage of an HTTP API that answers at the root. */
const Stage = '$default';

/** A custom domain name of the account. */
export type GatewayName = {
  readonly host: string;
  /** What the service made it for; undefined if the service did not make it. */
  readonly made: Made | undefined;
  readonly certificateArn: string | undefined;
  /** Where the DNS of the host must point. */
  readonly target: string | undefined;
  /** Whether AWS has finished changing it. */
  readonly isAvailable: boolean;
};

type NameAnswer = {
  DomainName?: string | undefined;
  Tags?: Record<string, string> | undefined;
  DomainNameConfigurations?:
    | { CertificateArn?: string | undefined; ApiGatewayDomainName?: string | undefined; DomainNameStatus?: string | undefined }[]
    | undefined;
};

function toName({ DomainName = '', Tags, DomainNameConfigurations: [configuration] = [] }: NameAnswer): GatewayName {
  return {
    host: DomainName,
    made: madeFor(Tags),
    certificateArn: configuration?.CertificateArn,
    target: configuration?.ApiGatewayDomainName,
    isAvailable: configuration?.DomainNameStatus === 'AVAILABLE',
  };
}

/** The custom domain name of a host in this account; undefined if there is none. */
export async function getGatewayName(host: string): Promise<GatewayName | undefined> {
  const found = await orUndefined(notFound, gateway().send(new GetDomainNameCommand({ DomainName: host }), within()));
  return found && toName(found);
}

/** All custom domain names of the account and region. */
export async function allGatewayNames(): Promise<GatewayName[]> {
  const names: GatewayName[] = [];
  let token: string | undefined;
  do {
    const command = new GetDomainNamesCommand({ MaxResults: '500', ...(token !== undefined && { NextToken: token }) });
    const { Items = [], NextToken } = await gateway().send(command, within());
    names.push(...Items.map(toName));
    token = NextToken;
  } while (token);
  return names;
}

/** TLS and addresses are the same as for the names of the stage (`lib/custom-domains.ts`). */
const configured = (CertificateArn: string) => ({
  CertificateArn,
  EndpointType: 'REGIONAL' as const,
  SecurityPolicy: 'TLS_1_2' as const,
  IpAddressType: 'dualstack' as const,
});

/**
 * Makes the custom domain name of a host.
 *
 * @returns false if it exists already: in this account, or in another one, because a name "must be unique within a
 *   Region across all AWS accounts"
 *   (https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-custom-domains.html).
 */
export async function makeGatewayName(host: string, certificateArn: string, made: Made): Promise<boolean> {
  const command = new CreateDomainNameCommand({
    DomainName: host,
    DomainNameConfigurations: [configured(certificateArn)],
    Tags: tagsFor(made),
  });
  try {
    await gateway().send(command, within());
    return true;
  } catch (error) {
    const { name, message } = error as Error;
    // AWS documents both errors, but not which one a taken name causes.
    if (name === 'ConflictException' || (name === 'BadRequestException' && /already exists|already associated/i.test(message)))
      return false;
    throw error;
  }
}

/** Gives a custom domain name another certificate. */
export async function changeCertificate(host: string, certificateArn: string): Promise<void> {
  const DomainNameConfigurations = [configured(certificateArn)];
  await gateway().send(new UpdateDomainNameCommand({ DomainName: host, DomainNameConfigurations }), within());
}

/** Deletes a custom domain name; no-op if it is gone. A policy refuses it for names that lack the stage's tag. */
export async function deleteGatewayName(host: string): Promise<void> {
  await orUndefined(notFound, gateway().send(new DeleteDomainNameCommand({ DomainName: host }), within()));
}

/** A path of a custom domain name that leads to an API. @property isRedirect whether it is the redirect, at the root */
export type Mapping = { readonly id: string; readonly isRedirect: boolean };

/** The mappings of a custom domain name; none if it is gone. */
export async function mappingsOf(host: string): Promise<Mapping[]> {
  const found = await orUndefined(
    notFound,
    gateway().send(new GetApiMappingsCommand({ DomainName: host, MaxResults: '200' }), within()),
  );
  return (found?.Items ?? []).map(({ ApiMappingId = '', ApiId, ApiMappingKey = '', Stage: stage }) => ({
    id: ApiMappingId,
    isRedirect: ApiId === setting('REDIRECT_API_ID') && ApiMappingKey === '' && stage === Stage,
  }));
}

/** Maps a custom domain name to the redirect; no-op if something is mapped there already. */
export async function mapToRedirect(host: string): Promise<void> {
  const command = new CreateApiMappingCommand({ DomainName: host, ApiId: setting('REDIRECT_API_ID'), Stage });
  await orUndefined('ConflictException', gateway().send(command, within()));
}

/** Deletes a mapping; no-op if it is gone. */
export async function deleteMapping(host: string, ApiMappingId: string): Promise<void> {
  await orUndefined(notFound, gateway().send(new DeleteApiMappingCommand({ DomainName: host, ApiMappingId }), within()));
}
