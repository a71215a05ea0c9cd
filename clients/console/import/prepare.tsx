import { type DragEvent, useEffect, useState } from 'react';
import { settingColumns } from '../../migration/fields.ts';
import { type FormatName, formats } from '../../migration/formats.ts';
import { guessOf } from '../../migration/guess.ts';
import { readFile } from '../../migration/read.ts';
import { sha256 } from '../../migration/text.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { setPasted, usePasted } from '../service/pasted.ts';
import { lackText } from '../service/permissions.ts';
import { useMay } from '../service/queries.ts';
import type { Me } from '../service/types.ts';
import { Check } from './check.tsx';
import type { Chosen } from './chosen.ts';
import { type Beside, readTable } from './pasted.ts';

/** The two steps before an import: choose a file or paste addresses, and see what would be imported. */
export function Prepare({ me }: { readonly me: Me }) {
  const [chosen, choose] = useState<Chosen>();
  const [unread, setUnread] = useState<Omit<Chosen, 'format' | 'rows' | 'dialect'>>();
  const [wrong, setWrong] = useState('');
  const may = { links: useMay('links:write'), read: useMay('links:read'), domains: useMay('domains:read') };
  const missing = !may.links ? 'links:write' : !may.read ? 'links:read' : !may.domains ? 'domains:read' : undefined;

  const readAs = (file: Omit<Chosen, 'format' | 'rows' | 'dialect'>, format: FormatName) => {
    try {
      choose({ ...file, format, ...readFile(file.bytes, formats[format]) });
      setUnread(undefined);
      setWrong('');
    } catch (error) {
      setWrong(`${file.name} cannot be read as ${formats[format].name}: ${(error as Error).message}.`);
    }
  };
  const open = async (picked: File | undefined) => {
    if (!picked) return;
    setWrong('');
    const bytes = new Uint8Array(await picked.arrayBuffer());
    const file = { name: picked.name, bytes, fingerprint: await sha256(bytes) };
    const guess = guessOf(bytes);
    setUnread(guess ? undefined : file);
    if (!guess)
      setWrong(`${picked.name} does not look like any of the formats below. If it is CSV, its first line must name the columns.`);
    else if (guess.rows.length === 0) setWrong(`${picked.name} has no rows.`);
    else choose({ ...file, ...guess });
  };

  /** Reads what was pasted: a file's content, or else a list or a table without names. */
  const readText = async (text: string, wanted?: Beside) => {
    const bytes = new TextEncoder().encode(text);
    const fingerprint = await sha256(bytes);
    const file = { name: 'Pasted addresses', bytes, fingerprint };
    const guess = guessOf(bytes);
    setUnread(undefined);
    setWrong('');
    if (guess && guess.rows.length > 0) return choose({ ...file, ...guess });
    const { beside, ...read } = readTable(text, wanted);
    choose({ ...file, format: 'csv', ...read, pasted: { text, beside } });
  };
  const pasted = usePasted();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a pasted text is read once
  useEffect(() => {
    if (pasted === undefined || missing !== undefined) return;
    void readText(pasted);
    setPasted(undefined);
  }, [pasted, missing]);

  if (missing !== undefined) return <p className="notice">{lackText(missing)}</p>;
  if (chosen) {
    return (
      <Check
        key={chosen.fingerprint}
        me={me}
        chosen={chosen}
        wrong={wrong}
        onFormat={(format) => readAs(chosen, format)}
        onBeside={(beside) => void readText(chosen.pasted?.text ?? '', beside)}
        onBack={() => {
          choose(undefined);
          setWrong('');
        }}
      />
    );
  }
  return (
    <>
      <Choose onFile={(file) => void open(file)} />
      {wrong !== '' && (
        <div className="notice bad" role="alert">
          <p>
            <Icon name="alert" /> {wrong}
          </p>
          {unread && <Button onClick={() => readAs(unread, 'csv')}>Read as CSV</Button>}
        </div>
      )}
    </>
  );
}

/** The columns that a file of one's own may have. */
function Columns() {
  const [needed, ...others] = settingColumns();
  return (
    <details className="small columns">
      <summary>Columns of your own CSV</summary>
      <p>
        Only <span className="mono">{needed}</span> is required. These are optional, in any order:{' '}
        <span className="mono">{others.join(', ')}</span>. Tags are separated by {formats.csv.tagSeparator}.
      </p>
    </details>
  );
}

function Choose({ onFile }: { readonly onFile: (file: File | undefined) => void }) {
  const [isOver, setOver] = useState(false);
  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(over);
  };
  const names = Object.values(formats).map(({ name }) => name);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same
    <div
      className={isOver ? 'drop over' : 'drop'}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(event) => {
        drag(false)(event);
        onFile(event.dataTransfer.files[0]);
      }}
    >
      <p>Drop a file with links here, paste addresses or cells of a spreadsheet, or</p>
      <label className="button primary file">
        Choose a file
        <input
          type="file"
          className="hidden"
          accept=".csv,.json,.txt,text/csv,application/json"
          onChange={(event) => {
            onFile(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </label>
      <p className="small">
        It can be an export from {names.slice(1, -1).join(', ')} or {names.at(-1)}, or a {names[0]}. Nothing is uploaded until you
        have seen what it would make.
      </p>
      <Columns />
    </div>
  );
}
