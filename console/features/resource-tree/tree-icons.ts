// The pictures of the tree, by the words of `iconSkin`.
import {
  IconBox,
  IconDeviceCctv,
  IconDoor,
  IconFolder,
  IconFolderOpen,
  IconRadar2,
  IconServer2,
  IconVideo,
} from '@tabler/icons-react';

/** What has no picture here takes `camera`. */
export const TREE_ICONS: Readonly<Record<string, typeof IconVideo>> = {
  folder_open: IconFolderOpen,
  folder_close: IconFolder,
  camera: IconDeviceCctv,
  recorder: IconServer2,
  box: IconBox,
  door: IconDoor,
  radar: IconRadar2,
  channel: IconVideo,
};
