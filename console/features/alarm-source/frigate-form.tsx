// Frigate by MQTT: the broker, and which of its cameras is which channel here; whether the broker is there is always in sight.
import { IconPlus, IconX } from '@tabler/icons-react';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { cameraKey, cameraOfKey } from '@vedette/rules/camera-key.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useUnsaved } from '../unsaved/use-unsaved.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { PasswordField, TextField } from '../../ui/fields/text-field.tsx';
import { useCameraOptions } from '../alarm-rule/source-options.ts';
import style from './alarm-source.module.css';
import { useFrigate } from './alarm-source.query.ts';

type State = CallOutput<'event/mqtt/get'>;

export function FrigatePart() {
  const t = useT();
  const { query } = useFrigate();
  return (
    <section className={style.part} aria-label={t('alarmSources.frigate')}>
      <h2 className={style.heading}>{t('alarmSources.frigate')}</h2>
      <p className={style.lead}>{t('alarmSources.frigateLead')}</p>
      {query.data !== undefined ? (
        <>
          <BrokerConnection state={query.data} />
          <FrigateForm key={query.data.version} state={query.data} />
        </>
      ) : query.isPending ? (
        <SkeletonLines label={t('common.loading')} rows={4} rowHeight={44} />
      ) : (
        <StateView
          isSmall
          role="alert"
          title={t('alarmSources.frigateError')}
          detail={failureText(t, query.error)}
          action={<Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>}
        />
      )}
    </section>
  );
}

function BrokerConnection({ state }: { readonly state: State }) {
  const t = useT();
  const format = useTimeFormat();
  const { mqtt, isConnected, lastTime, problem, droppedCount } = state;
  const kind = mqtt.url === '' ? 'off' : isConnected ? 'here' : 'away';
  return (
    <p className={style.line} data-mqtt={kind} role="status">
      <strong>{t(`alarmSources.broker_${kind}`)}</strong>
      {kind === 'away' && problem !== '' && <span>{problem}</span>}
      {lastTime !== null && <span>{t('alarmSources.lastEvent', { time: formatDateTime(lastTime, format) })}</span>}
      {droppedCount > 0 && <span>{t.plural('alarmSources.dropped', droppedCount)}</span>}
    </p>
  );
}

function FrigateForm({ state }: { readonly state: State }) {
  const t = useT();
  const { save } = useFrigate();
  const cameras = useCameraOptions();
  const [mqtt, setMqtt] = useState(state.mqtt);
  const [password, setPassword] = useState('');
  const put = (part: Partial<State['mqtt']>): void => setMqtt({ ...mqtt, ...part });
  const isChanged = JSON.stringify(mqtt) !== JSON.stringify(state.mqtt) || password !== '';
  useUnsaved(isChanged);
  const isBad =
    mqtt.topic === '' || mqtt.cameraList.some(({ camera, deviceSerial }) => camera === '' || deviceSerial === '');
  const send = (): void => save.mutate({ mqtt, version: state.version, ...(password === '' ? {} : { password }) });
  const putCamera = (at: number, part: Partial<State['mqtt']['cameraList'][number]>): void =>
    put({ cameraList: mqtt.cameraList.map((one, index) => (index === at ? { ...one, ...part } : one)) });
  return (
    <form
      className={style.form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextField
        label={t('alarmSources.broker')}
        hint={t('alarmSources.brokerHint')}
        placeholder="mqtt://192.168.1.10:1883"
        value={mqtt.url}
        onValue={(url) => put({ url: url.trim() })}
        spellCheck={false}
        autoComplete="off"
      />
      <div className={style.pair}>
        <TextField
          label={t('channelField_user')}
          value={mqtt.user}
          onValue={(user) => put({ user })}
          autoComplete="off"
        />
        <PasswordField
          label={t('channelField_password')}
          revealLabel={t('common.showPassword')}
          placeholder={state.hasPassword ? t('alarmChannels.keptSecret') : ''}
          value={password}
          onValue={setPassword}
          autoComplete="new-password"
        />
        <TextField
          label={t('alarmSources.prefix')}
          value={mqtt.topic}
          onValue={(topic) => put({ topic })}
          spellCheck={false}
          autoComplete="off"
        />
      </div>
      <h3 className={style.subheading}>{t('alarmSources.cameras')}</h3>
      {mqtt.cameraList.length === 0 && <p className={style.none}>{t('alarmSources.noCameras')}</p>}
      {mqtt.cameraList.map((one, at) => (
        // Rows have no name of their own: their place is what they are.
        <div key={at} className={style.camera}>
          <TextField
            label={t('alarmSources.theirCamera')}
            placeholder="front_door"
            value={one.camera}
            onValue={(camera) => putCamera(at, { camera: camera.trim() })}
            spellCheck={false}
            autoComplete="off"
          />
          <SelectField
            label={t('alarmSources.ourCamera')}
            isSearchable
            nothingFound={t('alarms.nothingFound')}
            value={one.deviceSerial === '' ? null : cameraKey(one)}
            options={cameras}
            onValue={(value) => putCamera(at, cameraOfKey(value))}
          />
          <IconButton
            label={t('alarmSources.removeCamera', { name: one.camera })}
            onClick={() => put({ cameraList: mqtt.cameraList.filter((_, index) => index !== at) })}
          >
            <IconX size={16} stroke={1.8} />
          </IconButton>
        </div>
      ))}
      {save.isError && <Notice tone="error">{failureText(t, save.error)}</Notice>}
      <div className={style.buttons}>
        <Button
          icon={<IconPlus size={15} stroke={2} />}
          onClick={() => put({ cameraList: [...mqtt.cameraList, { camera: '', deviceSerial: '', channelNo: 1 }] })}
        >
          {t('alarmSources.addCamera')}
        </Button>
        <Button type="submit" look="primary" isBusy={save.isPending} disabled={!isChanged || isBad}>
          {t('alarmRules.save')}
        </Button>
      </div>
    </form>
  );
}
