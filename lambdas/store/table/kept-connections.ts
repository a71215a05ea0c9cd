import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Instant, instant, isWithin } from '../../runtime/instant.ts';
import { longestIdle } from './operations.ts';

/** An agent that keeps connections for later requests, and what its user has to call. */
export type KeptConnections = {
  readonly agent: Agent;
  /** Closes the free connections that have been idle for too long. Call it right before each request. */
  readonly closeStale: () => void;
  /** Closes all free connections. Call it if one broke or was silent, because the others may be dead, too. */
  readonly closeFree: () => void;
};

/**
 * Connections that are reused only if they were idle for less than `longestIdle`, by both clocks. Node's own timers do
 * not run while Lambda has frozen the function, nor does it notice then that the other side closes a connection.
 *
 * @param NodeAgent the agent of `node:http` or `node:https`.
 */
export function keptConnections(NodeAgent: new (options: object) => Agent): KeptConnections {
  const agent = new NodeAgent({ keepAlive: true, maxSockets: 50 });
  const idleSince = new WeakMap<Duplex, Instant>();
  // Node calls this when a connection becomes free
  // (https://nodejs.org/docs/latest-v24.x/api/http.html#agentkeepsocketalivesocket).
  const keep = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    idleSince.set(socket, instant());
    return keep(socket);
  };
  return {
    agent,
    closeStale: () => {
      const now = instant();
      const isStale = (socket: Duplex) => !isWithin(longestIdle, idleSince.get(socket) ?? now, now);
      for (const sockets of Object.values(agent.freeSockets)) {
        // The one that became free first comes first. Node skips closed ones only at that end.
        for (const socket of sockets?.slice(0, sockets.findLastIndex(isStale) + 1) ?? []) socket.destroy();
      }
    },
    closeFree: () => {
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    },
  };
}
