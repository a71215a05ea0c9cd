import { findJava, startDynamoDbLocal } from './dynamodb-local.ts';
import { findEmbedded, startEmbedded } from './embedded-engine.ts';
import type { Engine, EngineOptions } from './engine-types.ts';

type Found = { readonly name: 'embedded'; readonly binary: string } | { readonly name: 'dynamodb-local'; readonly java: string };

const installJava = 'install a JDK, Java 17 or newer (https://adoptium.net)';
const installEmbedded = 'put "dynoxide" on the PATH (https://github.com/nubo-db/dynoxide)';

/**
 * Starts the engine that `findEngine` finds.
 *
 * @throws Error with a one-line message if there is no engine, or if it does not start.
 */
export function startEngine(options: EngineOptions): Promise<Engine> {
  const found = findEngine();
  return found.name === 'embedded' ? startEmbedded(found.binary, options) : startDynamoDbLocal(found.java, options);
}

/**
 * Finds the embedded engine, or, if there is none for this platform, Java for AWS's DynamoDB Local. `LINKS_ENGINE` asks
 * for one of the two: `embedded` or `dynamodb-local`.
 *
 * @throws Error with a one-line message that says what to install.
 */
export function findEngine(): Found {
  const wanted = process.env.LINKS_ENGINE || undefined;
  if (wanted !== undefined && wanted !== 'embedded' && wanted !== 'dynamodb-local') {
    throw new Error(`LINKS_ENGINE is "${wanted}": use "embedded" or "dynamodb-local"`);
  }
  const binary = wanted === 'dynamodb-local' ? undefined : findEmbedded();
  if (binary) return { name: 'embedded', binary };
  const java = wanted === 'embedded' ? undefined : findJava();
  if (java) return { name: 'dynamodb-local', java };
  const toInstall = { embedded: installEmbedded, 'dynamodb-local': installJava, any: `${installJava}, or ${installEmbedded}` };
  const missing = wanted ? `LINKS_ENGINE is "${wanted}", which is not here` : `no database engine for ${platform()}`;
  throw new Error(`${missing}: ${toInstall[wanted ?? 'any']}`);
}

const platform = () => `${process.platform}-${process.arch}`;
