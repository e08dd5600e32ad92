import { Volume2 } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import type { NoticeLevel, NoticePreferences } from './preferences.ts'
import { playSound } from './sound.ts'

const LEVEL_LABEL: readonly {
  readonly nivel: Exclude<NoticeLevel, 'nada'>
  readonly rotulo: string
  readonly dica: string
}[] = [
  { nivel: 'tudo', rotulo: 'Tudo', dica: 'Quem está aguardando e as conversas que você atende.' },
  { nivel: 'aguardando', rotulo: 'Só quem está aguardando', dica: 'Novas conversas e mensagens de quem espera.' },
]

const notificationsSupported = (): boolean => 'Notification' in window

function BrowserPermission() {
  const [permissao, setPermissao] = useState(() => (notificationsSupported() ? Notification.permission : 'unsupported'))
  const ask = async (): Promise<void> => {
    setPermissao(await Notification.requestPermission().catch((): NotificationPermission => 'denied'))
  }
  if (permissao === 'unsupported') {
    return (
      <p className="text-sm text-muted">
        Este navegador não mostra avisos fora do painel. No iPhone, adicione o painel à Tela de Início (Compartilhar →
        Adicionar à Tela de Início) e abra por lá.
      </p>
    )
  }
  if (permissao === 'granted') {
    return (
      <p className="text-sm text-muted">Avisos do navegador ligados: você vê quem escreveu mesmo em outra janela.</p>
    )
  }
  if (permissao === 'denied') {
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
      <Button className="min-h-11" onClick={() => void ask()}>
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

export function PreferencesDialog({ preferences, onChange: onMudar, onClose }: PreferencesDialogProps) {
  const id = useId()
  const { nivel, som, volume, repetir } = preferences
  const change = (fields: Partial<NoticePreferences>): void => onMudar({ ...preferences, ...fields })
  return (
    <Dialog open title="Notificações" onClose={onClose}>
      <div className="grid gap-5">
        <Switch
          label="Receber notificações"
          hint="O número de quem espera continua no título e no ícone da página."
          on={nivel !== 'nada'}
          onChange={(enabled) => change({ nivel: enabled ? 'tudo' : 'nada' })}
        />
        {nivel !== 'nada' && (
          <>
            <fieldset className="grid gap-1">
              <legend className="mb-1 font-semibold">O que avisar</legend>
              {LEVEL_LABEL.map((opcao) => (
                <label key={opcao.nivel} className="flex min-h-11 items-start gap-3 rounded-lg py-1.5">
                  <input
                    type="radio"
                    name={id}
                    className="mt-1 size-4 accent-brand"
                    checked={nivel === opcao.nivel}
                    onChange={() => change({ nivel: opcao.nivel })}
                  />
                  <span>
                    {opcao.rotulo}
                    <span className="block text-sm text-muted">{opcao.dica}</span>
                  </span>
                </label>
              ))}
            </fieldset>
            <Switch label="Som" on={som} onChange={(enabled) => change({ som: enabled })} />
            {som && (
              <>
                <div>
                  <label htmlFor={`${id}-volume`} className="font-semibold">
                    Volume
                  </label>
                  <div className="flex items-center gap-3">
                    <input
                      id={`${id}-volume`}
                      type="range"
                      min={0.1}
                      max={1}
                      step={0.1}
                      value={volume}
                      className="min-h-11 min-w-0 flex-1 accent-brand"
                      onChange={({ currentTarget }) => change({ volume: currentTarget.valueAsNumber })}
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
                  onChange={(enabled) => change({ repetir: enabled })}
                />
              </>
            )}
            <BrowserPermission />
          </>
        )}
      </div>
    </Dialog>
  )
}
