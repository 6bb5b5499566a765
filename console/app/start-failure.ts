// The error page when the console cannot start: in both languages, since no phrases are loaded yet.

export function showStartFailure(failure: unknown): void {
  console.error(failure);
  document
    .getElementById('root')
    ?.replaceChildren('Vedette could not start. Reload the page. / 无法启动，请重新加载页面。');
}
