import { AuthorizationType, type Integration, type Method, type RestApi, type TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway';

/**
 * Adds `/mcp`, the Model Context Protocol. GET and DELETE are for sessions, which it does not have: the function
 * refuses them as the protocol requires.
 *
 * @param integration with the function of the protocol.
 * @returns the method that does the work.
 */
export function addMcp(api: RestApi, integration: Integration, authorizer: TokenAuthorizer): Method {
  const resource = api.root.resourceForPath('/mcp');
  const options = { authorizer, authorizationType: AuthorizationType.CUSTOM, apiKeyRequired: true };
  for (const method of ['GET', 'DELETE']) resource.addMethod(method, integration, options);
  return resource.addMethod('POST', integration, options);
}
