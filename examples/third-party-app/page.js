// Shows the cameras that were allowed, plays the one that is chosen, and lists alarms as they come.
import '/player/index.js';

const [state, cameras, trouble, alarms] = ['state', 'cameras', 'trouble', 'alarms'].map((id) =>
  document.getElementById(id),
);
const player = document.querySelector('vedette-player');
let isAllowed = false;

// Asked before each call: this program's server renews what ends, and keeps the secret of the app to itself.
player.tokenSource = async () => {
  const answer = await fetch('/token');
  return answer.ok ? await answer.text() : null;
};
player.addEventListener('error', ({ detail }) => {
  trouble.textContent = `The player was refused: ${detail.code}.`;
});
player.addEventListener('statechange', ({ detail }) => {
  if (detail.kind === 'live') trouble.textContent = '';
});

function add(list, ...content) {
  const item = document.createElement('li');
  item.append(...content);
  list.append(item);
}

function show({ deviceSerial, deviceName }) {
  const button = document.createElement('button');
  button.textContent = deviceName;
  button.addEventListener('click', () => {
    player.hidden = false;
    player.setAttribute('device', deviceSerial);
  });
  add(cameras, button);
}

// Whoever allowed it may end that at any time: the picture goes dark by itself, and the list goes with it.
async function look() {
  const answer = await fetch('/cameras');
  if (answer.ok && !isAllowed) {
    isAllowed = true;
    state.textContent = 'You are signed in.';
    (await answer.json()).forEach(show);
  }
  if (!answer.ok && isAllowed) {
    isAllowed = false;
    state.textContent = 'Access has ended.';
    cameras.replaceChildren();
  }
}
setInterval(look, 1000);
void look();

new EventSource('/alarms').addEventListener('message', ({ data }) => {
  const { type, deviceName } = JSON.parse(data);
  add(alarms, `${type}: ${deviceName}`);
});
