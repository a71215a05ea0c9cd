import { newRequestToken } from '../../core/ids.ts';
import type { Item } from '../table/client.ts';
import { failedCondition, is, isAbsent } from '../table/expressions.ts';
import { flag, maybeText, text, texts } from '../table/fields.ts';
import type { Key } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { putItem } from '../table/writes.ts';

/** A round through everything of a kind, in the order of names. It begins once a day, and may take several runs. */
export type Round = {
  /** In ISO 8601. */
  readonly startedAt: string;
  /** The last name that was dealt with; undefined at the start. */
  readonly after: string | undefined;
  /** Identifies the last saved position. The next one is only saved if this is still current. */
  readonly token: string | undefined;
  /** Names that were dealt with in part, or not at all. */
  readonly unfinished?: readonly string[];
};

/** A round as stored. */
type SavedRound = Required<Round> & { readonly token: string; readonly isDone: boolean };

const toSavedRound = (item: Item): SavedRound => ({
  startedAt: text(item, 'startedAt'),
  after: maybeText(item, 'after'),
  token: text(item, 'token'),
  unfinished: texts(item, 'unfinished', []),
  isDone: flag(item, 'isDone'),
});

/**
 * How long after the start of a round the next one begins, in milliseconds: a day, less some tolerance for an early
 * schedule.
 */
const betweenRounds = 23.5 * 60 * 60 * 1_000;

/** The rounds of one kind. @param roundKey of the item that says how far they are */
export const roundsOf = (roundKey: Key) => ({
  /**
   * The unfinished round, or a new one, which is not saved yet. Undefined if the last one is finished and began less
   * than 23.5 hours ago. One read.
   *
   * A round that takes longer than a day is finished before the next one begins; otherwise what comes last would never
   * have its turn. If a finished round began more than 23.5 hours in the future, by a wrong clock, it is ignored.
   *
   * @param isWanted whether a new round begins even if the last one began less than 23.5 hours ago.
   */
  currentRound: async (now = Date.now(), isWanted = false): Promise<Round | undefined> => {
    const item = await getItem(roundKey);
    const startedAt = new Date(now).toISOString();
    if (!item) return { startedAt, after: undefined, token: undefined };
    const { isDone, ...saved } = toSavedRound(item);
    if (!isDone) return saved;
    const age = Math.abs(now - Date.parse(saved.startedAt));
    return age < betweenRounds && !isWanted ? undefined : { startedAt, after: undefined, token: saved.token };
  },

  /**
   * Saves how far a round has come, and returns the saved round. Undefined if another run has saved its own position
   * since this round was read: that run continues, and the names that both dealt with were dealt with twice.
   *
   * @param after the last name that was dealt with.
   */
  saveRound: async (round: Round, after: string | undefined, isDone: boolean): Promise<Round | undefined> => {
    const { startedAt, unfinished = [] } = round;
    const saved = { startedAt, after, token: newRequestToken(), unfinished };
    const write = putItem({ ...roundKey, ...saved, isDone }, round.token === undefined ? isAbsent : is('token', round.token));
    const failed = await failedCondition(write);
    // An earlier attempt of this write may have saved it and lost its response.
    return failed && failed.items[0]?.token !== saved.token ? undefined : saved;
  },
});
