import { Volume2 } from 'lucide-react'
import { useId, useState } from 'react'
import { opensNext, storeOpensNext } from '#features/atendimento/acoes/next-conversa.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { PushSettings } from './push-settings.tsx'
import { type NoticeLevel, type NoticePreferences, togglePreferences } from './preferences.ts'
import { playSound } from './sound.ts'

interface LevelChoice {
  readonly level: Exclude<NoticeLevel, 'nada'>
  readonly label: string
  readonly hint: string
}

const LEVELS: readonly LevelChoice[] = [
  { level: 'tudo', label: 'Tudo', hint: 'Quem está aguardando e as conversas que você atende.' },
  { level: 'aguardando', label: 'Só quem está aguardando', hint: 'Novas conversas e mensagens de quem espera.' },
]

const notificationsSupported = (): boolean => 'Notification' in window

const WHILE_OPEN = 'Os avisos chegam enquanto o painel está aberto.'

function BrowserPermission() {
  const [permission, setPermission] = useState(() =>
    notificationsSupported() ? Notification.permission : 'unsupported',
  )
  const ask = async (): Promise<void> => {
    setPermission(await Notification.requestPermission().catch((): NotificationPermission => 'denied'))
  }
  if (permission === 'unsupported') {
    return <p className="text-sm text-muted">Este navegador não mostra avisos fora do painel. {WHILE_OPEN}</p>
  }
  if (permission === 'granted') {
    return (
      <p className="text-sm text-muted">
        Avisos do navegador ligados: você vê quem escreveu mesmo em outra janela. {WHILE_OPEN}
      </p>
    )
  }
  if (permission === 'denied') {
    return (
      <p className="text-sm text-muted">
        O navegador bloqueou os avisos deste site. Para liberar, toque no cadeado ao lado do endereço e permita
        notificações.
      </p>
    )
  }
  return (
    <div className="grid gap-2">
      <p className="text-sm text-muted">Para saber quem escreveu quando o painel não está na tela:</p>
      <Button size="touch" onClick={() => void ask()}>
        Permitir avisos do navegador
      </Button>
    </div>
  )
}

export interface PreferencesDialogProps {
  readonly preferences: NoticePreferences
  readonly onChange: (fresh: NoticePreferences) => void
  readonly onClose: () => void
}

interface PartProps {
  readonly preferences: NoticePreferences
  readonly onChange: (fields: Partial<NoticePreferences>) => void
}

function LevelField({ preferences, onChange }: PartProps) {
  const name = useId()
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-semibold">O que avisar</legend>
      {LEVELS.map(({ level, label, hint }) => (
        <label key={level} className="flex min-h-11 items-start gap-3 rounded-lg py-1.5">
          <input
            type="radio"
            name={name}
            className="mt-1 size-4 accent-brand"
            checked={preferences.nivel === level}
            onChange={() => onChange({ nivel: level })}
          />
          <span>
            {label}
            <span className="block text-sm text-muted">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function SoundFields({ preferences: { volume, repetir }, onChange }: PartProps) {
  const id = useId()
  return (
    <>
      <div>
        <label htmlFor={id} className="font-semibold">
          Volume
        </label>
        <div className="flex items-center gap-3">
          <input
            id={id}
            type="range"
            min={0.1}
            max={1}
            step={0.1}
            value={volume}
            className="min-h-11 min-w-0 flex-1 accent-brand"
            onChange={({ currentTarget }) => onChange({ volume: currentTarget.valueAsNumber })}
          />
          <Button onClick={() => playSound(volume)}>
            <Volume2 size={16} aria-hidden /> Ouvir
          </Button>
        </div>
      </div>
      <Switch
        label="Repetir a cada 30 segundos"
        hint="Enquanto alguém estiver aguardando."
        on={repetir}
        onChange={(on) => onChange({ repetir: on })}
      />
    </>
  )
}

function NextSwitch() {
  const [on, setOn] = useState(opensNext)
  return (
    <Switch
      label="Abrir a próxima ao finalizar"
      hint="Depois de finalizar, abre a sua conversa que está sem resposta há mais tempo."
      on={on}
      onChange={(opens) => {
        storeOpensNext(opens)
        setOn(opens)
      }}
    />
  )
}

export function PreferencesDialog({ preferences, onChange, onClose }: PreferencesDialogProps) {
  const change = (fields: Partial<NoticePreferences>): void => onChange({ ...preferences, ...fields })
  const part = { preferences, onChange: change }
  return (
    <Dialog open title="Notificações" onClose={onClose}>
      <div className="grid gap-5">
        <Switch
          label="Receber notificações"
          hint="O número de quem espera continua no título e no ícone da página."
          on={preferences.nivel !== 'nada'}
          onChange={() => onChange(togglePreferences(preferences))}
        />
        {preferences.nivel !== 'nada' && (
          <>
            <LevelField {...part} />
            <Switch label="Som" on={preferences.som} onChange={(som) => change({ som })} />
            {preferences.som && <SoundFields {...part} />}
            <BrowserPermission />
          </>
        )}
        <PushSettings />
        <NextSwitch />
      </div>
    </Dialog>
  )
}
