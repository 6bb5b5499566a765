// Snapshots as files: of a picture that is here, or of one that the camera is asked for.
import { formatDateTime, SORTABLE_TIME } from '@vedette/rules/time-format.ts';
import { saveBlob } from '../../../browser/save-blob.ts';
import { CallFailure } from '../../../calls/call-failure.ts';
import type { Caller } from '../../../calls/caller.ts';
import { currentTranslate } from '../../../language/language-store.ts';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import type { WallChannel } from '../wall/wall-model.ts';

export function saveSnapshotFile(name: string, picture: Blob): void {
  const stamp = formatDateTime(Date.now(), SORTABLE_TIME).replaceAll(':', '-');
  void saveBlob(`${name.replaceAll(/[\\/:*?"<>|]/g, '_')} ${stamp}.jpg`, picture);
}

/** Of a camera that is in no tile; says why where there is none. */
export async function saveCameraSnapshot(
  caller: Caller,
  { deviceSerial, channelNo, name }: WallChannel & { readonly name: string },
): Promise<void> {
  try {
    const { url } = await caller.ask('capture/get', { deviceSerial, channelNo });
    const answer = await fetch(url);
    if (answer.ok) saveSnapshotFile(name, await answer.blob());
    else showToast('error', currentTranslate()('live.noCameraStill'));
  } catch (failure) {
    // The caller has shown what the server said.
    if (!(failure instanceof CallFailure)) showToast('error', currentTranslate()('error.network'));
  }
}
