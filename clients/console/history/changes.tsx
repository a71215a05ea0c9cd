import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { actorName, commandOf } from '../parts/actor.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { isInSequence, isPageKey, pressed } from '../parts/keys.ts';
import { PageLink } from '../parts/page-link.tsx';
import { counted, fullTime } from '../parts/time.ts';
import { screenAddress } from '../service/location.ts';
import { useMay } from '../service/queries.ts';
import type { Group } from './groups.ts';
import { needOf, whyNot } from './undo.ts';
import { isLeft, isUndone, keyOf, type Later, undidText, undoneText } from './undone.ts';
import { writeView } from './view.ts';
import {
  byDay,
  type Difference,
  deedOf,
  differencesOf,
  type Entry,
  type Names,
  sharedDifferences,
  subjectsText,
} from './words.ts';

type Shared = {
  readonly later: Later;
  readonly names: Names;
  readonly isOfLink: boolean;
  readonly onUndo: (group: Group) => void;
};

type ChangesProps = Shared & {
  readonly groups: readonly Group[];
  /** Whether a group may have more links than the loaded ones. */
  readonly mayGoOn: (group: Group) => boolean;
};

/** The changes by days. ↑ ↓ move among them, Enter shows details, and `U` undoes. */
export function Changes({ groups, mayGoOn, ...shared }: ChangesProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (direction === undefined || !isPageKey(event.nativeEvent)) return;
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.change-when')];
    const here = document.activeElement?.closest('.change');
    const at = all.findIndex((one) => one.closest('.change') === here);
    const next = all[at + direction];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it
    <div className="changes" onKeyDown={onKeyDown}>
      {byDay(groups).map(({ day, groups: some }) => (
        <section key={day} aria-label={day}>
          <h2>{day}</h2>
          <ol>
            {some.map((group) =>
              group.length === 1 ? (
                <Change key={keyOf(group[0])} entry={group[0]} {...shared} />
              ) : (
                <Many key={`${keyOf(group[0])} and more`} group={group} mayGoOn={mayGoOn(group)} {...shared} />
              ),
            )}
          </ol>
        </section>
      ))}
    </div>
  );
}

type RowProps = {
  readonly at: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Undoes it; undefined if it cannot be undone. */
  readonly onUndo: (() => void) | undefined;
  /** What was done, for the names of the row's buttons. */
  readonly deed: string;
  /** Shown in place of the button. */
  readonly note: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
};

/** A row with its time, which opens it, and Undo. */
function Row({ at, isOpen, onToggle, onUndo, deed, note, className = 'change', children }: RowProps) {
  const clock = clockOf(at);
  // With seconds, the buttons of two changes in one minute have different names.
  const name = `${deed} at ${clockOf(at, '2-digit')}`;
  const onKeyDown = (event: KeyboardEvent) => {
    // In a group, each link's row handles its own keys.
    if (event.defaultPrevented || pressed(event.nativeEvent) !== 'u' || !isPageKey(event.nativeEvent) || isInSequence()) return;
    event.preventDefault();
    onUndo?.();
  };
  return (
    <li className={className} onKeyDown={onKeyDown}>
      <Button
        kind="bare"
        className="change-when"
        aria-expanded={isOpen}
        aria-label={`Details: ${name}`}
        title={fullTime(at)}
        onClick={onToggle}
      >
        <Icon name="chevron" /> {clock}
      </Button>
      <div className="change-what">{children}</div>
      {onUndo ? (
        <Button aria-label={`Undo: ${name}`} onClick={onUndo}>
          Undo
        </Button>
      ) : (
        <span className="small change-why">{note}</span>
      )}
    </li>
  );
}

const clockOf = (at: string, second?: '2-digit'): string =>
  new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second });

type ChangeProps = Shared & {
  readonly entry: Entry;
  /** Whether the row above it says who did what. */
  readonly isInGroup?: boolean;
};

function Change({ entry, later, names, isOfLink, onUndo, isInGroup = false }: ChangeProps) {
  const [isOpen, open] = useState(false);
  const { verb, subject } = deedOf(entry);
  const undoneNote = noteOf(entry, later);
  const why = whyNot(entry, useMay(needOf(entry)), later.deleted.get(entry.subject.id));
  const undid = textOfUndid(entry, later);
  const isLink = entry.subject.type === 'link';
  return (
    <Row
      at={entry.at}
      isOpen={isOpen}
      onToggle={() => open(!isOpen)}
      onUndo={undoneNote === undefined && why === undefined ? () => onUndo([entry]) : undefined}
      deed={`${verb} ${subject}`}
      note={undoneNote ?? why}
    >
      <p className={undoneNote === undefined ? undefined : 'quiet'}>
        {!isInGroup && (
          <>
            <bdi>{actorName(entry)}</bdi> {verb}{' '}
          </>
        )}
        {isLink && !isOfLink ? (
          <PageLink
            to={{ query: writeView({ linkId: entry.subject.id, actor: undefined, span: 'all' }) }}
            title="All changes of this link"
          >
            <bdi>{subject}</bdi>
          </PageLink>
        ) : (
          <bdi>{subject}</bdi>
        )}
        {undid && <span className="quiet"> · {undid}</span>}
      </p>
      <Differences all={differencesOf(entry, names)} isOpen={isOpen} />
      {isOpen && <Details entry={entry} />}
    </Row>
  );
}

/** What one request did to several links, as one row that can be opened. */
function Many({ group, mayGoOn, ...shared }: Shared & { readonly group: Group; readonly mayGoOn: boolean }) {
  const { later, names, onUndo } = shared;
  const [isOpen, open] = useState(false);
  const [newest] = group;
  const { verb } = deedOf(newest);
  const may = useMay('links:write');
  const left = group.filter((entry) => !isUndone(entry, later));
  const isAllUndone = left.length === 0 && !mayGoOn;
  const canUndo = may && (mayGoOn || left.some((entry) => isLeft(entry, later)));
  const [first = newest] = left;
  const why = whyNot(first, may, later.deleted.get(first.subject.id));
  const what = `${verb} ${mayGoOn ? 'at least ' : ''}${counted(group.length, 'link')}`;
  const undid = new Set(group.map((entry) => textOfUndid(entry, later)));
  const [undidAll] = undid.size === 1 ? undid : [];
  return (
    <Row
      at={newest.at}
      isOpen={isOpen}
      onToggle={() => open(!isOpen)}
      onUndo={canUndo && !isAllUndone ? () => onUndo(group) : undefined}
      deed={what}
      note={isAllUndone ? 'All undone.' : why}
      className="change many"
    >
      <p className={isAllUndone ? 'quiet' : undefined}>
        <bdi>{actorName(newest)}</bdi> {what}
        {undidAll && <span className="quiet"> · {undidAll}</span>}
        {left.length < group.length && !isAllUndone && (
          <span className="quiet"> · {counted(group.length - left.length, 'link')} undone since</span>
        )}
      </p>
      <p className="small cut">
        <bdi>{subjectsText(group, mayGoOn)}</bdi>
      </p>
      {newest.action === 'link.updated' && <Differences all={sharedDifferences(group, names)} isOpen={isOpen} />}
      {isOpen && (
        <>
          <Details entry={newest} />
          <ol className="change-links">
            {group.map((entry) => (
              <Change key={keyOf(entry)} entry={entry} isInGroup {...shared} />
            ))}
          </ol>
          {mayGoOn && <p className="small">There may be more of these links: choose “Show earlier changes”.</p>}
        </>
      )}
    </Row>
  );
}

/** Which change an entry undid; undefined if none of the loaded ones. */
function textOfUndid(entry: Entry, { undid }: Later): string | undefined {
  const at = undid.get(keyOf(entry));
  return at === undefined ? undefined : undidText(at);
}

/** Shown in place of Undo for an entry that was undone; undefined otherwise. */
function noteOf(entry: Entry, later: Later): ReactNode {
  const undone = later.undone.get(keyOf(entry));
  const restoredAs = entry.restoredAs ?? undone?.restoredAs;
  if (restoredAs !== undefined && entry.subject.type === 'template') return 'Undone: the template is back.';
  if (restoredAs !== undefined) {
    return (
      <>
        Undone: the <PageLink to={{ ...screenAddress('links'), linkId: restoredAs }}>link is back</PageLink>.
      </>
    );
  }
  return undone && undoneText(undone.at);
}

const Differences = ({ all, isOpen }: { readonly all: readonly Difference[]; readonly isOpen: boolean }) =>
  all.length === 0 ? null : (
    <ul className={isOpen ? 'differences open' : 'differences'}>
      {all.map(({ field, name, text }) => (
        <li key={field}>
          <span className="quiet">{name}</span> <bdi>{text}</bdi>
        </li>
      ))}
    </ul>
  );

const Details = ({ entry }: { readonly entry: Entry }) => (
  <p className="small">
    {[
      fullTime(entry.at),
      ...(commandOf(entry) === undefined ? [] : [`Command “${commandOf(entry)}”`]),
      ...(entry.requestId === null ? [] : [`Request ${entry.requestId}`]),
    ].join(' · ')}
  </p>
);
