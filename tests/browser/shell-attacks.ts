// How a page tries to lead its window to another origin, whose address is in `foreign`; any shell refuses each of these.

export const ATTACKS: Readonly<Record<string, string>> = {
  location: 'location.href = foreign;',
  redirect: "location.href = '/elsewhere?to=' + encodeURIComponent(foreign);",
  open: 'window.open(foreign);',
  opener: "const other = window.open('about:blank'); other.location = foreign;",
  frame: "document.body.append(Object.assign(document.createElement('iframe'), { src: foreign }));",
  script: "location.href = 'javascript:location.href=\"' + foreign + '\"';",
  form: "const form = Object.assign(document.createElement('form'), { action: foreign, method: 'post' }); document.body.append(form); form.submit();",
  refresh:
    "document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: '0;url=' + foreign }));",
};

/** Greets the shell, then does what `attack` says. `post`: how pages of this shell send messages. */
export const attackingPage = (post: string, attack: string) => `<!doctype html><title>own</title><p>own page</p><script>
  const tell = (topic, data) => ${post}({ id: topic + Math.random(), url: '/api/v1.0/cs/' + topic, data, nonce: 'N' });
  tell('account/status', { status: 0 });
  const foreign = new URLSearchParams(location.search).get('foreign');
  ${attack}
</script>`;
