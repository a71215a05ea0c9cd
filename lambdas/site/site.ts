import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { showConsole } from './console.ts';
import { showReference } from './reference.ts';

/** Serves the pages that need no key: the console, and the reference of the API. */
export async function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  return /^\/(console|$)/.test(event.resource) ? showConsole(event) : showReference(event);
}
