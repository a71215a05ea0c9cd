import { ProblemError } from '../../typescript/problem.ts';
import type { recording } from '../service/changes.ts';
import { failureOf } from '../service/failures.ts';
import { linkAt } from '../service/links.ts';
import type { Send } from '../service/many.ts';
import { changesIn, type Replacement } from './replacement.ts';

/** How often a link is read again because somebody else has changed it meanwhile. */
const mostMerges = 5;

/** Replaces a text in the current version of each link, without overwriting others' changes. */
export function replacing(replacement: Replacement, record: ReturnType<typeof recording>): Send {
  /** Links that a request without an answer may have changed. */
  const sent = new Set<string>();
  return async ([id = '']) => {
    const failed = (code: string, message: string) => ({ data: { failed: [{ id, code, message }] } });
    for (let merges = 0; ; merges++) {
      try {
        const { value, etag } = await linkAt(id).get();
        const changes = changesIn(value, replacement);
        if (Object.keys(changes).length > 0) {
          sent.add(id);
          await record.send((headers) => linkAt(id).patch(changes, etag, headers));
        } else if (!sent.has(id)) return failed('', `no destination contains “${replacement.from}”`);
        return { data: { failed: [] } };
      } catch (error) {
        const isOwn = error instanceof ProblemError && [400, 404, 409, 412, 422].includes(error.status);
        if (!isOwn) throw error;
        if (error.status === 412 && merges < mostMerges) continue;
        const { paths, text } = failureOf(error, true);
        return failed(error.code, Object.values(paths)[0] ?? text);
      }
    }
  };
}
