import { watched } from '../service/watched.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const place = 'links-theme';
const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
const themeWatch = watched(() => theme);

function kept(): Theme {
  const found = localStorage.getItem(place);
  return themes.find((theme) => theme === found) ?? 'system';
}
let theme: Theme = kept();

function show(): void {
  const isDark = theme === 'dark' || (theme === 'system' && prefersDark.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

/** Shows the chosen colours, and follows changes of the system's. */
export function showTheme(): void {
  prefersDark.addEventListener('change', show);
  show();
}

export function chooseTheme(chosen: Theme): void {
  theme = chosen;
  localStorage.setItem(place, chosen);
  show();
  themeWatch.emit();
}

export const useTheme = themeWatch.useValue;
