const KEY = 'probity-theme';

export type Theme = 'system' | 'light' | 'dark';

/** The theme that was chosen in this browser. */
export function chosenTheme(): Theme {
  const theme = localStorage.getItem(KEY);
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Draws the page in the chosen theme, before anything is shown. */
export function applyTheme(): void {
  const theme = chosenTheme();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Chooses the theme of this browser. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme();
}
