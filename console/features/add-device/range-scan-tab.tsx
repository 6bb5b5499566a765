// Tab "address range": probes every address of a network once.
import { ipProblem, EMPTY_SEGMENTS, type IpSegments, joinSegments } from '@vedette/rules/validation/ip-input.ts';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { IpField } from '../../ui/fields/ip-field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './add-device.module.css';
import type { AddDeviceTabProps } from './add-device-tab-props.ts';
import { FoundDevices } from './found-devices.tsx';
import { useScan } from './use-scan.ts';

const PREFIXES = [24, 22, 23, 25, 26, 27, 28, 29, 30, 32] as const;
const PORTS_MAX = 8;

/** Null for what are no ports; undefined for none. */
function readPorts(text: string): number[] | undefined | null {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (words.length === 0) return undefined;
  const ports = words.map((word) => (/^\d{1,5}$/.test(word) ? Number(word) : 0));
  return ports.length <= PORTS_MAX && ports.every((port) => port >= 1 && port <= 65_535) ? ports : null;
}

export function RangeScanTab(props: AddDeviceTabProps) {
  const t = useT();
  const { scan, start, stop } = useScan();
  const [segments, setSegments] = useState<IpSegments>(EMPTY_SEGMENTS);
  const [prefix, setPrefix] = useState('24');
  const [portText, setPortText] = useState('');
  const [isTried, setTried] = useState(false);
  const ports = readPorts(portText);
  const isAddress = ipProblem(segments) === null;
  const search = (): void => {
    setTried(true);
    if (!isAddress || ports === null) return;
    void start({ scope: `${joinSegments(segments)}/${prefix}`, ...(ports !== undefined && { ports }) });
  };
  const head = (
    <form
      className={style.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <p className={style.intro}>{t('range.intro')}</p>
      <div className={style.range}>
        <IpField
          label={t('range.address')}
          segmentLabel={(no) => t('range.segment', { no })}
          value={segments}
          onValue={setSegments}
          autoFocus
          error={isTried && !isAddress ? t('range.bad') : null}
        />
        <SelectField
          label={t('range.size')}
          value={prefix}
          onValue={setPrefix}
          options={PREFIXES.map((one) => ({
            value: String(one),
            label: one === 32 ? t('range.size32') : t('range.sizeOf', { prefix: one, count: 2 ** (32 - one) - 2 }),
          }))}
        />
      </div>
      <TextField
        label={t('range.ports')}
        value={portText}
        onValue={setPortText}
        inputMode="numeric"
        autoComplete="off"
        hint={t('range.portsHint')}
        error={ports === null ? t('range.portsBad') : null}
      />
      {/* Enter in a field starts the search. */}
      <button type="submit" aria-label={t('range.start')} hidden />
    </form>
  );
  return (
    <div className={style.form}>
      <FoundDevices
        {...props}
        head={head}
        scan={scan}
        onStart={search}
        onStop={stop}
        words={{ start: t('range.start'), none: t('find.rangeNone'), noneDetail: t('find.rangeNoneDetail') }}
      />
    </div>
  );
}
