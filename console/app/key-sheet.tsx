// The `?` sheet: every keyboard shortcut that is active, from the registry.
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { type KeyBinding, setSingleKeys, useKeyStore } from '../keys/key-registry.ts';
import { shownKey } from '../keys/shown-key.ts';
import { useT } from '../language/use-t.ts';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { SwitchField } from '../ui/fields/switch-field.tsx';
import style from './key-sheet.module.css';

function byGroup(bindings: readonly KeyBinding[]): Map<PlainKey, KeyBinding[]> {
  const groups = new Map<PlainKey, KeyBinding[]>();
  for (const binding of bindings) {
    const group = binding.group ?? 'keys.groupGeneral';
    groups.set(group, [...(groups.get(group) ?? []), binding]);
  }
  return groups;
}

export function KeySheet({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const t = useT();
  const bindings = useKeyStore((state) => state.bindings);
  const hasSingleKeys = useKeyStore((state) => state.hasSingleKeys);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('keys.title')} closeLabel={t('common.close')} width={760}>
      <div className={style.groups}>
        {[...byGroup(bindings)].map(([group, rows]) => (
          <section key={group} className={style.group}>
            <h3 className={style.heading}>{t(group)}</h3>
            <dl>
              {rows.map((row) => (
                <div key={`${row.keys} ${row.label}`} className={style.row}>
                  <dt>{t(row.label)}</dt>
                  <dd>
                    {row.keys.split(' ').map((press, at) => (
                      <kbd key={`${press}-${at}`} className={style.key}>
                        {shownKey(press)}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className={style.off}>
        <SwitchField label={t('keys.off')} isOn={hasSingleKeys} onToggle={setSingleKeys} />
      </div>
    </Dialog>
  );
}
