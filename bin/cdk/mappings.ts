import { ApiGatewayV2Client, type DomainName, GetApiMappingsCommand, GetDomainNamesCommand } from '@aws-sdk/client-apigatewayv2';
import type { Stage } from '../../lib/stages/stages.ts';
import { type Aws, cloudFormation, resourcesIn, stackCalled } from '../shared/stacks.ts';

/** A path of a custom domain name that leads to an API of a stage. */
export type Mapping = { readonly host: string; readonly id: string };

/**
 * The mappings to a stage's APIs that none of its stacks has: those of managed domains, and those that people made. AWS
 * does not delete an API that has one (docs/aws.md, "API Gateway").
 *
 * @returns the mappings and their region.
 */
export async function mappingsOutside(stage: Stage['name'], aws: Aws): Promise<{ mappings: Mapping[]; region: string }> {
  const stacks = await cloudFormation(aws);
  const apis = new Set<string>();
  const ownNames = new Set<string>();
  for (const part of ['Api', 'Redirect']) {
    const stack = await stackCalled(stacks, `Links-${stage}-${part}`);
    for await (const { ResourceType = '', PhysicalResourceId: id = '' } of resourcesIn(stacks, stack)) {
      if (/^AWS::ApiGateway::RestApi$|^AWS::ApiGatewayV2::Api$/.test(ResourceType)) apis.add(id);
      // The id of both types is the name. Their mappings are deleted with the stack.
      if (/^AWS::ApiGateway(V2)?::DomainName$/.test(ResourceType)) ownNames.add(id);
    }
  }
  // AWS allows an account few calls a second.
  const gateway = new ApiGatewayV2Client({ ...aws, maxAttempts: 10 });
  const mappings: Mapping[] = [];
  for await (const { DomainName: host = '' } of apis.size ? names(gateway) : []) {
    if (ownNames.has(host)) continue;
    const { Items = [] } = await gateway.send(new GetApiMappingsCommand({ DomainName: host, MaxResults: '200' }));
    for (const { ApiId, ApiMappingId } of Items)
      if (ApiId && ApiMappingId && apis.has(ApiId)) mappings.push({ host, id: ApiMappingId });
  }
  return { mappings, region: await gateway.config.region() };
}

/** All custom domain names of the account and region. */
async function* names(gateway: ApiGatewayV2Client): AsyncGenerator<DomainName> {
  let token: string | undefined;
  do {
    const { Items = [], NextToken } = await gateway.send(
      new GetDomainNamesCommand({ MaxResults: '500', ...(token !== undefined && { NextToken: token }) }),
    );
    yield* Items;
    token = NextToken;
  } while (token);
}
