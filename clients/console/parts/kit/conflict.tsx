import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Say } from '../../service/patience.ts';
import { type Calls, saveSettings, type Tagged, takeBack } from '../../service/settings.ts';
import { type Done, undone } from '../actions.ts';
import { Button } from '../button.tsx';
import { Icon } from '../icons.tsx';

/** A field that two people have changed since it was loaded: its name, its label, and both values. */
type Choice = { readonly name: string; readonly label: string; readonly mine: string; readonly theirs: string };

type ConflictProps = {
  readonly choices: readonly Choice[];
  readonly notice: RefObject<HTMLDivElement | null>;
  /** Called with a choice; `isTheirs` to take the other's value. */
  readonly onChoose: (name: string, isTheirs: boolean) => void;
};

/** The fields that somebody else has changed too. Each needs a choice before the form can be saved. */
export function Conflict({ choices, notice, onChoose }: ConflictProps) {
  const isOpen = choices.length > 0;
  useEffect(() => {
    // It may be scrolled away.
    if (isOpen) notice.current?.focus();
  }, [isOpen, notice]);
  if (!isOpen) return null;
  const choose = (name: string, isTheirs: boolean) => {
    // The pressed button disappears, so the focus moves on, and the form's keys keep working.
    const form = notice.current?.closest('form');
    onChoose(name, isTheirs);
    requestAnimationFrame(() => {
      const next = notice.current ?? form?.querySelector<HTMLElement>('[type=submit]:enabled') ?? form;
      next?.focus();
    });
  };
  return (
    <div ref={notice} className="notice warning" role="alert" tabIndex={-1}>
      <p>
        <Icon name="alert" /> Somebody else changed this while you were editing. Choose what to keep.
      </p>
      {choices.map(({ name, label, mine, theirs }) => (
        <div key={name} className="clash">
          <strong>{label}</strong>
          <span>
            Theirs: <bdi>{theirs}</bdi> <Button onClick={() => choose(name, true)}>Take theirs</Button>
          </span>
          <span>
            Yours: <bdi>{mine}</bdi> <Button onClick={() => choose(name, false)}>Keep yours</Button>
          </span>
        </div>
      ))}
    </div>
  );
}

type Form<T, Values> = {
  readonly calls: Calls<T>;
  /** What the form shows of a thing, by the API's field names. */
  readonly valuesOf: (value: T) => Values;
  /** The labels of the fields. */
  readonly labels: Readonly<Record<keyof Values & string, string>>;
  readonly shown: (value: Values[keyof Values]) => string;
};

/**
 * The values of a form that changes something with an entity tag: the entered values on top of the version that the
 * person has seen.
 */
export function useEdited<T extends object, Values extends object>(
  loaded: Tagged<T>,
  { calls, valuesOf, labels, shown }: Form<T, Values>,
) {
  const [base, setBase] = useState(loaded);
  const [edited, setEdited] = useState<Partial<Values>>({});
  const [clashes, setClashes] = useState<readonly string[]>([]);
  const notice = useRef<HTMLDivElement>(null);
  const theirs = valuesOf(base.value);
  const values = { ...theirs, ...edited };
  const textOf = (from: Values, name: string) => shown(from[name as keyof Values]);
  const choices = clashes.map((name) => ({
    name,
    label: labels[name as keyof Values & string],
    mine: textOf(values, name),
    theirs: textOf(theirs, name),
  }));
  const discard = () => {
    setEdited({});
    setClashes([]);
  };
  return {
    base: base.value,
    values,
    edit: (change: Partial<Values>) => setEdited((before) => ({ ...before, ...change })),
    discard,
    hasConflict: clashes.length > 0,
    conflict: (
      <Conflict
        choices={choices}
        notice={notice}
        onChoose={(name, isTheirs) => {
          setClashes(clashes.filter((one) => one !== name));
          if (isTheirs) setEdited(({ [name as keyof Values]: _mine, ...rest }) => rest as Partial<Values>);
        }}
      />
    ),
    /**
     * Saves changes, if there are any.
     *
     * @param said makes the message
     * @returns the message, with Undo; undefined if somebody has to choose
     * @throws ProblemError; UnsureError
     */
    save: async (changes: object, say: Say, said: (value: T) => string): Promise<Done | undefined> => {
      if (Object.keys(changes).length === 0) return {};
      const saved = await saveSettings(changes, base, calls, say);
      setBase(saved.version);
      setClashes(saved.kind === 'clash' ? saved.names : []);
      if (saved.kind === 'clash') return undefined;
      discard();
      const undo = async (tell: Say) => {
        setBase(await takeBack(saved.former, saved.version, calls, tell));
        return undone;
      };
      return { text: said(saved.version.value), undo: Object.keys(saved.former).length > 0 ? undo : undefined };
    },
  };
}
