import { networkOf } from '../core/host/ip-address.ts';
import { steadyTime } from './instant.ts';
import { loggedRequest } from './logged-request.ts';
import { optionalSetting } from './settings.ts';

/** A request that got its response. */
type Access = {
  readonly method: string;
  /** Without the query, which may hold anything. */
  readonly path: string;
  readonly host?: string;
  readonly status: number | undefined;
  /** When it began, by the steady clock. */
  readonly since: number;
  readonly sourceIp: string;
};

/** How much of a path is logged: a visitor may send 10 kB. */
const longestPath = 200;

/** Logs a request if the stage wants that. Only the network of the address is logged, because many people share it. */
export function logAccess({ path, since, sourceIp, ...access }: Access): void {
  if (!optionalSetting('ACCESS_LOGS')) return;
  console.info({
    message: 'access',
    ...loggedRequest(),
    ...access,
    path: path.slice(0, longestPath),
    ms: Math.round(steadyTime() - since),
    network: networkOf(sourceIp),
  });
}
