// Plays live HLS by Media Source Extensions: the init segment, then each new segment of the playlist. hls.js does this and much more.

const POLL_MS = 500;
/** Seconds behind the newest frame after which the player goes there. */
const BEHIND_S = 6;
const KEPT_S = 30;

/** RFC 6381, as the init segment says it: profile, constraints and level follow the name and version of the avcC box. */
function mimeOf(init) {
  const text = String.fromCharCode(...init);
  const at = text.indexOf('avcC') + 5;
  const video = [...init.subarray(at, at + 3)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const audio = text.includes('mp4a') ? ', mp4a.40.2' : text.includes('Opus') ? ', opus' : '';
  return `video/mp4; codecs="avc1.${video}${audio}"`;
}

/** Ends when `signal` is aborted, or when the server gives nothing any more. */
export async function play(video, address, signal) {
  const media = new MediaSource();
  video.src = URL.createObjectURL(media);
  await new Promise((opened) => media.addEventListener('sourceopen', opened, { once: true }));
  const get = async (file) => {
    const answer = await fetch(new URL(file, new URL(address, location.href)), { signal });
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
    return answer;
  };
  const bytes = async (file) => new Uint8Array(await (await get(file)).arrayBuffer());
  let buffer;
  let last = '';
  while (!signal.aborted) {
    const playlist = await (await get('index.m3u8')).text();
    const files = playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    if (buffer === undefined) {
      const init = await bytes(/#EXT-X-MAP:URI="([^"]+)"/.exec(playlist)[1]);
      buffer = media.addSourceBuffer(mimeOf(init));
      await append(buffer, init);
    }
    for (const file of files.slice(files.indexOf(last) + 1)) {
      await append(buffer, await bytes(file));
      last = file;
    }
    await follow(video, buffer);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function settled(buffer) {
  return new Promise((resolve) => buffer.addEventListener('updateend', resolve, { once: true }));
}

async function append(buffer, part) {
  buffer.appendBuffer(part);
  await settled(buffer);
}

async function follow(video, buffer) {
  const { buffered } = buffer;
  if (buffered.length === 0) return;
  const [start, end] = [buffered.start(buffered.length - 1), buffered.end(buffered.length - 1)];
  if (video.currentTime < start || end - video.currentTime > BEHIND_S) video.currentTime = Math.max(start, end - 1);
  if (video.currentTime - buffered.start(0) > KEPT_S) {
    buffer.remove(0, video.currentTime - KEPT_S / 2);
    await settled(buffer);
  }
}
