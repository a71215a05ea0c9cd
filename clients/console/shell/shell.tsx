import { lazy, useEffect, useRef, useState } from 'react';
import { shownEmail } from '../../../lambdas/core/member/profile.ts';
import { CreateBar } from '../create/create-bar.tsx';
import { Boundary } from '../parts/boundary.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { useOnline } from '../parts/failure.tsx';
import { Icon } from '../parts/icons.tsx';
import { pressed, usePageKeys } from '../parts/keys.ts';
import { LoadedLater } from '../parts/loaded.tsx';
import { Menu } from '../parts/menu.tsx';
import { useMinute } from '../parts/minute.ts';
import { chooseTheme, themes, useTheme } from '../parts/theme.ts';
import { shortTime } from '../parts/time.ts';
import { undoNewest } from '../parts/toasts.tsx';
import { root, useAddress } from '../service/location.ts';
import { signOut, useSession } from '../service/session.ts';
import type { Me } from '../service/types.ts';
import { unfinishedImport } from '../service/unfinished.ts';
import { Navigation, NavigationBar, NavigationMenu, useNavigationKeys } from './navigation.tsx';
import { entryOf } from './screens.tsx';
import { WorkspaceName } from './workspace-name.tsx';

// Parts that the first view does not need are loaded when somebody opens them.
const LinkPanel = lazy(async () => ({ default: (await import('../link/panel.tsx')).LinkPanel }));
const KeysHelp = lazy(async () => ({ default: (await import('./keys-help.tsx')).KeysHelp }));
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const Sessions = lazy(async () => ({ default: (await import('./sessions.tsx')).Sessions }));
const NewLink = lazy(async () => ({ default: (await import('../link/new-link.tsx')).NewLink }));

/** The bar and the navigation around every screen. */
export function Shell({ me }: { readonly me: Me }) {
  const [isHelpOpen, openHelp] = useState(false);
  const [isPaletteOpen, openPalette] = useState(false);
  const [areSessionsOpen, openSessions] = useState(false);
  const isOnline = useOnline();
  const { screen, linkId, url } = useAddress();
  const { screen: shown, title, Component } = entryOf(screen);
  // Draws the shell again, with any screen in it.
  useMinute();
  usePageKeys({ '?': () => openHelp(true) });
  useNavigationKeys();
  useCtrlKey('z', undoNewest);
  useCtrlKey(
    'k',
    () => {
      if (document.querySelector('dialog[open]')) return false;
      openPalette(true);
      return true;
    },
    true,
  );
  useUnfinishedImport(me.workspace.id);
  useEffect(() => {
    document.title = `${title} · ${me.workspace.name}`;
  }, [title, me.workspace.name]);
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="top">
        <Boundary>
          <NavigationMenu />
          <WorkspaceName me={me} />
          <Boundary>
            <CreateBar />
          </Boundary>
          <span className="spacer" />
          <IconButton
            icon="search"
            label="Go to a link or page"
            title="Go to a link or page (Ctrl K)"
            onClick={() => openPalette(true)}
          />
          <ThemeButton />
          <Button
            kind="bare"
            className="icon-button wide-only"
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
            onClick={() => openHelp(true)}
          >
            <span aria-hidden="true">?</span>
          </Button>
          <Account me={me} onSessions={() => openSessions(true)} />
        </Boundary>
      </header>
      {!isOnline && (
        <p className="offline" role="status">
          You are offline. This may be out of date.
        </p>
      )}
      <div className="body">
        <Boundary>
          <Navigation />
        </Boundary>
        <main id="content" className={linkId !== undefined || screen === 'new' ? 'content with-panel' : 'content'} tabIndex={-1}>
          <Boundary key={shown}>
            <LoadedLater>
              <Component me={me} />
            </LoadedLater>
          </Boundary>
          <Boundary key={linkId ?? `beside ${screen}`}>
            <LoadedLater>
              {linkId !== undefined ? (
                <LinkPanel key={linkId} id={linkId} />
              ) : screen === 'new' ? (
                <NewLink key={url} workspaceId={me.workspace.id} url={url ?? ''} />
              ) : null}
            </LoadedLater>
          </Boundary>
        </main>
      </div>
      <Boundary>
        <NavigationBar />
      </Boundary>
      <Boundary>
        <LoadedLater>
          {isHelpOpen && <KeysHelp onClose={() => openHelp(false)} />}
          {isPaletteOpen && <Palette onClose={() => openPalette(false)} />}
          {areSessionsOpen && <Sessions onClose={() => openSessions(false)} />}
        </LoadedLater>
      </Boundary>
    </div>
  );
}

/** Continues an import that a reload has interrupted, whichever screen is shown. */
function useUnfinishedImport(workspaceId: string): void {
  useEffect(() => {
    if (unfinishedImport() === workspaceId) void import('../import/job.ts').then(({ findImport }) => findImport(workspaceId));
  }, [workspaceId]);
}

/**
 * Ctrl or Cmd with a letter.
 *
 * @param run returns whether it has done something; otherwise the browser handles the key.
 * @param isEverywhere whether it also works in fields
 */
function useCtrlKey(letter: string, run: () => boolean, isEverywhere = false): void {
  const kept = useRef(run);
  kept.current = run;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isIt = pressed(event) === letter && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      const isInField = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      if (isIt && (isEverywhere || !isInField) && kept.current()) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [letter, isEverywhere]);
}

const themeNames = { system: 'Match system', light: 'Light', dark: 'Dark' };

function ThemeButton() {
  const theme = useTheme();
  return (
    <Menu
      label={`Colours: ${themeNames[theme]}`}
      button={<Icon name="theme" />}
      items={themes.map((one) => ({ label: `${one === theme ? '✓ ' : ''}${themeNames[one]}`, run: () => chooseTheme(one) }))}
    />
  );
}

function Account({ me, onSessions }: { readonly me: Me; readonly onSessions: () => void }) {
  const { signedIn } = useSession();
  const email = signedIn && shownEmail(signedIn.person);
  const ends = me.key.expiresAt ? ` (the key expires ${shortTime(me.key.expiresAt)})` : '';
  return (
    <Menu
      label={signedIn ? `Signed in as ${signedIn.person.name ?? email}` : 'Account'}
      button={<Icon name="person" />}
      items={[
        { label: 'API reference', href: `${root}/docs` },
        ...(signedIn ? [{ label: 'Where you are signed in…', run: onSessions }] : []),
        { label: `Sign out${email === undefined ? ends : ` ${email}`}`, run: () => void signOut() },
      ]}
    />
  );
}
