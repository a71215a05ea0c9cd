import { Agent, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { region } from '../template/resources.ts';

/** An error response of a DynamoDB endpoint. `name` is its code without the namespace. */
export class DynamoDbError extends Error {}

export type DynamoDb = {
  /**
   * Calls an operation of DynamoDB or DynamoDB Streams, and returns the response as it is on the wire.
   *
   * @throws DynamoDbError if the endpoint responds with an error.
   */
  call<T>(operation: string, input: object): Promise<T>;
  close(): void;
};

const streamOperations = new Set(['DescribeStream', 'GetRecords', 'GetShardIterator']);

/**
 * A minimal DynamoDB client for the host's own calls. Loading the SDK would double the start-up time, and raw stream
 * records already have the shape that Lambda passes to functions. Emulators do not check signatures.
 */
export function connect(endpoint: string): DynamoDb {
  const agent = endpoint.startsWith('https:') ? undefined : new Agent({ keepAlive: true });
  const send = endpoint.startsWith('https:') ? secureRequest : request;
  const headers = {
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Date': '20250101T000000Z',
    Authorization: `AWS4-HMAC-SHA256 Credential=local/20250101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=none`,
  };
  return {
    call: <T>(operation: string, input: object) =>
      new Promise<T>((resolve, reject) => {
        const service = streamOperations.has(operation) ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810';
        const call = send(
          endpoint,
          { method: 'POST', agent, timeout: 10_000, headers: { ...headers, 'X-Amz-Target': `${service}.${operation}` } },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('error', reject);
            response.on('end', () => {
              try {
                const result = JSON.parse(Buffer.concat(chunks).toString()) as T & {
                  __type?: string;
                  message?: string;
                  Message?: string;
                };
                if (response.statusCode === 200) return resolve(result);
                const error = new DynamoDbError(`${operation}: ${result.message ?? result.Message ?? response.statusCode}`);
                error.name = result.__type?.split('#').at(-1) ?? 'UnknownError';
                reject(error);
              } catch (error) {
                reject(error);
              }
            });
          },
        );
        call.on('timeout', () => call.destroy(new Error(`${operation}: no response from ${endpoint}`)));
        call.on('error', reject);
        call.end(JSON.stringify(input));
      }),
    close: () => agent?.destroy(),
  };
}
