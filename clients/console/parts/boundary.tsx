import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';

const reloadedPlace = 'links-reloaded';

/** Whether an error means that a deployment has replaced a file of the console. */
const isLostFile = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script failed|importing a module/i.test(error.message);

/** Reloads the page, unless that would fail: somebody who is offline keeps the page. @returns false if it would fail */
async function reloadIfServed(): Promise<boolean> {
  const isServed = await fetch(location.href).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isServed) return false;
  sessionStorage.setItem(reloadedPlace, String(Date.now()));
  location.reload();
  return true;
}

function textOf(error: unknown, isReloading: boolean): string {
  if (!isLostFile(error)) return 'This part of the page failed. Nothing that you saved is lost.';
  if (isReloading) return 'Loading the new version…';
  return navigator.onLine ? 'A new version is here.' : 'You are offline. This part is not loaded yet.';
}

type State = { readonly error: unknown; readonly isReloading: boolean };

/** A part of the page that fails says so, instead of leaving the page blank. (React catches errors only in classes.) */
export class Boundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: undefined, isReloading: false };

  static getDerivedStateFromError(error: unknown) {
    // The page reloads itself only once. If that does not help, the person decides.
    return { error, isReloading: isLostFile(error) && sessionStorage.getItem(reloadedPlace) === null };
  }

  override componentDidCatch() {
    if (this.state.isReloading) void this.reload();
  }

  readonly reload = async () => {
    this.setState({ isReloading: true });
    if (!(await reloadIfServed())) this.setState({ isReloading: false });
  };

  override render() {
    const { error, isReloading } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className="notice" role="alert">
        <p>{textOf(error, isReloading)}</p>
        <Button disabled={isReloading} onClick={this.reload}>
          Reload
        </Button>
      </div>
    );
  }
}

/** Forgets that the page has reloaded itself, because it works again. */
export const endReload = (): void => sessionStorage.removeItem(reloadedPlace);
