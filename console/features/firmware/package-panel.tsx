// Firmware packages: those that are there can be removed, and more are uploaded.
import { IconTrash } from '@tabler/icons-react';
import { sizeText } from '../../language/size-text.ts';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import style from './firmware.module.css';
import { useFirmwareActions, usePackages } from './firmware.query.ts';
import { PackageUpload } from './package-upload.tsx';

export function PackagePanel({ isOpen }: { readonly isOpen: boolean }) {
  const t = useT();
  const { data: packages = [] } = usePackages(isOpen);
  const { removePackage } = useFirmwareActions();
  return (
    <>
      <PackageUpload />
      {packages.length > 0 && (
        <ul className={style.list}>
          {packages.map(({ packageId, deviceModel, version, fileName, bytes }) => (
            <li key={packageId} className={style.package}>
              <div className={style.words}>
                <span className={style.name}>
                  {deviceModel} {version}
                </span>
                <span className={style.dim}>{`${fileName} · ${sizeText(t, bytes)}`}</span>
              </div>
              <IconButton
                label={t('firmware.remove', { name: `${deviceModel} ${version}` })}
                size="small"
                onClick={() => void removePackage(packageId).catch(() => undefined)}
              >
                <IconTrash size={15} stroke={1.7} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
