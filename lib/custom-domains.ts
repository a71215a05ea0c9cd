import { CfnOutput, Stack } from 'aws-cdk-lib';
import {
  type CfnDomainName,
  type CfnRestApi,
  DomainName,
  EndpointAccessMode,
  EndpointType,
  type RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import {
  ApiMapping,
  type HttpApi,
  DomainName as HttpDomainName,
  SecurityPolicy as HttpSecurityPolicy,
  IpAddressType,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate, CertificateValidation, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AaaaRecord,
  ARecord,
  HostedZone,
  type IAliasRecordTarget,
  type IHostedZone,
  RecordTarget,
} from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain, ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import { everyName, isServed } from '../lambdas/core/domain/served-names.ts';
import type { CustomDomain } from './stages/settings.ts';
import type { Stage } from './stages/stages.ts';

// The gateways' names, TLS and addresses. docs/decisions/0049 has the reasons.

/**
 * TLS 1.3 or 1.2, and only suites with forward secrecy. `STRICT` refuses requests whose `Host` isn't the name in the
 * TLS handshake. AWS's own name for an API has TLS 1.0 unless the API has a policy, which its custom domains follow,
 * too: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html,
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies-list.html
 */
const tls = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: EndpointAccessMode.STRICT,
} as const;

/**
 * IPv4 and IPv6. The default is IPv4 only:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-ip-address-type.html
 */
const dualStack = { types: [EndpointType.REGIONAL], ipAddressType: IpAddressType.DUAL_STACK };

/**
 * Gives AWS's own name of a REST API the same TLS and addresses as a custom domain. Changing these, or switching the
 * name on or off, takes effect with a new deployment of the API, which the CDK makes for each change of the API's
 * properties: https://docs.aws.amazon.com/apigateway/latest/developerguide/rest-api-disable-default-endpoint.html
 */
export function harden(api: RestApi): void {
  Object.assign(api.node.defaultChild as CfnRestApi, { ...tls, endpointConfiguration: dualStack });
}

/** The custom domain of a REST API, which serves all of the API at its root. @returns its certificate */
export function addApiDomain(api: RestApi, domain: CustomDomain): ICertificate {
  const { name } = domain;
  const scope = new Construct(api.stack, 'api-domain');
  const zone = zoneOf(scope, domain);
  const certificate = certificateOf(scope, domain, zone);
  const domainName = new DomainName(scope, 'name', {
    domainName: name,
    certificate,
    endpointType: EndpointType.REGIONAL,
    mapping: api,
    ...tls,
  });
  (domainName.node.defaultChild as CfnDomainName).endpointConfiguration = dualStack;
  if (zone) addRecords(scope, name, zone, new ApiGatewayDomain(domainName));
  else addTarget(api.stack, 'ApiDnsTarget', name, domainName.domainNameAliasDomainName);
  return certificate;
}

/**
 * A custom domain of an HTTP API. AWS allows it only one policy, TLS 1.2, which accepts TLS 1.3 too:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-custom-domain-tls-version.html
 *
 * @returns its certificate
 */
export function addHttpDomain(api: HttpApi, domain: CustomDomain): ICertificate {
  const { name } = domain;
  const scope = new Construct(Stack.of(api), name);
  const zone = zoneOf(scope, domain);
  const certificate = certificateOf(scope, domain, zone);
  const domainName = new HttpDomainName(scope, 'name', {
    domainName: name,
    certificate,
    securityPolicy: HttpSecurityPolicy.TLS_1_2,
    ipAddressType: IpAddressType.DUAL_STACK,
  });
  new ApiMapping(scope, 'mapping', { api, domainName });
  const { regionalDomainName, regionalHostedZoneId } = domainName;
  if (zone) addRecords(scope, name, zone, new ApiGatewayv2DomainProperties(regionalDomainName, regionalHostedZoneId));
  else addTarget(scope, 'DnsTarget', name, regionalDomainName);
  return certificate;
}

const zoneOf = (scope: Construct, { name, hostedZoneId }: CustomDomain): IHostedZone | undefined =>
  hostedZoneId === undefined ? undefined : HostedZone.fromHostedZoneAttributes(scope, 'zone', { hostedZoneId, zoneName: name });

/**
 * The certificate of a name: the operator's, or one that the stack makes. If the name's zone is in Route 53 and in this
 * account, CloudFormation adds the record that proves the name, and waits until the certificate is valid:
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-certificatemanager-certificate.html
 */
const certificateOf = (scope: Construct, { name, certificateArn }: CustomDomain, zone: IHostedZone | undefined): ICertificate =>
  certificateArn === undefined
    ? new Certificate(scope, 'certificate', {
        domainName: name,
        // It becomes a tag, which can't have an asterisk.
        certificateName: name.replace('*', 'wildcard'),
        validation: CertificateValidation.fromDns(zone),
      })
    : Certificate.fromCertificateArn(scope, 'certificate', certificateArn);

/** The records of a name in Route 53, for IPv4 and IPv6. */
function addRecords(scope: Construct, name: string, zone: IHostedZone, alias: IAliasRecordTarget): void {
  const props = {
    // The trailing dot makes the name absolute, so that the zone is not appended.
    recordName: `${name}.`,
    zone,
    target: RecordTarget.fromAlias(alias),
  };
  new ARecord(scope, 'record', props);
  new AaaaRecord(scope, 'record-v6', props);
}

/** Adds an output with the target for the DNS record of a name, if its zone isn't known. */
function addTarget(scope: Construct, id: string, name: string, value: string): void {
  new CfnOutput(scope, id, { description: `The target for the CNAME or alias record of ${name}`, value });
}

/**
 * The names that the redirect serves, as `isServed` takes them, without the names that the service makes for domains.
 * On a laptop, it serves every name.
 *
 * @param ownName AWS's own name for the redirect.
 */
export function servedNamesOf({ name: stage, settings }: Stage, ownName: string): readonly string[] {
  // With managed domains, only names that browsers resolve by themselves are served without a name of their own.
  if (stage === 'local') return settings.managedDomains ? ['*.localhost'] : [everyName];
  const { apiDomain, awsEndpoints } = settings;
  const names = settings.shortDomains.map(({ name }) => name);
  return [
    ...names,
    ...(awsEndpoints.redirect ? [ownName] : []),
    // The API's own custom domain overrides a wildcard that covers it.
    ...(apiDomain && isServed(apiDomain.name, names) ? [`!${apiDomain.name}`] : []),
  ];
}
